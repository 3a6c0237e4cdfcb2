package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.LogRecord;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/**
 * Loggers and listeners that do what they shouldn't: no call suffers, and nothing crosses native
 * frames.
 */
class MisbehavingLoggersTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  /** What a callback throws that has gone wrong. */
  private static final class Odd extends Throwable {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("even the message fails");
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private static void flood(Plugin plugin, int count) {
    plugin.call("log.flood", "{\"n\":" + count + "}");
  }

  private static Plugin listening(Consumer<LogRecord> listener) {
    return Plugins.load("fault-plugin", PluginConfig.defaults().logListener(listener));
  }

  @Test
  void whatever_a_listener_throws_costs_its_record_alone() {
    List<Throwable> throwables =
        List.of(
            new RuntimeException("a bad listener"),
            new Error("a worse one"),
            new StackOverflowError("made up"),
            new OutOfMemoryError("made up"),
            new ThreadDeath(),
            new Exception("checked"),
            new Odd());
    try (JulRecorder warnings = new JulRecorder("rustbridge", Level.ALL)) {
      for (Throwable thrown : throwables) {
        AtomicInteger seen = new AtomicInteger();
        try (Plugin plugin =
            listening(record -> {
              if (seen.incrementAndGet() != 3) {
                MisbehavingLoggersTest.<RuntimeException>sneak(thrown);
              }
            })) {
          flood(plugin, 5);
          plugin.flushLogs(LONG);
          assertEquals(5, seen.get());
          assertEquals("{\"n\":1}", plugin.call("count", "null"));
          assertEquals(State.ACTIVE, plugin.state());
        }
      }
      assertTrue(
          warnings.records().stream().anyMatch(record -> record.getThrown() == throwables.get(0)),
          () -> warnings.texts().toString());
    }
  }

  @Test
  void whatever_a_logger_throws_costs_its_record_alone() {
    try (JulRecorder warnings = new JulRecorder("rustbridge", Level.ALL)) {
      Recorder logger =
          new Recorder() {
            @Override
            protected void kept(Entry entry) {
              throw new IllegalStateException("a bad logger");
            }
          };
      try (Plugin plugin =
          Plugins.load(
              "fault-plugin", PluginConfig.defaults().logger(logger).logLevel(LogLevel.INFO))) {
        flood(plugin, 5);
        plugin.flushLogs(LONG);
        assertEquals(5, logger.texts().size());
      }
      assertTrue(warnings.texts().stream().anyMatch(text -> text.contains("fault")));
    }
  }

  @Test
  void a_logger_that_can_not_even_say_what_is_loggable_harms_no_call() {
    Recorder logger =
        new Recorder() {
          @Override
          public boolean isLoggable(Logger.Level level) {
            throw new IllegalStateException("broken");
          }
        };
    try (Plugin plugin =
        Plugins.load(
            "fault-plugin", PluginConfig.defaults().logger(logger).logLevel(LogLevel.INFO))) {
      flood(plugin, 3);
      plugin.flushLogs(LONG);
      assertEquals("{\"n\":1}", plugin.call("count", "null"));
    }
  }

  @Test
  void a_listener_that_overflows_its_stack_harms_nothing() {
    ForkedJvm.run(Overflow.class);
  }

  static final class Overflow implements Scenario {
    private int depth;

    private int deeper(int from) {
      depth = Math.max(depth, from);
      return from < 0 ? from : deeper(from + 1) + 1;
    }

    @Override
    public void run() {
      AtomicInteger seen = new AtomicInteger();
      try (Plugin plugin =
          listening(record -> {
            seen.incrementAndGet();
            deeper(1);
          })) {
        for (int round = 0; round < 10; round++) {
          flood(plugin, 10);
          plugin.flushLogs(LONG);
        }
        assertEquals(100, seen.get());
        assertTrue(depth > 1_000);
        assertEquals("{\"n\":1}", plugin.call("count", "null"));
      }
    }
  }

  @Test
  void a_listener_that_blocks_holds_no_call_up() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger seen = new AtomicInteger();
    try (Plugin plugin =
        listening(record -> {
          seen.incrementAndGet();
          try {
            gate.await();
          } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
          }
        })) {
      for (int number = 1; number <= 100; number++) {
        flood(plugin, 1);
        assertEquals("{\"n\":" + number + "}", plugin.call("count", "null"));
      }
      assertTrue(seen.get() <= 1);
      fails(Status.DEADLINE_EXCEEDED, () -> plugin.flushLogs(Duration.ofMillis(5)));
      fails(Status.DEADLINE_EXCEEDED, () -> plugin.close(Duration.ofMillis(5)));
      assertEquals(State.CLOSING, plugin.state());
      gate.countDown();
      plugin.close(LONG);
      assertEquals(100, seen.get());
      assertEquals(State.CLOSED, plugin.state());
    }
  }

  @Test
  void a_listener_that_blocks_holds_no_other_instance_up() {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger seen = new AtomicInteger();
    try (Plugin stuck =
            listening(record -> {
              try {
                gate.await();
              } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
              }
            });
        Plugin free = listening(record -> seen.incrementAndGet())) {
      flood(stuck, 3);
      flood(free, 3);
      free.flushLogs(LONG);
      assertEquals(3, seen.get());
      gate.countDown();
    }
  }

  @Test
  void a_listener_may_call_its_plugin_and_change_its_logging() {
    AtomicReference<Plugin> plugin = new AtomicReference<>();
    List<String> answers = new CopyOnWriteArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    try (Plugin opened =
        listening(record -> {
          Plugin own = plugin.get();
          answers.add(own.call("count", "null"));
          answers.add(
              fails(
                      Status.DATA_LOSS,
                      () -> own.call("error.call", "{\"message\":\"inside\",\"bytes\":5}"))
                  .getMessage());
          try (var lease = own.callRawZeroCopy("raw.echo", new byte[10_000])) {
            answers.add("" + lease.length());
          }
          // It would wait for itself, and is told so at once.
          answers.add(fails(Status.DEADLINE_EXCEEDED, () -> own.flushLogs(LONG)).status().name());
          own.setLogLevel(LogLevel.OFF);
          own.setLogListener(other -> answers.add("another"));
          done.countDown();
        })) {
      plugin.set(opened);
      flood(opened, 1);
      Waiting.until("the listener's end", () -> done.getCount() == 0);
      assertEquals(List.of("{\"n\":1}", "inside", "10000", "DEADLINE_EXCEEDED"), answers);
      assertEquals(LogLevel.OFF, opened.logLevel());
      opened.setLogLevel(LogLevel.INFO);
      flood(opened, 1);
      opened.flushLogs(LONG);
      assertEquals(5, answers.size());
    }
  }

  @Test
  void a_listener_may_load_and_close_other_plugins() {
    CountDownLatch done = new CountDownLatch(1);
    AtomicReference<Throwable> wrong = new AtomicReference<>();
    try (Plugin plugin =
        listening(record -> {
          try (Plugin inner = Plugins.hello()) {
            assertEquals("{\"result\":3}", inner.call("math.add", "{\"a\":1,\"b\":2}"));
          } catch (Throwable thrown) {
            wrong.set(thrown);
          }
          done.countDown();
        })) {
      flood(plugin, 1);
      plugin.flushLogs(LONG);
      assertEquals(0, done.getCount());
      assertEquals(null, wrong.get());
    }
  }

  @Test
  void a_listener_may_close_its_own_plugin() {
    for (int round = 0; round < 50; round++) {
      AtomicReference<Plugin> plugin = new AtomicReference<>();
      AtomicReference<Throwable> wrong = new AtomicReference<>();
      CountDownLatch done = new CountDownLatch(1);
      CountDownLatch set = new CountDownLatch(1);
      Plugin opened =
          listening(record -> {
            try {
              set.await();
              plugin.get().close();
            } catch (Throwable thrown) {
              wrong.set(thrown);
            }
            done.countDown();
          });
      plugin.set(opened);
      flood(opened, 3);
      set.countDown();
      Waiting.until("the close", () -> done.getCount() == 0);
      assertEquals(null, wrong.get());
      assertEquals(State.CLOSED, opened.state());
      opened.close();
    }
  }

  @Test
  void a_listener_of_create_may_throw_too() {
    List<String> messages = new ArrayList<>();
    try (Plugin plugin =
        Plugins.load(
            "fault-plugin",
            PluginConfig.json("{\"log\":true}")
                .logListener(record -> {
                  messages.add(record.message());
                  throw new IllegalStateException("in create");
                }))) {
      plugin.flushLogs(LONG);
      assertEquals(List.of("in create"), messages);
    }
  }
}
