package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.rustbridge.LogSink;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Receives log records from the native library, on its log threads. */
final class LogUpcalls extends Upcalls<LogSink> {
  // Static because a function pointer is: numbers tell the sinks of all instances apart.
  private static final LogUpcalls SINKS = new LogUpcalls();

  // rb_log_record
  private static final long LEVEL = 4;
  private static final long KIND = 8;
  private static final long LINE = 12;
  private static final long TIME = 16;
  private static final long DURATION = 24;
  private static final long TARGET = 32;
  private static final long MESSAGE = 48;
  private static final long FIELDS = 64;
  private static final long SPANS = 80;
  private static final long FILE = 96;
  private static final long THREAD = 112;
  private static final long INSTANCE = 128;

  /** The size of an {@code rb_log_sink}. */
  static final long SIZE = 32;

  private static final long SINK_LOG = 8;
  private static final long SINK_USER_DATA = 16;
  private static final long SINK_DROP = 24;

  private LogUpcalls() {
    super("a log sink");
  }

  /**
   * Writes an {@code rb_log_sink} for a sink. The native library says when it isn't used any more.
   */
  static void write(MemorySegment to, LogSink sink) {
    to.set(JAVA_INT, 0, (int) SIZE);
    to.set(JAVA_LONG, SINK_LOG, SINKS.callAddress());
    to.set(JAVA_LONG, SINK_USER_DATA, SINKS.lend(sink));
    to.set(JAVA_LONG, SINK_DROP, SINKS.dropAddress());
  }

  /** How many sinks the native library holds. */
  static int held() {
    return SINKS.count();
  }

  @Override
  void call(LogSink sink, long entry) {
    sink.log(
        Native.getInt(entry + LEVEL),
        Native.getInt(entry + KIND),
        Native.getInt(entry + LINE),
        Native.getLong(entry + TIME),
        Native.getLong(entry + DURATION),
        text(entry + TARGET),
        text(entry + MESSAGE),
        text(entry + FIELDS),
        text(entry + SPANS),
        text(entry + FILE),
        text(entry + THREAD),
        text(entry + INSTANCE));
  }

  /** An {@code rb_text}: what isn't UTF-8 is replaced, since a log is better damaged than lost. */
  private static String text(long at) {
    long length = Native.getLong(at + 8);
    return length == 0
        ? ""
        : new String(Response.bytes(Native.getLong(at), length), StandardCharsets.UTF_8);
  }
}
