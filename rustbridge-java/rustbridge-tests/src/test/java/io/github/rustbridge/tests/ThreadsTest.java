package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads: closing under fire, interrupts, calls that hang, plugins that nobody holds any more. */
class ThreadsTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int ROUNDS = 1_000;
  private static final int THREADS = 4;

  private interface Work {
    void run() throws Exception;
  }

  /** Runs work on several threads at once and rethrows what any of them threw. */
  private static void together(int threads, Work work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        running.add(
            executor.submit(() -> {
              work.run();
              return null;
            }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  /** Starts a thread and hands on what it threw when it's joined. */
  private static final class Started extends Thread {
    private final Work work;
    private volatile Throwable thrown;

    Started(Work work) {
      this.work = work;
      start();
    }

    @Override
    public void run() {
      try {
        work.run();
      } catch (Throwable problem) {
        thrown = problem;
      }
    }

    void ended() throws InterruptedException {
      join();
      assertEquals(null, thrown);
    }
  }

  @Test
  void many_threads_call_the_same_methods() throws Exception {
    try (Plugin plugin = Plugins.conformance()) {
      Method echo = plugin.method("raw.echo", Encoding.RAW);
      Method leaf = plugin.method("raw.leaf", Encoding.RAW);
      Method value = plugin.method("types.value");
      AtomicInteger seeds = new AtomicInteger();
      together(
          8,
          () -> {
            int seed = seeds.getAndIncrement();
            for (int number = 0; number < 500; number++) {
              byte[] data = new byte[1 + number * 7];
              Arrays.fill(data, (byte) (seed + number));
              assertArrayEquals(data, echo.callRawBytes(data));
              assertArrayEquals(data, leaf.callRawBytes(data));
              try (RawResponse response = echo.callRawZeroCopy(data)) {
                assertArrayEquals(data, response.toByteArray());
              }
              String json = "[" + seed + "," + number + "]";
              assertEquals(json, value.call(json));
              fails(Status.INVALID_ARGUMENT, () -> value.call("["));
              plugin.call("state.add", "{\"n\":1}");
            }
          });
      assertEquals("{\"total\":4000}", plugin.call("state.add", "{\"n\":0}"));
    }
  }

  /** What the threads do to the plugin of a round, each its own kind of call. */
  private static List<Work> kindsOfCalls(Plugin plugin) {
    Method echo = plugin.method("echo");
    Method add = plugin.method("math.add", Encoding.POD);
    byte[] request = {1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
    byte[] sum = {3, 0, 0, 0, 0, 0, 0, 0};
    return List.of(
        () -> assertEquals("{\"message\":\"x\",\"length\":1}", echo.call("{\"message\":\"x\"}")),
        () -> {
          assertArrayEquals(sum, add.callRawBytes(request));
          ByteBuffer response = ByteBuffer.allocateDirect(8);
          assertEquals(8, add.callRaw(ByteBuffer.wrap(request), response));
          assertEquals(ByteBuffer.wrap(sum), response.flip());
        },
        () -> {
          try (RawResponse response = add.callRawZeroCopy(request)) {
            assertArrayEquals(sum, response.toByteArray());
          }
        },
        () -> {
          assertEquals(
              "{\"message\":\"x\",\"length\":1}", plugin.call("echo", "{\"message\":\"x\"}"));
          plugin.method("greet");
          plugin.describeJson();
          assertTrue(plugin.state() != State.FORKED);
        });
  }

  @Test
  void closing_while_four_threads_call_loses_nothing() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(THREADS + 1);
    AtomicReference<List<Work>> work = new AtomicReference<>();
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger succeeded = new AtomicInteger();
    Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
    List<Started> threads = new ArrayList<>();
    for (int number = 0; number < THREADS; number++) {
      int kind = number;
      threads.add(
          new Started(() -> {
            for (int round = 0; round < ROUNDS; round++) {
              barrier.await();
              Work calls = work.get().get(kind);
              try {
                while (true) {
                  calls.run();
                  succeeded.incrementAndGet();
                }
              } catch (PluginException failure) {
                if (failure.status() == Status.UNAVAILABLE) {
                  refused.incrementAndGet();
                } else {
                  wrong.add(failure);
                }
              } catch (Throwable other) {
                wrong.add(other);
              }
              barrier.await();
            }
          }));
    }
    for (int round = 0; round < ROUNDS; round++) {
      Plugin plugin = Plugins.hello();
      work.set(kindsOfCalls(plugin));
      barrier.await();
      if (round % 2 == 0) {
        // Every other round closes in the midst of calls, the rest as they begin.
        Thread.sleep(0, 200_000);
      }
      plugin.close();
      assertEquals(State.CLOSED, plugin.state());
      barrier.await();
    }
    for (Started thread : threads) {
      thread.ended();
    }
    assertEquals(List.of(), List.copyOf(wrong));
    assertEquals(ROUNDS * THREADS, refused.get());
    assertTrue(succeeded.get() > ROUNDS, "no call was made before the closes");
  }

  @Test
  void threads_may_close_the_same_plugin() throws Exception {
    for (int round = 0; round < 50; round++) {
      Plugin plugin = Plugins.hello();
      together(
          THREADS,
          () -> {
            plugin.close();
            assertEquals(State.CLOSED, plugin.state());
          });
    }
  }

  @Test
  void a_close_that_times_out_says_what_runs_and_may_go_on(@TempDir Path folder) throws Exception {
    Path gate = folder.resolve("gate");
    Plugin plugin = Plugins.fault();
    Method hang = plugin.method("hang.file");
    Started running =
        new Started(
            () -> assertEquals("null", hang.call("{\"path\":\"" + Plugins.inJson(gate) + "\"}")));
    plugin.call("hang.await", "{\"n\":1}");
    PluginException failure =
        fails(Status.DEADLINE_EXCEEDED, () -> plugin.close(Duration.ofMillis(5)));
    assertTrue(failure.getMessage().contains("hang.file"), failure::toString);
    assertFalse(failure.details().isEmpty());
    assertEquals(State.CLOSING, plugin.state());
    fails(Status.UNAVAILABLE, () -> plugin.call("count", "null"));
    fails(Status.DEADLINE_EXCEEDED, () -> plugin.close(Duration.ZERO));
    Files.createFile(gate);
    plugin.close(Duration.ofSeconds(Long.MAX_VALUE));
    assertEquals(State.CLOSED, plugin.state());
    running.ended();
  }

  @Test
  void a_call_that_hangs_stops_no_other() throws Exception {
    try (Plugin plugin = Plugins.fault()) {
      List<Started> hanging = new ArrayList<>();
      for (int count = 0; count < 6; count++) {
        hanging.add(new Started(() -> plugin.call("hang.until", "null")));
      }
      plugin.call("hang.await", "{\"n\":6}");
      // A collection needs every thread to stand still or to be in native code.
      System.gc();
      for (int number = 1; number <= 100; number++) {
        assertEquals("{\"n\":" + number + "}", plugin.call("count", "null"));
      }
      plugin.call("hang.release", "null");
      for (Started one : hanging) {
        one.ended();
      }
    }
  }

  @Test
  void a_pending_interrupt_stays_pending() {
    Plugin plugin = Plugins.hello();
    try {
      Method echo = plugin.method("echo");
      byte[] request = new byte[16];
      Thread.currentThread().interrupt();
      assertEquals("{\"message\":\"x\",\"length\":1}", echo.call("{\"message\":\"x\"}"));
      assertEquals(8, plugin.callRawBytes("math.add", request).length);
      try (RawResponse response = plugin.callRawZeroCopy("math.add", request)) {
        assertEquals(8, response.length());
      }
      assertEquals("{\"slept_ms\":1}", plugin.call("test.sleep", "{\"duration_ms\":1}"));
      fails(
          Status.OUT_OF_RANGE,
          () -> plugin.call("math.add", "{\"a\":" + Long.MAX_VALUE + ",\"b\":1}"));
      plugin.flushLogs(LONG);
      assertTrue(Thread.currentThread().isInterrupted());
      try (Plugin other = Plugins.hello()) {
        assertEquals(State.ACTIVE, other.state());
      }
      plugin.close();
      assertTrue(Thread.interrupted(), "the interrupt was lost");
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void an_interrupt_in_the_midst_of_a_call_waits_for_its_end() throws Exception {
    try (Plugin plugin = Plugins.fault()) {
      AtomicBoolean returned = new AtomicBoolean();
      AtomicBoolean interrupted = new AtomicBoolean();
      Started hanging =
          new Started(() -> {
            assertEquals("null", plugin.call("hang.until", "null"));
            returned.set(true);
            interrupted.set(Thread.currentThread().isInterrupted());
          });
      plugin.call("hang.await", "{\"n\":1}");
      hanging.interrupt();
      assertFalse(returned.get());
      assertEquals("{\"n\":1}", plugin.call("count", "null"));
      plugin.call("hang.release", "null");
      hanging.ended();
      assertTrue(interrupted.get());
    }
  }

  @Test
  void closing_with_an_interrupt_pending_waits_all_the_same(@TempDir Path folder) throws Exception {
    Path gate = folder.resolve("gate");
    Plugin plugin = Plugins.fault();
    Started hanging =
        new Started(() -> plugin.call("hang.file", "{\"path\":\"" + Plugins.inJson(gate) + "\"}"));
    plugin.call("hang.await", "{\"n\":1}");
    Started closer =
        new Started(() -> {
          Thread.currentThread().interrupt();
          fails(Status.DEADLINE_EXCEEDED, () -> plugin.close(Duration.ofMillis(20)));
          assertEquals(State.CLOSING, plugin.state());
          Files.createFile(gate);
          plugin.close(LONG);
          assertTrue(Thread.currentThread().isInterrupted());
        });
    closer.ended();
    hanging.ended();
    assertEquals(State.CLOSED, plugin.state());
  }

  @Test
  void a_plugin_that_is_dropped_is_closed_with_a_warning() {
    try (JulRecorder warnings = new JulRecorder("rustbridge", Level.ALL)) {
      long handle = dropped();
      Waiting.collectingUntil(
          "the close of what was dropped",
          () -> !Plugin.inspect().contains("\"dropped on the floor\""));
      Waiting.until(
          "a warning",
          () ->
              warnings.texts().stream()
                  .anyMatch(text ->
                      text.contains("dropped on the floor") && text.contains("without close()")));
      assertFalse(Plugin.inspect().contains("\"handle\":" + handle + ","));
    }
  }

  private static long dropped() {
    Plugin plugin =
        Plugins.load(
            "hello-plugin",
            PluginConfig.defaults().named("dropped on the floor").logLevel(LogLevel.OFF));
    plugin.call("echo", "{\"message\":\"\"}");
    return plugin.handle();
  }

  @Test
  void a_plugin_whose_method_is_held_is_not_dropped() {
    Method echo =
        Plugins.load("hello-plugin", PluginConfig.defaults().named("held by a method"))
            .method("echo");
    for (int round = 0; round < 20; round++) {
      System.gc();
      assertTrue(Plugin.inspect().contains("\"held by a method\""));
    }
    echo.plugin().close();
    assertFalse(Plugin.inspect().contains("\"held by a method\""));
  }

  @Test
  void texts_of_many_threads_do_not_mix() throws Exception {
    try (Plugin plugin = Plugins.hello()) {
      Method echo = plugin.method("echo");
      AtomicInteger seeds = new AtomicInteger();
      together(
          4,
          () -> {
            String letter = String.valueOf((char) ('a' + seeds.getAndIncrement()));
            for (int length = 0; length < 3_000; length += 7) {
              String message = letter.repeat(length);
              assertEquals(
                  "{\"message\":\"" + message + "\",\"length\":" + length + "}",
                  echo.call("{\"message\":\"" + message + "\"}"));
              byte[] bytes =
                  echo.callRawBytes(
                      ("{\"message\":\"" + message + "\"}").getBytes(StandardCharsets.UTF_8));
              assertEquals(message.length() + 24 + ("" + length).length(), bytes.length);
            }
          });
    }
  }
}
