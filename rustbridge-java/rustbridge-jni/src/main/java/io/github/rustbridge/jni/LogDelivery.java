package io.github.rustbridge.jni;

import io.github.rustbridge.interop.LogSink;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Takes log records from the native library, on its thread, and passes them on. The library holds a
 * reference to this until the sink is replaced or its instance closed.
 */
final class LogDelivery {
  /**
   * Whether somebody was told of a sink that throws. Once for the process is enough: it would be
   * told for each record.
   */
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private final LogSink sink;

  LogDelivery(LogSink sink) {
    this.sink = sink;
  }

  /**
   * Takes one record; called by the native library, with the texts in UTF-8 one behind the other.
   * Throws nothing.
   *
   * @param texts target, message, fields, spans, file, thread, instance
   * @param targetEnd where the first ends and the second begins, and so on
   */
  void deliver(
      int level,
      int kind,
      int line,
      long timeUnixNanos,
      long durationNanos,
      byte[] texts,
      int targetEnd,
      int messageEnd,
      int fieldsEnd,
      int spansEnd,
      int fileEnd,
      int threadEnd) {
    try {
      sink.log(
          level,
          kind,
          line,
          timeUnixNanos,
          durationNanos,
          text(texts, 0, targetEnd),
          text(texts, targetEnd, messageEnd),
          text(texts, messageEnd, fieldsEnd),
          text(texts, fieldsEnd, spansEnd),
          text(texts, spansEnd, fileEnd),
          text(texts, fileEnd, threadEnd),
          text(texts, threadEnd, texts.length));
    } catch (Throwable thrown) {
      tell(thrown);
    }
  }

  private static String text(byte[] texts, int start, int end) {
    return start == end ? "" : new String(texts, start, end - start, StandardCharsets.UTF_8);
  }

  private static void tell(Throwable thrown) {
    try {
      if (TOLD.compareAndSet(false, true)) {
        System.err.println(
            "rustbridge: a log sink threw an exception; only the first one is reported");
        thrown.printStackTrace();
      }
    } catch (Throwable again) {
      // There's nobody left to tell.
    }
  }
}
