package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class ThrownTest {
  @Test
  void what_is_thrown_has_failed_whatever_it_says() {
    PluginException fine = new PluginException(Status.OK, "a.Type", "odd", Map.of(), null);
    assertEquals(Status.INTERNAL.number(), Thrown.status(fine));
    assertEquals(Status.INTERNAL.number(), Thrown.status(new CompletionException(fine)));
    String payload = new String(Thrown.payload(fine), StandardCharsets.UTF_8);
    assertTrue(payload.contains("\"INTERNAL\""), payload);
  }
}
