package io.github.rustbridge.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.RawResponse;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
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
  void a_buffer_keeps_the_response_that_it_reads() throws InterruptedException {
    try (Plugin plugin = Plugins.conformance()) {
      byte[] data = new byte[50_000];
      Arrays.fill(data, (byte) 42);
      RawResponse lease = plugin.method("raw.echo", Encoding.RAW).callRawZeroCopy(data);
      // Twice, and only a part of it: all of them are of one memory.
      lease.buffer();
      ByteBuffer part = lease.buffer().position(40_000).slice();
      WeakReference<RawResponse> response = new WeakReference<>(lease);
      lease = null;
      for (int i = 0; i < 5; i++) {
        System.gc();
        Thread.sleep(10);
        assertNotNull(response.get(), "the response is gone, and its memory with it");
      }
      assertEquals(10_000, part.remaining());
      assertEquals(42, part.get(9_999));
      part = null;
      awaitGone(response);
    }
  }

  @Test
  void a_buffer_of_a_closed_response_reads_as_before_until_it_is_gone()
      throws InterruptedException {
    try (Plugin plugin = Plugins.conformance()) {
      byte[] data = new byte[50_000];
      Arrays.fill(data, (byte) 42);
      Method echo = plugin.method("raw.echo", Encoding.RAW);
      RawResponse lease = echo.callRawZeroCopy(data);
      ByteBuffer part = lease.buffer().position(40_000).slice();
      lease.close();
      assertTrue(lease.isClosed());
      assertThrows(IllegalStateException.class, lease::buffer);
      WeakReference<RawResponse> response = new WeakReference<>(lease);
      lease = null;
      byte[] other = new byte[50_000];
      for (int i = 0; i < 5; i++) {
        System.gc();
        // Who gets the memory next, if it was given back.
        echo.callRawZeroCopy(other).close();
        while (part.hasRemaining()) {
          assertEquals(42, part.get());
        }
        part.rewind();
      }
      part = null;
      awaitGone(response);
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

  private static void awaitGone(WeakReference<RawResponse> response) throws InterruptedException {
    for (int i = 0; i < 6_000 && response.get() != null; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertNull(response.get(), "the response is kept though its buffers are gone");
  }
}
