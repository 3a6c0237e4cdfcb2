package io.github.rustbridge;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A record of a plugin's log.
 *
 * @param level the record's level
 * @param span whether the record reports the end of a span instead of an event
 * @param instance the name of the instance
 * @param target the part of the plugin that logs, e.g. {@code hello_plugin::hello}
 * @param message the text of the record
 * @param fields the structured fields, as JSON values
 * @param spans the spans that contain the event, outermost first
 * @param time when the event occurred; for a span, its end
 * @param duration how long the span was open; zero for events
 * @param file the source file, or empty
 * @param line the line in the source file, or 0
 * @param thread the name of the thread that logged the record, or empty
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
   * A span that contains a record.
   *
   * @param name the span's name
   * @param fields the span's fields, as JSON values
   */
  public record Span(String name, Map<String, Object> fields) {}
}
