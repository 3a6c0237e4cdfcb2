package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class PluginFailuresTest {
  @Test
  void an_exception_of_a_service_never_has_the_status_ok() {
    PluginException fine = new PluginException(Status.OK, "a.Type", "odd", Map.of(), null);
    assertEquals(Status.INTERNAL.number(), PluginFailures.INSTANCE.status(fine));
    assertEquals(
        Status.INTERNAL.number(), PluginFailures.INSTANCE.status(new CompletionException(fine)));
    String payload = new String(PluginFailures.INSTANCE.payload(fine), StandardCharsets.UTF_8);
    assertTrue(payload.contains("\"INTERNAL\""), payload);
  }
}
