package io.github.rustbridge;

import io.github.rustbridge.internal.Json;
import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.interop.LogSink;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Receives the records of one instance, on one of the core's log threads, and passes them to a
 * logger or a listener.
 *
 * <p>An exception of the logger is caught here; only the record is lost. A logger that blocks
 * delays the records of its instance, but no call. The core drops records that exceed its capacity,
 * and reports their number.
 */
final class Logging implements LogSink {
  /** A plugin can make up targets, so the loggers that are kept have to have an end. */
  private static final int LOGGERS = 1024;

  private final System.Logger given;
  private final Function<String, System.Logger> factory;
  private final Consumer<LogRecord> listener;
  private volatile String instance = "";
  private volatile boolean wanted = true;
  private final Map<String, System.Logger> loggers = new ConcurrentHashMap<>();

  /**
   * Creates a sink.
   *
   * @param given takes all records, or null
   * @param factory returns loggers by name, for records that {@code given} and {@code listener}
   *     don't take
   * @param listener takes all records instead, or null
   */
  Logging(
      System.Logger given, Function<String, System.Logger> factory, Consumer<LogRecord> listener) {
    this.given = given;
    this.factory = factory;
    this.listener = listener;
  }

  /**
   * Gives the most verbose level that is let through at the moment.
   *
   * @param instance the name of the instance, or null if it isn't known
   * @return {@link LogLevel#INFO} for a listener
   */
  LogLevel effectiveLevel(String instance) {
    if (listener != null) {
      return LogLevel.INFO;
    }
    System.Logger logger = given;
    if (logger == null) {
      logger = factory.apply(instance == null ? "rustbridge" : "rustbridge." + instance);
    }
    LogLevel[] levels = LogLevel.values();
    for (int i = levels.length - 1; i > 0; i--) {
      if (logger.isLoggable(levels[i].toSystemLevel())) {
        return levels[i];
      }
    }
    return LogLevel.OFF;
  }

  @Override
  public void log(
      int level,
      int kind,
      int line,
      long timeUnixNanos,
      long durationNanos,
      String target,
      String message,
      String fields,
      String spans,
      String file,
      String thread,
      String instance) {
    try {
      boolean span = kind == SPAN;
      LogLevel known = LogLevel.of(level);
      if (listener == null) {
        System.Logger logger = given != null ? given : loggerFor(instance, target);
        if (logger.isLoggable(known.toSystemLevel())) {
          logger.log(known.toSystemLevel(), text(message, fields, span, durationNanos));
        }
        return;
      }
      heard(
          new LogRecord(
              known,
              span,
              instance,
              target,
              message,
              fields(fields),
              spans(spans),
              Instant.ofEpochSecond(0, timeUnixNanos),
              Duration.ofNanos(durationNanos),
              file,
              line,
              thread));
    } catch (Throwable thrown) {
      warn("a logger failed, and a record of instance `" + instance + "` is lost", thrown);
    }
  }

  /** The binding's own come on other threads than the core's. */
  private synchronized void heard(LogRecord record) {
    listener.accept(record);
  }

  /** Says whose records they are, and whether any are wanted, for those of the binding's own. */
  void begin(String name, LogLevel level) {
    instance = name;
    wanted = level != LogLevel.OFF;
  }

  /** Tells of what a service of the application has thrown, unless that has a status. */
  void failed(String service, Throwable thrown) {
    try {
      if (!wanted || PluginFailures.hasStatus(thrown)) {
        return;
      }
      Throwable cause = PluginFailures.cause(thrown);
      String message = "the service `" + service + "` failed";
      if (listener == null) {
        System.Logger logger = given != null ? given : loggerFor(instance, "rustbridge");
        logger.log(System.Logger.Level.ERROR, message, cause);
        return;
      }
      StringWriter stack = new StringWriter();
      cause.printStackTrace(new PrintWriter(stack));
      heard(
          new LogRecord(
              LogLevel.ERROR,
              false,
              instance,
              "rustbridge",
              message,
              Map.of("service", service, "exception", stack.toString()),
              List.of(),
              Instant.now(),
              Duration.ZERO,
              "",
              0,
              Thread.currentThread().getName()));
    } catch (Throwable again) {
      warn("a logger failed, and a failure of the service `" + service + "` is lost", again);
    }
  }

  private System.Logger loggerFor(String instance, String target) {
    System.Logger logger = loggers.get(target);
    if (logger == null) {
      String path = target.replace("::", ".");
      logger = factory.apply("rustbridge." + instance + (path.isEmpty() ? "" : "." + path));
      if (loggers.size() >= LOGGERS) {
        loggers.clear();
      }
      loggers.put(target, logger);
    }
    return logger;
  }

  /** {@code message {key=value, ...}}: loggers take a text only. */
  private static String text(String message, String json, boolean span, long durationNanos) {
    Map<String, Object> fields = fields(json);
    if (span) {
      fields = new LinkedHashMap<>(fields);
      fields.put("duration", Duration.ofNanos(durationNanos));
    }
    if (fields.isEmpty()) {
      return message;
    }
    return message.isEmpty() ? fields.toString() : message + ' ' + fields;
  }

  private static Map<String, Object> fields(String json) {
    if (json.isEmpty()) {
      return Map.of();
    }
    // What isn't an object is shown rather than lost.
    return Json.tryParse(json) instanceof Map<?, ?> fields
        ? Json.object(fields)
        : Map.of("fields", json);
  }

  private static List<LogRecord.Span> spans(String json) {
    if (json.isEmpty()) {
      return List.of();
    }
    List<LogRecord.Span> spans = new ArrayList<>();
    for (Object element : Json.array(Json.tryParse(json))) {
      Map<String, Object> span = Json.object(element);
      String spanName = span.get("name") instanceof String text ? text : "";
      spans.add(new LogRecord.Span(spanName, Json.object(span.get("fields"))));
    }
    return List.copyOf(spans);
  }

  int kept() {
    return loggers.size();
  }

  private static void warn(String message, Throwable thrown) {
    try {
      Loggers.of("rustbridge").log(System.Logger.Level.WARNING, message, thrown);
    } catch (Throwable loggingIsBroken) {
      // There is nobody left to tell.
    }
  }
}
