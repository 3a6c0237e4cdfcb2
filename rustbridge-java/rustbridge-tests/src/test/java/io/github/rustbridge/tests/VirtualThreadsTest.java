package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Items;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.Status;
import io.github.rustbridge.interop.Scratches;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Virtual threads, by reflection, since this source is Java 17's; with a JDK before 21 all is
 * skipped.
 */
class VirtualThreadsTest {
  @BeforeAll
  static void thereAreVirtualThreads() {
    assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads");
  }

  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  /** Runs work on so many virtual threads and rethrows what any of them threw. */
  private static void together(int threads, Callable<?> work) throws Exception {
    ExecutorService executor = virtualThreads();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        running.add(executor.submit(work));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void ten_thousand_virtual_threads_get_the_right_answers() throws Exception {
    try (Plugin plugin = Plugins.conformance()) {
      Method echo = plugin.method("raw.echo", Encoding.RAW);
      Method leaf = plugin.method("raw.leaf", Encoding.RAW);
      Method value = plugin.method("types.value");
      AtomicInteger numbers = new AtomicInteger();
      together(
          10_000,
          () -> {
            int number = numbers.getAndIncrement();
            byte[] data = new byte[1 + number % 6_000];
            Arrays.fill(data, (byte) number);
            assertArrayEquals(data, echo.callRawBytes(data));
            LockSupport.parkNanos(1);
            assertArrayEquals(data, leaf.callRawBytes(data));
            String json = "[" + number + ",\"größer\"]";
            assertEquals(json, value.call(json));
            LockSupport.parkNanos(1);
            ByteBuffer response = ByteBuffer.allocateDirect(data.length);
            assertEquals(data.length, echo.callRaw(ByteBuffer.wrap(data), response));
            assertEquals(ByteBuffer.wrap(data), response.flip());
            try (RawResponse lease = echo.callRawZeroCopy(data)) {
              LockSupport.parkNanos(1);
              assertArrayEquals(data, lease.toByteArray());
            }
            fails(Status.INVALID_ARGUMENT, () -> value.call("["));
            plugin.call("state.add", "{\"n\":1}");
            return null;
          });
      assertEquals("{\"total\":10000}", plugin.call("state.add", "{\"n\":0}"));
    }
  }

  @Test
  void calls_that_block_every_carrier_come_to_an_end() throws Exception {
    int blocked = 4 * Runtime.getRuntime().availableProcessors();
    try (Plugin plugin = Plugins.fault()) {
      AtomicInteger answered = new AtomicInteger();
      Thread release =
          new Thread(() -> {
            // One at least hangs; with the carriers gone the others may not even have begun.
            plugin.call("hang.await", "{\"n\":1}");
            plugin.call("hang.release", "null");
          });
      release.start();
      together(
          blocked,
          () -> {
            assertEquals("null", plugin.call("hang.until", "null"));
            return answered.incrementAndGet();
          });
      release.join();
      assertEquals(blocked, answered.get());
    }
  }

  @Test
  void a_virtual_thread_may_load_and_close_and_log() throws Exception {
    together(
        200,
        () -> {
          Recorder recorder = new Recorder();
          try (Plugin plugin =
              Plugins.load("fault-plugin", PluginConfig.defaults().logger(recorder))) {
            plugin.call("log.flood", "{\"n\":3}");
          }
          assertEquals(3, recorder.texts().stream().filter(t -> t.startsWith("flood")).count());
          return null;
        });
  }

  @Test
  void an_interrupted_virtual_thread_finishes_its_call() throws Exception {
    try (Plugin plugin = Plugins.hello()) {
      together(
          100,
          () -> {
            Thread.currentThread().interrupt();
            assertEquals("{\"slept_ms\":1}", plugin.call("test.sleep", "{\"duration_ms\":1}"));
            assertTrue(Thread.interrupted());
            return null;
          });
    }
  }

  private static final class Counted extends Scratches.Scratch {}

  @Test
  void ten_thousand_virtual_threads_share_few_scratches() throws Exception {
    AtomicInteger made = new AtomicInteger();
    Scratches<Counted> scratches =
        new Scratches<>(() -> {
          made.incrementAndGet();
          return new Counted();
        });
    together(
        10_000,
        () -> {
          for (int round = 0; round < 5; round++) {
            Counted scratch = scratches.take();
            scratches.give(scratch);
          }
          return null;
        });
    // One for each thread would be 10,000; as many as run at once is what's needed, with room for
    // the unlucky.
    int most = 100 + 50 * Runtime.getRuntime().availableProcessors();
    assertTrue(made.get() < most, () -> made + " were made");
  }

  @Test
  void ten_thousand_wait_at_once_and_none_keeps_its_carrier() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      Method later = plugin.method("async.later");
      Method ticks = plugin.method("stream.ticks");
      AtomicInteger numbers = new AtomicInteger();
      together(
          10_000,
          () -> {
            if (numbers.incrementAndGet() % 10 == 0) {
              try (Items<Long> items = ticks.iterate(Map.of("from", 0, "to", 3), Long.class)) {
                items.forEachRemaining(number -> assertTrue(number < 3));
              }
              return null;
            }
            String text = "{\"text\":\"a\"}";
            assertEquals(text, later.call(text, CallOptions.defaults()));
            return null;
          });
      assertEquals(10_000, numbers.get());
    }
  }
}
