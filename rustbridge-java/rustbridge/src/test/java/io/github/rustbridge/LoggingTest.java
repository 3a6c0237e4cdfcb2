package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.interop.LogSink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LoggingTest {
  private static final String NAME = "users";

  private final CapturedLog log = new CapturedLog();

  @AfterEach
  void restore() {
    log.close();
  }

  private static void log(LogSink sink, LogLevel level, String target, String message) {
    log(sink, level, target, message, "");
  }

  private static void log(
      LogSink sink, LogLevel level, String target, String message, String fields) {
    sink.log(level.number(), LogSink.EVENT, 0, 0, 0, target, message, fields, "", "", "", NAME);
  }

  /** A logger that lets through what it's told to, and remembers it. */
  private static class Memory implements System.Logger {
    final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    final Set<Level> levels;

    Memory(Level... levels) {
      this.levels =
          levels.length == 0 ? EnumSet.allOf(Level.class) : EnumSet.copyOf(List.of(levels));
    }

    @Override
    public String getName() {
      return "memory";
    }

    @Override
    public boolean isLoggable(Level level) {
      return levels.contains(level);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      lines.add(level + " " + message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      lines.add(level + " " + format);
    }
  }

  @Test
  void the_logger_is_named_after_instance_and_target() {
    Logging logging = new Logging(null, Loggers::of, null);
    log(logging, LogLevel.INFO, "hello_plugin::db::pool", "a");
    log(logging, LogLevel.INFO, "", "b");
    log(logging, LogLevel.INFO, "hello.users", "c");
    assertEquals(
        List.of(
            "rustbridge.users.hello_plugin.db.pool",
            "rustbridge.users",
            "rustbridge.users.hello.users"),
        log.records().stream().map(java.util.logging.LogRecord::getLoggerName).toList());
  }

  @Test
  void loggers_of_a_factory_get_the_records() {
    List<String> names = Collections.synchronizedList(new ArrayList<>());
    Memory memory = new Memory(System.Logger.Level.INFO);
    PluginConfig config =
        PluginConfig.defaults()
            .loggers(name -> {
              names.add(name);
              return memory;
            });
    Logging logging = new Logging(null, config.loggers, null);
    assertEquals(LogLevel.INFO, logging.effectiveLevel("users"));
    log(logging, LogLevel.INFO, "hello::db", "a");
    logging.begin("users", LogLevel.INFO);
    logging.failed("prices", new IllegalStateException("gone"));
    assertEquals(
        List.of("rustbridge.users", "rustbridge.users.hello.db", "rustbridge.users.rustbridge"),
        names);
    assertEquals(List.of("INFO a", "ERROR the service `prices` failed"), memory.lines);
    assertEquals(List.of(), log.records());
    PluginConfig wrong = PluginConfig.defaults().loggers(name -> null);
    assertThrows(NullPointerException.class, () -> wrong.loggers.apply("rustbridge"));
  }

  @Test
  void levels_are_those_that_mean_the_same() {
    log.setLoggerLevel(Level.ALL);
    Logging logging = new Logging(null, Loggers::of, null);
    for (LogLevel level : LogLevel.values()) {
      if (level != LogLevel.OFF) {
        log(logging, level, "t", level.name());
      }
    }
    assertEquals(
        List.of(Level.SEVERE, Level.WARNING, Level.INFO, Level.FINE, Level.FINER),
        log.records().stream().map(java.util.logging.LogRecord::getLevel).toList());
  }

  @Test
  void fields_are_appended() {
    Logging logging = new Logging(null, Loggers::of, null);
    log(logging, LogLevel.INFO, "t", "done", "{\"user\":42,\"name\":\"Ada\",\"tags\":[1,null]}");
    log(logging, LogLevel.INFO, "t", "", "{\"a\":true}");
    log(logging, LogLevel.INFO, "t", "none", "{}");
    log(logging, LogLevel.INFO, "t", "broken", "{");
    log(logging, LogLevel.INFO, "t", "not {0} a 'format'", "");
    logging.log(3, LogSink.SPAN, 0, 0, 1_500_000, "t", "span", "{\"a\":1}", "", "", "", NAME);
    logging.log(3, LogSink.SPAN, 0, 0, 2_000_000_000, "t", "span", "", "", "", "", NAME);
    assertEquals(
        List.of(
            "done {user=42, name=Ada, tags=[1, null]}",
            "{a=true}",
            "none",
            "broken {fields={}",
            "not {0} a 'format'",
            "span {a=1, duration=PT0.0015S}",
            "span {duration=PT2S}"),
        log.messages());
  }

  @Test
  void one_logger_can_take_all() {
    Memory memory = new Memory(System.Logger.Level.INFO);
    Logging logging = new Logging(memory, Loggers::of, null);
    log(logging, LogLevel.INFO, "a", "one", "{\"k\":1}");
    log(logging, LogLevel.DEBUG, "b", "not wanted");
    log(logging, LogLevel.INFO, "b", "two");
    assertEquals(List.of("INFO one {k=1}", "INFO two"), memory.lines);
    assertTrue(log.records().isEmpty());
  }

  @Test
  void a_listener_gets_the_parsed_record() {
    List<LogRecord> records = new ArrayList<>();
    Logging logging = new Logging(null, Loggers::of, records::add);
    logging.log(
        2,
        LogSink.SPAN,
        17,
        1_700_000_000_123_456_789L,
        1500,
        "a::b",
        "m",
        "{\"k\":[1]}",
        "[{\"name\":\"outer\",\"fields\":{\"x\":1}},{\"name\":\"inner\"}]",
        "src/lib.rs",
        "worker",
        NAME);
    assertEquals(
        List.of(
            new LogRecord(
                LogLevel.WARN,
                true,
                NAME,
                "a::b",
                "m",
                Map.of("k", List.of(1L)),
                List.of(
                    new LogRecord.Span("outer", Map.of("x", 1L)),
                    new LogRecord.Span("inner", Map.of())),
                Instant.ofEpochSecond(1_700_000_000, 123_456_789),
                Duration.ofNanos(1500),
                "src/lib.rs",
                17,
                "worker")),
        records);
  }

  @Test
  void what_a_logger_throws_ends_here() {
    List<LogRecord> records = new ArrayList<>();
    Logging logging =
        new Logging(
            null,
            Loggers::of,
            entry -> {
              if (entry.message().equals("bad")) {
                throw new StackOverflowError("as this test wants");
              }
              records.add(entry);
            });
    log(logging, LogLevel.INFO, "t", "bad");
    log(logging, LogLevel.INFO, "t", "fine");
    log(logging, LogLevel.INFO, "t", "bad");
    log(logging, LogLevel.INFO, "t", "good");
    assertEquals(List.of("fine", "good"), records.stream().map(LogRecord::message).toList());
    assertEquals(
        Collections.nCopies(2, "a logger failed, and a record of instance `users` is lost"),
        log.messages());
    assertTrue(log.records().get(0).getThrown() instanceof StackOverflowError);
  }

  @Test
  void the_level_is_what_the_logger_lets_through() {
    log.setLoggerLevel(Level.WARNING);
    Logging byDefault = new Logging(null, Loggers::of, null);
    assertEquals(LogLevel.WARN, byDefault.effectiveLevel(null));
    assertEquals(LogLevel.WARN, byDefault.effectiveLevel("some"));
    log.setLoggerLevel(Level.ALL);
    assertEquals(LogLevel.TRACE, byDefault.effectiveLevel("some"));
    log.setLoggerLevel(Level.OFF);
    assertEquals(LogLevel.OFF, byDefault.effectiveLevel("some"));
    java.util.logging.Logger own = java.util.logging.Logger.getLogger("rustbridge.own");
    own.setLevel(Level.FINE);
    assertEquals(LogLevel.DEBUG, byDefault.effectiveLevel("own"));
    own.setLevel(null);

    assertEquals(
        LogLevel.ERROR,
        new Logging(new Memory(System.Logger.Level.ERROR), Loggers::of, null)
            .effectiveLevel("some"));
    assertEquals(LogLevel.INFO, new Logging(null, Loggers::of, entry -> {}).effectiveLevel("some"));
  }

  @Test
  void a_plugin_that_makes_up_targets_does_not_fill_the_memory() {
    log.setLoggerLevel(Level.SEVERE);
    Logging logging = new Logging(null, Loggers::of, null);
    for (int i = 0; i < 5000; i++) {
      log(logging, LogLevel.INFO, "target" + i, "m");
    }
    assertTrue(logging.kept() <= 1024, () -> logging.kept() + " loggers are kept");
  }
}
