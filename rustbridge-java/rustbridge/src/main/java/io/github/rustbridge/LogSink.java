package io.github.rustbridge;

/**
 * Takes the log records of one instance, one at a time, on a thread of the core's.
 *
 * <p>A backend catches whatever {@link #log} throws: nothing may be thrown into native frames.
 *
 * <p>For the backends: applications have no use for it, and it may change with every version.
 */
public interface LogSink {
  /** Value of {@code kind}: an event. */
  int EVENT = 0;

  /** Value of {@code kind}: the end of a span. */
  int SPAN = 1;

  /**
   * Takes one record. Texts are decoded from UTF-8, what's invalid replaced, and otherwise as the
   * core gives them.
   *
   * @param level the number of a {@link LogLevel}
   * @param kind {@link #EVENT} or {@link #SPAN}
   * @param line line in {@code file}, or 0
   * @param timeUnixNanos when it happened, in nanoseconds since 1970
   * @param durationNanos how long a span was open; 0 for events
   * @param target the part of the plugin that speaks
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
