package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.LogSink;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Receives log records from the native library, on its log threads. */
final class LogUpcalls extends Upcalls<LogSink> {
  // Static because a function pointer is: numbers tell the sinks of all instances apart.
  private static final LogUpcalls SINKS = new LogUpcalls();

  private LogUpcalls() {
    super("a log sink");
  }

  /**
   * Writes an {@code rb_log_sink} for a sink. The native library says when it isn't used any more.
   */
  static void write(MemorySegment to, LogSink sink) {
    to.set(JAVA_INT, 0, AbiLayout.SIZEOF_LOG_SINK);
    to.set(JAVA_LONG, AbiLayout.LOG_SINK_LOG, SINKS.callAddress());
    to.set(JAVA_LONG, AbiLayout.LOG_SINK_USER_DATA, SINKS.lend(sink));
    to.set(JAVA_LONG, AbiLayout.LOG_SINK_DROP, SINKS.dropAddress());
  }

  /** How many sinks the native library holds. */
  static int held() {
    return SINKS.count();
  }

  @Override
  void call(LogSink sink, long entry) {
    sink.log(
        Native.getInt(entry + AbiLayout.LOG_RECORD_LEVEL),
        Native.getInt(entry + AbiLayout.LOG_RECORD_KIND),
        Native.getInt(entry + AbiLayout.LOG_RECORD_LINE),
        Native.getLong(entry + AbiLayout.LOG_RECORD_TIME_UNIX_NS),
        Native.getLong(entry + AbiLayout.LOG_RECORD_DURATION_NS),
        text(entry + AbiLayout.LOG_RECORD_TARGET),
        text(entry + AbiLayout.LOG_RECORD_MESSAGE),
        text(entry + AbiLayout.LOG_RECORD_FIELDS),
        text(entry + AbiLayout.LOG_RECORD_SPANS),
        text(entry + AbiLayout.LOG_RECORD_FILE),
        text(entry + AbiLayout.LOG_RECORD_THREAD),
        text(entry + AbiLayout.LOG_RECORD_INSTANCE));
  }

  /** An {@code rb_text}: what isn't UTF-8 is replaced, since a log is better damaged than lost. */
  private static String text(long at) {
    long length = Native.getLong(at + 8);
    return length == 0
        ? ""
        : new String(Response.bytes(Native.getLong(at), length), StandardCharsets.UTF_8);
  }
}
