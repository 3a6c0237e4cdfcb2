package io.github.rustbridge;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One record of a plugin's log.
 *
 * @param level how urgent it is
 * @param span whether it tells of the end of a span instead of an event
 * @param instance the name of the instance
 * @param target the part of the plugin that speaks, e.g. {@code hello_plugin::hello}
 * @param message what it says
 * @param fields the structured fields, as values of JSON
 * @param spans the spans it happened in, outermost first
 * @param time when it happened; a span's is its end
 * @param duration how long a span was open; zero for events
 * @param file source file, or empty
 * @param line line in it, or 0
 * @param thread name of the thread it happened on, or empty
 */
public record LogRecord(
    LogLevel level,
    boolean span,
    String instance,
    String target,
    String message,
    Map<String, Object> fields,
    List<Span> spans,
    Instant time,
    Duration duration,
    String file,
    int line,
    String thread) {
  /**
   * A span around a record.
   *
   * @param name its name
   * @param fields its fields, as values of JSON
   */
  public record Span(String name, Map<String, Object> fields) {}
}
