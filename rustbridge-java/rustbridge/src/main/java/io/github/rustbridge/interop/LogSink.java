package io.github.rustbridge.interop;

/**
 * Receives the log records of one instance, one at a time, on one of the core's threads.
 *
 * <p>A backend catches everything that {@link #log} throws: no exception may reach native frames.
 *
 * <p>For backends only; it may change with every version.
 */
public interface LogSink {
  /** The value of {@code kind} for an event. */
  int EVENT = 0;

  /** The value of {@code kind} for the end of a span. */
  int SPAN = 1;

  /**
   * Receives one record. Texts are decoded from UTF-8, with invalid bytes replaced, and are
   * otherwise unchanged.
   *
   * @param level {@code RB_LOG_ERROR} or another level
   * @param kind {@link #EVENT} or {@link #SPAN}
   * @param line line in {@code file}, or 0
   * @param timeUnixNanos when the event occurred, in nanoseconds since 1970
   * @param durationNanos how long the span was open; 0 for events
   * @param target the part of the plugin that logs
   * @param message the text of the record
   * @param fields a JSON object, or empty
   * @param spans a JSON array, or empty
   * @param file the source file, or empty
   * @param thread the thread's name, or empty
   * @param instance the name of the instance
   */
  void log(
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
      String instance);
}
