package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.OpenBackend;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginDescription;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What would kill a JVM if we were wrong, in a JVM of its own. */
class FaultsTest {
  private static PluginConfig config(String json) {
    return PluginConfig.json(json).logLevel(LogLevel.OFF);
  }

  private static Plugin fault(String json) {
    return Plugins.load("fault-plugin", config(json));
  }

  @Test
  void a_panic_in_every_place_leaves_the_process_alive() {
    ForkedJvm.run(PanicsEverywhere.class);
  }

  static final class PanicsEverywhere implements Scenario {
    @Override
    public void run() {
      PluginException created = fails(Status.INTERNAL, () -> fault("{\"create\":\"panic\"}"));
      assertEquals("create was told to panic", created.getMessage());
      PluginException refused = fails(Status.UNAVAILABLE, () -> fault("{\"create\":\"error\"}"));
      assertEquals(Map.of("code", 7L), refused.details());
      Plugin plugin = fault("{\"destroy\":\"panic\"}");
      Map<String, Status> places =
          Map.of(
              "panic.call", Status.INTERNAL,
              "panic.leaf", Status.INTERNAL,
              "panic.lock", Status.INTERNAL,
              "panic.async", Status.INTERNAL,
              "panic.task", Status.ABORTED,
              "panic.thread", Status.ABORTED);
      for (int round = 0; round < 20; round++) {
        places.forEach((name, status) -> {
          PluginException failure =
              fails(status, () -> plugin.call(name, "{\"message\":\"größer 🦀\"}"));
          assertTrue(
              status == Status.ABORTED || failure.getMessage().equals("größer 🦀"),
              failure::toString);
        });
        fails(Status.INTERNAL, () -> plugin.call("panic.bomb", "null"));
      }
      assertEquals("{\"n\":1}", plugin.call("count", "null"));
      fails(Status.INTERNAL, plugin::close);
      assertEquals(State.CLOSED, plugin.state());
      plugin.close();
    }
  }

  @Test
  void panics_on_many_threads_at_once_are_told_to_each() {
    ForkedJvm.run(PanicsOnManyThreads.class);
  }

  static final class PanicsOnManyThreads implements Scenario {
    @Override
    public void run() throws InterruptedException {
      Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
      Recorder recorder = new Recorder();
      try (Plugin plugin =
          Plugins.load(
              "fault-plugin",
              PluginConfig.defaults().backtraces().logger(recorder).logLevel(LogLevel.TRACE))) {
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
          String name = number % 2 == 0 ? "panic.call" : "panic.leaf";
          Thread thread =
              new Thread(() -> {
                try {
                  for (int round = 0; round < 50; round++) {
                    PluginException failure =
                        fails(Status.INTERNAL, () -> plugin.call(name, "{\"message\":\"x\"}"));
                    assertEquals("panic", failure.type());
                    assertTrue(failure.backtrace().isPresent());
                  }
                } catch (Throwable thrown) {
                  wrong.add(thrown);
                }
              });
          thread.start();
          threads.add(thread);
        }
        for (Thread thread : threads) {
          thread.join();
        }
      }
      assertEquals(List.of(), List.copyOf(wrong));
      assertTrue(recorder.texts().size() >= 200);
    }
  }

  @Test
  void plugins_of_another_shape_are_refused_and_never_called() {
    ForkedJvm.run(WrongShapes.class);
  }

  /** Whatever a host mustn't call in these libraries ends the process. */
  static final class WrongShapes implements Scenario {
    @Override
    public void run() {
      for (String variant :
          new String[] {
            "abi-major", "short-table", "null-table", "null-function", "no-symbol", "describe"
          }) {
        for (int round = 0; round < 3; round++) {
          PluginException failure =
              assertThrows(
                  PluginException.class, () -> Plugin.load(Plugins.path("fault-" + variant)));
          assertTrue(failure.getMessage().length() > 10, failure::toString);
        }
      }
      try (Plugin hello = Plugins.hello()) {
        assertEquals("{\"result\":3}", hello.call("math.add", "{\"a\":1,\"b\":2}"));
      }
    }
  }

  @Test
  void statuses_and_answers_in_unusual_forms_break_nothing() {
    ForkedJvm.run(UnusualAnswers.class);
  }

  static final class UnusualAnswers implements Scenario {
    @Override
    public void run() {
      try (Plugin plugin = Plugins.load("fault-status", PluginConfig.defaults())) {
        for (int round = 0; round < 50; round++) {
          for (PluginDescription.Method described : plugin.describe().methods()) {
            Method method = plugin.method(described.name(), Encoding.RAW);
            for (byte[] request : new byte[][] {{}, {1, 2, 3, 4}, new byte[64]}) {
              attempt(() -> method.callRawBytes(request));
              attempt(() -> method.callRaw(request, new byte[4_096]));
              attempt(() -> method.callRaw(request, new byte[0]));
              attempt(
                  () -> method.callRaw(ByteBuffer.wrap(request), ByteBuffer.allocateDirect(4_096)));
              attempt(() -> {
                try (RawResponse response = method.callRawZeroCopy(request)) {
                  response.toByteArray();
                }
              });
            }
          }
        }
      }
    }

    private static void attempt(Executable act) {
      try {
        act.execute();
      } catch (PluginException failure) {
        assertFalse(failure.status() == Status.OK, failure::toString);
      } catch (ResponseTooLargeException tooLarge) {
        assertTrue(tooLarge.response().length > 0);
      } catch (Throwable other) {
        throw new AssertionError(other);
      }
    }
  }

  @Test
  void a_create_that_hangs_holds_nobody_else_up() {
    ForkedJvm.run(HangingCreate.class);
  }

  static final class HangingCreate implements Scenario {
    @Override
    public void run() throws InterruptedException {
      AtomicBoolean created = new AtomicBoolean();
      Thread slow =
          new Thread(() -> {
            fault("{\"create\":\"hang\",\"hang_ms\":500}").close();
            created.set(true);
          });
      slow.start();
      try (Plugin other = fault("{}")) {
        assertEquals("{\"n\":1}", other.call("count", "null"));
      }
      slow.join();
      assertTrue(created.get());
    }
  }

  @Test
  void a_destructor_that_hangs_ends_in_its_own_time() {
    ForkedJvm.run(HangingDestructor.class);
  }

  static final class HangingDestructor implements Scenario {
    @Override
    public void run() {
      for (int round = 0; round < 3; round++) {
        Plugin plugin = fault("{\"destroy\":\"hang\",\"hang_ms\":100}");
        // Whether the wait is cut short or not, it ends closed.
        try {
          plugin.close(Duration.ofMillis(5));
        } catch (PluginException failure) {
          assertEquals(Status.DEADLINE_EXCEEDED, failure.status());
          assertEquals(State.CLOSING, plugin.state());
          fails(Status.UNAVAILABLE, () -> plugin.call("count", "null"));
        }
        plugin.close();
        assertEquals(State.CLOSED, plugin.state());
      }
    }
  }

  @Test
  void threads_that_outlive_their_instance_do_no_harm() {
    ForkedJvm.run(ForgottenThreads.class);
  }

  static final class ForgottenThreads implements Scenario {
    @Override
    public void run() throws InterruptedException {
      for (int round = 0; round < 5; round++) {
        Recorder recorder = new Recorder();
        try (Plugin plugin =
            Plugins.load(
                "fault-plugin",
                PluginConfig.defaults().logger(recorder).logLevel(LogLevel.TRACE))) {
          plugin.call("leak.thread", "{\"n\":200}");
          plugin.call("leak.task", "null");
        }
        int delivered = recorder.texts().size();
        System.gc();
        Thread.sleep(20);
        assertEquals(delivered, recorder.texts().size(), "a closed instance logged");
      }
    }
  }

  @Test
  void the_process_ends_with_plugins_open_and_calls_running() {
    ForkedJvm.run(LeftOpen.class);
  }

  static final class LeftOpen implements Scenario {
    @Override
    public void run() {
      CountDownLatch never = new CountDownLatch(1);
      Plugin plugin =
          Plugins.load(
              "fault-plugin",
              PluginConfig.defaults()
                  .logListener(record -> {
                    try {
                      never.await();
                    } catch (InterruptedException ended) {
                      throw new AssertionError(ended);
                    }
                  }));
      plugin.call("log.flood", "{\"n\":200}");
      plugin.call("leak.thread", "{\"n\":100000}");
      plugin.callRawZeroCopy("raw.echo", new byte[10]);
      for (int count = 0; count < 4; count++) {
        Thread thread = new Thread(() -> plugin.call("hang.until", "null"));
        thread.setDaemon(true);
        thread.start();
      }
      plugin.call("hang.await", "{\"n\":4}");
    }
  }

  @Test
  void an_exit_in_the_midst_of_calls_is_an_exit() {
    String output = ForkedJvm.run(ExitInTheMidst.class);
    assertTrue(output.contains("in the hook"), output);
  }

  static final class ExitInTheMidst implements Scenario {
    @Override
    public void run() {
      Plugin plugin =
          Plugins.load("fault-plugin", PluginConfig.defaults().logListener(record -> {}));
      for (int count = 0; count < 4; count++) {
        Thread thread =
            new Thread(() -> {
              while (true) {
                plugin.call("log.flood", "{\"n\":10}");
                plugin.callRawBytes("raw.echo", new byte[10_000]);
              }
            });
        thread.setDaemon(true);
        thread.start();
      }
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> {
                plugin.call("count", "null");
                System.out.println("in the hook");
                plugin.close();
              }));
      System.out.println(DONE);
      System.exit(0);
    }
  }

  @Test
  void a_close_from_inside_a_call_of_its_own_is_refused() {
    // There is no way into Java from inside a call but the log, which has a thread of its own; so
    // this is about closing from a logger while the call that logged still runs.
    ForkedJvm.of(CloseWhileTheCallRuns.class).optimizing().succeeds();
  }

  static final class CloseWhileTheCallRuns implements Scenario {
    @Override
    public void run() throws InterruptedException {
      Plugin[] plugin = new Plugin[1];
      Queue<Object> seen = new ConcurrentLinkedQueue<>();
      CountDownLatch loaded = new CountDownLatch(1);
      plugin[0] =
          Plugins.load(
              "fault-plugin",
              PluginConfig.defaults()
                  .logListener(record -> {
                    try {
                      loaded.await();
                      plugin[0].close(Duration.ofMillis(1));
                      seen.add("closed");
                    } catch (PluginException failure) {
                      seen.add(failure.status());
                    } catch (InterruptedException ended) {
                      seen.add(ended);
                    }
                  }));
      loaded.countDown();
      Thread thread = new Thread(() -> plugin[0].call("hang.until", "null"));
      thread.start();
      plugin[0].call("hang.await", "{\"n\":1}");
      plugin[0].call("log.flood", "{\"n\":1}");
      Waiting.until("the listener", () -> !seen.isEmpty());
      assertEquals(Status.DEADLINE_EXCEEDED, seen.peek());
      // The call that hangs can't be released any more: the JVM must be able to leave all the same.
      assertEquals(State.CLOSING, plugin[0].state());
      System.out.println(DONE);
      System.exit(0);
    }
  }

  @Test
  void made_up_handles_are_refused() {
    ForkedJvm.run(MadeUpHandles.class);
  }

  static final class MadeUpHandles implements Scenario {
    @Override
    public void run() {
      try (Plugin plugin = Plugins.hello()) {
        var backend = OpenBackend.get();
        Plugin closed = Plugins.hello();
        long stale = closed.handle();
        closed.close();
        long real = plugin.handle();
        for (long handle :
            new long[] {0, 1, -1, Long.MIN_VALUE, 0xdeadbeefL, real + (1L << 40), real ^ 1}) {
          fails(Status.INVALID_ARGUMENT, () -> backend.describe(handle));
          fails(
              Status.INVALID_ARGUMENT, () -> backend.prepare(handle, new byte[] {(byte) 0x65}, 0));
          fails(Status.INVALID_ARGUMENT, () -> backend.prepare(handle, 1, 2));
          fails(Status.INVALID_ARGUMENT, () -> backend.close(handle, 0));
          fails(Status.INVALID_ARGUMENT, () -> backend.state(handle));
          fails(Status.INVALID_ARGUMENT, () -> backend.setLogLevel(handle, 3));
          fails(Status.INVALID_ARGUMENT, () -> backend.setLogSink(handle, null, 0));
          fails(Status.INVALID_ARGUMENT, () -> backend.flushLogs(handle, 0));
        }
        fails(Status.UNAVAILABLE, () -> backend.describe(stale));
        fails(Status.UNAVAILABLE, () -> backend.close(stale, 0));
        fails(Status.UNAVAILABLE, () -> backend.flushLogs(stale, 0));
        assertEquals(State.CLOSED.ordinal() + 1, backend.state(stale));
      }
    }
  }
}
