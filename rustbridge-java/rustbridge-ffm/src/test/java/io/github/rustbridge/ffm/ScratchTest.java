package io.github.rustbridge.ffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.interop.Sizes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Scratch memory: always room enough, never shared by two calls. */
class ScratchTest {
  /** What the core says is to be kept. */
  private static final int KEPT = 256 << 10;

  /** The sizes at which something changes. */
  private static final int[] SIZES = {
    0,
    1,
    4095,
    4096,
    4097,
    65535,
    65536,
    65537,
    KEPT,
    KEPT + 1,
    1 << 20,
    Sizes.LARGEST,
    Sizes.LARGEST + 1
  };

  private static Scratch take(long length) {
    return Scratch.take(length, 4096, KEPT);
  }

  @Test
  void storage_is_as_large_as_a_method_wants_it_and_what_is_kept_has_an_end() {
    Scratch known = take(0);
    // The thread's own has seen other tests, but this one is new.
    Scratch scratch = Scratch.take(0, 5000, KEPT);
    assertEquals(8192, scratch.capacity);
    scratch.expect(KEPT + 1, KEPT);
    assertEquals(8192, scratch.capacity);
    scratch.expect(KEPT - 1, KEPT);
    assertEquals(KEPT, scratch.capacity);
    scratch.give();
    known.give();
  }

  @Test
  void a_call_inside_a_call_gets_its_own() {
    Scratch outer = take(10);
    Scratch inner = take(10);
    assertNotSame(outer, inner);
    assertTrue(outer.request != inner.request && outer.storage != inner.storage);
    inner.give();
    outer.give();
    assertSame(outer, Scratch.take());
    outer.give();
  }

  @Test
  void large_ones_are_kept_for_the_next() {
    Scratch first = take(1 << 20);
    Scratch second = take(1 << 20);
    assertNotSame(first, second);
    first.give();
    second.give();
    assertSame(second, take(2 << 20));
    second.give();
    Scratch huge = take(Sizes.LARGEST + 1L);
    huge.give();
    Scratch again = take(1 << 20);
    assertSame(second, again);
    again.give();
  }

  @Test
  void every_size_goes_through_every_way() {
    try (Plugin plugin = Plugins.conformance();
        Plugin hello = Plugins.hello()) {
      for (String name : new String[] {"raw.echo", "raw.leaf"}) {
        Method echo = plugin.method(name, Encoding.RAW);
        for (int size : SIZES) {
          byte[] request = new byte[size];
          Arrays.fill(request, (byte) size);
          assertArrayEquals(request, echo.callRawBytes(request));
          byte[] response = new byte[size + 1];
          assertEquals(size, echo.callRaw(request, response));
          assertEquals(size, Arrays.mismatch(request, response));
          try (var lease = echo.callRawZeroCopy(request)) {
            assertArrayEquals(request, lease.toByteArray());
          }
        }
      }
      Method echo = hello.method("echo");
      for (int size : SIZES) {
        String message = "x".repeat(size);
        assertEquals(
            "{\"message\":\"" + message + "\",\"length\":" + size + "}",
            echo.call("{\"message\":\"" + message + "\"}"));
      }
    }
  }

  @Test
  void many_virtual_threads_call_at_once() throws InterruptedException, ExecutionException {
    try (Plugin plugin = Plugins.conformance();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Method echo = plugin.method("raw.echo", Encoding.RAW);
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        byte[] request = ("request " + i).repeat(1 + i % 500).getBytes(StandardCharsets.UTF_8);
        calls.add(
            threads.submit(() -> {
              for (int round = 0; round < 5; round++) {
                assertArrayEquals(request, echo.callRawBytes(request));
              }
            }));
      }
      for (Future<?> call : calls) {
        call.get();
      }
    }
  }
}
