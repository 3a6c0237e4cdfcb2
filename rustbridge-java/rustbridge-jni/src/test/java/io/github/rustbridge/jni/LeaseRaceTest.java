package io.github.rustbridge.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.RawResponse;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * Leases that are closed while others look at them: a native that reads freed memory is no
 * exception.
 */
class LeaseRaceTest {
  @Test
  void a_lease_closed_during_a_copy_gives_all_bytes_or_throws() {
    try (Plugin plugin = Plugins.conformance()) {
      Method echo = plugin.method("raw.echo", Encoding.RAW);
      byte[] data = new byte[50_000];
      Arrays.fill(data, (byte) 42);
      int copied = 0;
      for (int round = 0; round < 2000; round++) {
        RawResponse lease = echo.callRawZeroCopy(data);
        int pause = ThreadLocalRandom.current().nextInt(2000);
        CompletableFuture<Void> closing =
            CompletableFuture.runAsync(() -> {
              for (int i = 0; i < pause; i++) {
                Thread.onSpinWait();
              }
              lease.close();
            });
        try {
          assertTrue(Arrays.equals(data, lease.toByteArray()));
          copied++;
        } catch (IllegalStateException closed) {
          assertTrue(lease.isClosed());
        }
        closing.join();
        assertThrows(IllegalStateException.class, lease::toByteArray);
        assertThrows(IllegalStateException.class, lease::buffer);
        assertThrows(IllegalStateException.class, lease::length);
      }
      assertTrue(copied > 0);
    }
  }

  @Test
  void a_lease_outlives_its_plugin() {
    RawResponse lease;
    try (Plugin plugin = Plugins.conformance()) {
      lease = plugin.method("raw.echo", Encoding.RAW).callRawZeroCopy(new byte[] {1, 2, 3});
    }
    assertEquals(3, lease.buffer().get(2));
    lease.close();
    lease.close();
  }
}
