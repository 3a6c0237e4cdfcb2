package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.rustbridge.spi.LogSink;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes log records from the native library, on its threads. It's given a number for each sink, not
 * a pointer to an object: nothing it does can reach one that's gone.
 *
 * <p>Nothing may be thrown from here, for the JVM would end the process.
 */
final class LogUpcalls {
  // The state is static because a function pointer is: numbers tell the sinks of all instances
  // apart.

  private static final ConcurrentHashMap<Long, LogSink> SINKS = new ConcurrentHashMap<>();
  private static final AtomicLong NEXT = new AtomicLong();

  /**
   * Whether somebody was told of a sink that throws. It would be told for each record otherwise.
   */
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private static final MemorySegment LOG = stub("log", JAVA_LONG, JAVA_LONG);
  private static final MemorySegment DROP = stub("drop", JAVA_LONG);

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

  /** The size of an {@code rb_log_sink}. */
  static final long SIZE = 24;

  private LogUpcalls() {}

  /**
   * Writes an {@code rb_log_sink} for a sink. The native library says when it isn't used any more.
   */
  static void write(MemorySegment to, LogSink sink) {
    long id = NEXT.incrementAndGet();
    SINKS.put(id, sink);
    to.set(JAVA_LONG, 0, LOG.address());
    to.set(JAVA_LONG, 8, id);
    to.set(JAVA_LONG, 16, DROP.address());
  }

  /** How many sinks the native library holds. */
  static int count() {
    return SINKS.size();
  }

  // Restricted: a signature that isn't the header's would crash the JVM. These are.
  @SuppressWarnings("restricted")
  private static MemorySegment stub(String name, java.lang.foreign.MemoryLayout... arguments) {
    FunctionDescriptor type = FunctionDescriptor.ofVoid(arguments);
    MethodType signature = type.toMethodType();
    try {
      return Linker.nativeLinker()
          .upcallStub(
              MethodHandles.lookup().findStatic(LogUpcalls.class, name, signature),
              type,
              Arena.global());
    } catch (NoSuchMethodException | IllegalAccessException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** {@code rb_log_sink.log}. */
  @SuppressWarnings("UnusedMethod") // stub() finds it by its name.
  private static void log(long id, long entry) {
    try {
      LogSink sink = SINKS.get(id);
      if (sink != null) {
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
            text(entry + THREAD));
      }
    } catch (Throwable thrown) {
      tell(thrown);
    }
  }

  /** {@code rb_log_sink.drop}. */
  @SuppressWarnings("UnusedMethod") // As above.
  private static void drop(long id) {
    try {
      SINKS.remove(id);
    } catch (Throwable thrown) {
      tell(thrown);
    }
  }

  /** An {@code rb_text}: what isn't UTF-8 is replaced, since a log is better damaged than lost. */
  private static String text(long at) {
    long length = Native.getLong(at + 8);
    return length == 0
        ? ""
        : new String(Response.bytes(Native.getLong(at), length), StandardCharsets.UTF_8);
  }

  private static void tell(Throwable thrown) {
    try {
      if (TOLD.compareAndSet(false, true)) {
        System.err.println("rustbridge: a log sink has thrown; this isn't said again");
        thrown.printStackTrace();
      }
    } catch (Throwable again) {
      // There's nobody left to tell.
    }
  }
}
