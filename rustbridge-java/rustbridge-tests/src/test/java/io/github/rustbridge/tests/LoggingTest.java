package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.LogRecord;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.Status;
import java.lang.System.Logger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.SimpleFormatter;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records of a plugin on their way to loggers and listeners: whole, in order, each instance its
 * own.
 */
class LoggingTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private static void emit(Plugin plugin, String level, String message, int count) {
    plugin.call(
        "log.emit",
        "{\"level\":\"" + level + "\",\"message\":\"" + message + "\",\"count\":" + count + "}");
  }

  private static void emit(Plugin plugin, String level, String message) {
    emit(plugin, level, message, 1);
  }

  private static Plugin conformance(PluginConfig config) {
    return Plugins.load("conformance-plugin", config);
  }

  private static PluginConfig config() {
    return Plugins.labelled("logs");
  }

  @Test
  void the_default_format_of_java_util_logging_shows_instance_and_target() {
    try (JulRecorder recorder = new JulRecorder("rustbridge.mine", Level.INFO);
        Plugin plugin = conformance(config().named("mine"))) {
      emit(plugin, "WARN", "shown");
      plugin.flushLogs(LONG);
      String shown = new SimpleFormatter().format(recorder.records().get(0));
      assertTrue(shown.contains(" rustbridge.mine.conformance"), shown);
      assertFalse(shown.contains("io.github.rustbridge"), shown);
    }
  }

  @Test
  void records_go_to_the_system_logger_of_instance_and_target() {
    try (JulRecorder recorder = new JulRecorder("rustbridge.mine", Level.INFO);
        Plugin plugin = conformance(config().named("mine"))) {
      assertEquals(LogLevel.INFO, plugin.logLevel());
      emit(plugin, "WARN", "groß %s {} {0} 🦀");
      emit(plugin, "DEBUG", "not this");
      plugin.flushLogs(LONG);
      assertEquals(List.of("groß %s {} {0} 🦀 {flag=true, n=0, text=größer 🦀}"), recorder.texts());
      assertEquals("rustbridge.mine.conformance.cases", recorder.records().get(0).getLoggerName());
      assertEquals(Level.WARNING, recorder.records().get(0).getLevel());
    }
  }

  @Test
  void without_a_name_the_loggers_have_the_plugins_own() {
    try (JulRecorder recorder = new JulRecorder("rustbridge.conformance", Level.ALL);
        Plugin plugin = conformance(config().logLevel(LogLevel.TRACE))) {
      emit(plugin, "TRACE", "finest");
      plugin.flushLogs(LONG);
      assertEquals(
          List.of("rustbridge.conformance.conformance.cases"),
          recorder.records().stream()
              .filter(record -> record.getMessage().startsWith("finest"))
              .map(java.util.logging.LogRecord::getLoggerName)
              .toList());
    }
  }

  @ParameterizedTest
  @CsvSource({"ERROR, ERROR", "WARN, WARNING", "INFO, INFO", "DEBUG, DEBUG", "TRACE, TRACE"})
  void every_level_arrives_as_the_one_that_means_the_same(LogLevel level, Logger.Level expected) {
    Recorder recorder = new Recorder();
    try (Plugin plugin = conformance(config().logger(recorder).logLevel(LogLevel.TRACE))) {
      emit(plugin, level.name(), "message");
      plugin.flushLogs(LONG);
    }
    List<Recorder.Entry> found =
        recorder.entries().stream().filter(entry -> entry.text().startsWith("message")).toList();
    assertEquals(1, found.size());
    assertEquals(expected, found.get(0).level());
    assertEquals(expected, level.toSystemLevel());
  }

  @Test
  void a_level_that_is_off_is_not_made_at_all() {
    for (LogLevel level : LogLevel.values()) {
      try (Plugin plugin = conformance(config().logger(new Recorder()).logLevel(level))) {
        int number = level.number();
        assertEquals(
            "{\"ERROR\":"
                + (number >= 1)
                + ",\"WARN\":"
                + (number >= 2)
                + ",\"INFO\":"
                + (number >= 3)
                + ",\"DEBUG\":"
                + (number >= 4)
                + ",\"TRACE\":"
                + (number >= 5)
                + "}",
            plugin.call("log.enabled", "null"));
        assertEquals(level, plugin.logLevel());
      }
    }
  }

  @Test
  void the_level_is_by_default_what_the_logger_lets_through() {
    Recorder warnings =
        new Recorder() {
          @Override
          public boolean isLoggable(Logger.Level level) {
            return level.getSeverity() >= Logger.Level.WARNING.getSeverity();
          }
        };
    try (Plugin plugin = conformance(config().logger(warnings))) {
      assertEquals(LogLevel.WARN, plugin.logLevel());
      assertTrue(plugin.call("log.enabled", "null").contains("\"WARN\":true,\"INFO\":false"));
    }
    try (Plugin plugin = conformance(config().logger(new Recorder()))) {
      assertEquals(LogLevel.TRACE, plugin.logLevel());
    }
    try (Plugin plugin = conformance(config().logListener(record -> {}))) {
      assertEquals(LogLevel.INFO, plugin.logLevel());
    }
  }

  @Test
  void the_level_changes_while_it_runs() {
    Recorder recorder = new Recorder();
    try (Plugin plugin = conformance(config().logger(recorder).logLevel(LogLevel.OFF))) {
      emit(plugin, "ERROR", "never");
      plugin.setLogLevel(LogLevel.TRACE);
      assertEquals(LogLevel.TRACE, plugin.logLevel());
      emit(plugin, "TRACE", "finest");
      plugin.setLogLevel(LogLevel.ERROR);
      emit(plugin, "WARN", "not this");
      emit(plugin, "ERROR", "this");
      plugin.flushLogs(LONG);
    }
    assertEquals(
        List.of("finest", "this"),
        recorder.texts().stream().map(text -> text.split(" ")[0]).toList());
  }

  @Test
  void a_listener_gets_fields_and_spans_as_values() {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    Instant before = Instant.now().minusSeconds(5);
    try (Plugin plugin = conformance(config().named("heard").logListener(records::add))) {
      emit(plugin, "INFO", "hello 🦀", 2);
      plugin.call("log.spans", "{\"outer\":\"größer 🦀\",\"inner\":7}");
      plugin.flushLogs(LONG);
    }
    LogRecord second = records.get(1);
    assertEquals(LogLevel.INFO, second.level());
    assertFalse(second.span());
    assertEquals("heard", second.instance());
    assertEquals("conformance::cases", second.target());
    assertEquals("hello 🦀", second.message());
    assertEquals(Map.of("n", 1L, "flag", false, "text", "größer 🦀"), second.fields());
    assertEquals(List.of(), second.spans());
    assertEquals(Duration.ZERO, second.duration());
    assertTrue(second.file().endsWith(".rs"), second.file());
    assertTrue(second.line() > 0);
    assertTrue(second.time().isAfter(before) && second.time().isBefore(before.plusSeconds(600)));
    LogRecord innermost =
        records.stream().filter(record -> record.message().equals("innermost")).findFirst().get();
    assertEquals(
        List.of(
            new LogRecord.Span("outer", Map.of("name", "größer 🦀")),
            new LogRecord.Span("inner", Map.of("number", 7L))),
        innermost.spans());
    List<LogRecord> ends = records.stream().filter(LogRecord::span).toList();
    for (LogRecord end : ends) {
      assertFalse(end.duration().isNegative());
    }
  }

  @Test
  void a_record_tells_the_thread_it_happened_on() throws InterruptedException {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    try (Plugin plugin =
        Plugins.load("fault-plugin", PluginConfig.defaults().logListener(records::add))) {
      plugin.call("log.everywhere", "null");
      plugin.flushLogs(LONG);
    }
    assertEquals(
        List.of("in a call", "in a thread", "in a task", "after an await"),
        records.stream().map(LogRecord::message).toList());
    for (LogRecord record : records) {
      assertFalse(record.thread().equals(Thread.currentThread().getName() + "!"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "🦀 größer 日本語 \uffff",
        "a\\u0000b\\n\\t\\u001b[31m",
        "\\ud83e\\udd80 escaped",
        "%s %n {} {0} ${x}",
        ""
      })
  void a_message_of_any_characters_arrives_as_it_was(String json) {
    String message =
        json.replace("\\u0000", "\0")
            .replace("\\n", "\n")
            .replace("\\t", "\t")
            .replace("\\u001b", "\u001b")
            .replace("\\ud83e\\udd80", "🦀");
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    try (Plugin plugin = conformance(config().logListener(records::add))) {
      emit(plugin, "INFO", json);
      plugin.flushLogs(LONG);
    }
    assertEquals(List.of(message), records.stream().map(LogRecord::message).toList());
  }

  @Test
  void a_long_message_arrives_whole() {
    String message = "größer 🦀".repeat(20_000);
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    try (Plugin plugin = conformance(config().logListener(records::add))) {
      emit(plugin, "INFO", message);
      plugin.flushLogs(LONG);
    }
    assertEquals(message, records.get(0).message());
  }

  @Test
  void records_arrive_in_order() {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    try (Plugin plugin = conformance(config().logListener(records::add))) {
      for (int round = 0; round < 10; round++) {
        emit(plugin, "INFO", "r" + round, 100);
      }
      plugin.flushLogs(LONG);
      assertEquals(
          IntStream.range(0, 1_000).mapToObj(n -> "r" + n / 100 + " " + n % 100).toList(),
          records.stream()
              .map(record -> record.message() + " " + record.fields().get("n"))
              .toList());
    }
  }

  @Test
  void instances_log_apart() {
    Recorder one = new Recorder();
    Recorder two = new Recorder();
    try (Plugin a = conformance(config().logger(one).logLevel(LogLevel.INFO));
        Plugin b = conformance(config().logger(two).logLevel(LogLevel.ERROR))) {
      for (int number = 0; number < 20; number++) {
        emit(a, "INFO", "a" + number);
        emit(b, "INFO", "b" + number);
        emit(b, "ERROR", "b" + number + "!");
      }
      a.flushLogs(LONG);
      b.flushLogs(LONG);
    }
    assertEquals(
        IntStream.range(0, 20).mapToObj(n -> "a" + n).toList(),
        one.texts().stream().map(text -> text.split(" ")[0]).toList());
    assertEquals(
        IntStream.range(0, 20).mapToObj(n -> "b" + n + "!").toList(),
        two.texts().stream().map(text -> text.split(" ")[0]).toList());
  }

  @Test
  void another_logger_takes_over_at_once() {
    Recorder first = new Recorder();
    Recorder second = new Recorder();
    List<LogRecord> heard = new CopyOnWriteArrayList<>();
    try (JulRecorder standard = new JulRecorder("rustbridge.taken", Level.INFO);
        Plugin plugin =
            conformance(config().named("taken").logger(first).logLevel(LogLevel.INFO))) {
      emit(plugin, "INFO", "1");
      plugin.flushLogs(LONG);
      plugin.setLogger(second);
      emit(plugin, "INFO", "2");
      plugin.flushLogs(LONG);
      plugin.setLogListener(heard::add);
      emit(plugin, "INFO", "3");
      plugin.flushLogs(LONG);
      plugin.setLogger(null);
      emit(plugin, "INFO", "4");
      plugin.flushLogs(LONG);
      assertEquals(1, first.texts().size());
      assertEquals(1, second.texts().size());
      assertTrue(second.texts().get(0).startsWith("2 "));
      assertEquals(List.of("3"), heard.stream().map(LogRecord::message).toList());
      assertEquals(1, standard.texts().size());
      assertTrue(standard.texts().get(0).startsWith("4 "));
    }
  }

  @Test
  void records_of_create_and_destroy_have_the_plugins_name() {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    Plugin plugin =
        Plugins.load("fault-plugin", PluginConfig.json("{\"log\":true}").logListener(records::add));
    plugin.flushLogs(LONG);
    assertEquals(List.of("in create"), records.stream().map(LogRecord::message).toList());
    plugin.close();
    assertEquals(
        List.of("in create", "in destroy"), records.stream().map(LogRecord::message).toList());
    for (LogRecord record : records) {
      assertEquals("fault", record.instance());
    }
  }

  @Test
  void a_failed_create_is_logged_too() {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    fails(
        Status.INTERNAL,
        () ->
            Plugins.load(
                "fault-plugin",
                PluginConfig.json("{\"create\":\"panic\",\"log\":true}")
                    .logListener(records::add)));
    assertTrue(
        records.stream()
            .anyMatch(record ->
                record.message().equals("in create") && record.instance().equals("fault")));
    assertTrue(records.stream().anyMatch(record -> record.level() == LogLevel.ERROR));
  }

  @Test
  void close_delivers_what_was_logged() {
    Recorder recorder = new Recorder();
    Plugin plugin = conformance(config().logger(recorder).logLevel(LogLevel.INFO));
    emit(plugin, "INFO", "last words", 500);
    plugin.close();
    assertEquals(500, recorder.texts().size());
  }

  @Test
  void what_is_dropped_is_reported_and_everything_is_accounted_for() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    try (Plugin plugin =
        Plugins.load(
            "fault-plugin",
            PluginConfig.defaults()
                .logListener(record -> {
                  await(gate);
                  records.add(record);
                }))) {
      plugin.call("log.flood", "{\"n\":20000}");
      fails(Status.DEADLINE_EXCEEDED, () -> plugin.flushLogs(Duration.ofMillis(5)));
      gate.countDown();
      plugin.flushLogs(LONG);
      // The report stands where the dropped records would have stood: before the next one.
      plugin.call("log.flood", "{\"n\":1}");
      plugin.flushLogs(LONG);
    }
    List<Long> flood =
        records.stream()
            .filter(record -> record.message().equals("flood"))
            .map(record -> (Long) record.fields().get("n"))
            .toList();
    long dropped =
        records.stream()
            .filter(record -> record.target().equals("rustbridge"))
            .peek(record -> assertTrue(record.message().contains("dropped"), record.message()))
            .mapToLong(record -> (Long) record.fields().get("dropped"))
            .sum();
    assertTrue(dropped > 0);
    assertEquals(20_001, flood.size() + dropped);
    // The queue drops the newest, so there are gaps, but nothing comes twice or out of turn.
    assertEquals(0, flood.get(flood.size() - 1));
    List<Long> first = flood.subList(0, flood.size() - 1);
    assertEquals(first.stream().sorted().distinct().toList(), first);
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
