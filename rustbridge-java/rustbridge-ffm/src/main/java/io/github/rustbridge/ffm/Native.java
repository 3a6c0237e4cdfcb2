package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.github.rustbridge.interop.MethodEntry;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/**
 * The native functions, but those of {@link OperationNatives}, and memory by address. Nothing else
 * in this module reads or writes by address.
 *
 * <p>The handles are {@code static final}, so the JIT compiles a call of one into the machine's
 * call. Pointers to memory of our own are longs: nothing has to be kept alive or checked. Where
 * memory of the user's goes in, they are segments: the linker keeps a segment's arena open during
 * the call, and refuses one that is closed or another thread's.
 *
 * <p>Invariants: addresses come from {@link Scratch}, {@link #allocate}, or the native library,
 * lengths are those of what lies there. Handles and entries need no trust, since the library checks
 * them.
 */
final class Native {
  /** All memory. Reads and writes go to an offset, which is an address. */
  static final MemorySegment MEMORY = memory();

  /** {@code rb_text} by value. */
  private static final StructLayout TEXT = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);

  private static final Linker.Option CRITICAL = Linker.Option.critical(true);

  private Native() {}

  // Classes of their own for what is needed together: binding a signature takes milliseconds, and a
  // program's first call shouldn't pay for what it doesn't use. To compiled code they are constants
  // all the same.

  private static final class Ordinary {
    static final MethodHandle CALL_INTO =
        bind(
            "rb_call_into",
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG);
  }

  private static final class Segments {
    static final MethodHandle CALL_INTO_SEGMENTS =
        bind(
            "rb_call_into", JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
  }

  private static final class Leaf {
    static final MethodHandle CALL_INTO_LEAF =
        bindCritical(
            "rb_call_into", JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
  }

  private static final class Handover {
    static final MethodHandle CALL =
        bind("rb_call", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  private static final class SegmentHandover {
    static final MethodHandle CALL_SEGMENT =
        bind("rb_call", JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  }

  private static final class LeafHandover {
    static final MethodHandle CALL_LEAF =
        bindCritical("rb_call", JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  }

  private static final class Release {
    // Not critical, though that would be faster: it runs the plugin's code, which may take its time
    // to free much memory.
    static final MethodHandle OUTCOME_RELEASE = bind("rb_call_result_release", null, JAVA_LONG);
    static final MethodHandle RESPONSE_RELEASE = bind("rb_response_release", null, JAVA_LONG);
  }

  private static final class LoadFunctions {
    static final MethodHandle LOAD = bind("rb_load", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle PREPARE =
        bind("rb_prepare", JAVA_INT, JAVA_LONG, TEXT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle NAME = bind("rb_name", JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle DESCRIBE = bind("rb_describe", JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle CLOSE = bind("rb_close", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  private static final class Rest {
    static final MethodHandle PREPARE_ID =
        bind("rb_prepare_id", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle PREPARE_TYPED =
        bind("rb_prepare_typed", JAVA_INT, JAVA_LONG, TEXT, TEXT, TEXT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle STATE = bind("rb_state", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle INSPECT = bind("rb_inspect", JAVA_INT, JAVA_LONG);
    static final MethodHandle VERSION = bind("rb_version", JAVA_LONG);
  }

  private static final class Logs {
    static final MethodHandle LOG_SET_LEVEL =
        bind("rb_log_set_level", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    static final MethodHandle LOG_SET_SINK =
        bind("rb_log_set_sink", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle LOG_FLUSH =
        bind("rb_log_flush", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  /** The C library's own, which doesn't fill memory with zeros as arenas do. */
  private static final class Heap {
    static final MethodHandle MALLOC =
        bind(
            Linker.nativeLinker().defaultLookup().find("malloc").orElseThrow(),
            JAVA_LONG,
            JAVA_LONG);
    static final MethodHandle FREE =
        bind(Linker.nativeLinker().defaultLookup().find("free").orElseThrow(), null, JAVA_LONG);
  }

  // Restricted: whoever has it can read and write anything. It doesn't leave this module.
  @SuppressWarnings("restricted")
  private static MemorySegment memory() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... arguments) {
    return bind(Library.bound().symbol(name), result, arguments);
  }

  private static MethodHandle bindCritical(
      String name, MemoryLayout result, MemoryLayout... arguments) {
    return bind(Library.bound().symbol(name), result, arguments, CRITICAL);
  }

  // Restricted: a signature that isn't the function's would crash the JVM. Those above are the
  // header's.
  @SuppressWarnings("restricted")
  private static MethodHandle bind(
      MemorySegment symbol,
      MemoryLayout result,
      MemoryLayout[] arguments,
      Linker.Option... options) {
    FunctionDescriptor type =
        result == null
            ? FunctionDescriptor.ofVoid(arguments)
            : FunctionDescriptor.of(result, arguments);
    return Linker.nativeLinker().downcallHandle(symbol, type, options);
  }

  private static MethodHandle bind(
      MemorySegment symbol, MemoryLayout result, MemoryLayout argument) {
    return bind(symbol, result, new MemoryLayout[] {argument});
  }

  /** {@code rb_call_into} with memory of our own. */
  static long callInto(
      long handle, int entry, long request, long length, long storage, long capacity) {
    try {
      return (long)
          Ordinary.CALL_INTO.invokeExact(handle, entry, request, length, storage, capacity);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  /** {@code rb_call_into} with native memory of the user's. */
  static long callInto(long handle, int entry, MemorySegment request, MemorySegment storage) {
    try {
      return (long)
          Segments.CALL_INTO_SEGMENTS.invokeExact(
              handle, entry, request, request.byteSize(), storage, storage.byteSize());
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  /**
   * {@code rb_call_into} with arrays or native memory of anybody's. The JVM can't stop for a
   * garbage collection until it returns, so it must not take long: the entry says {@link
   * MethodEntry#CALLED_AS_LEAF}, and the native library refuses what isn't one.
   */
  static long callIntoLeaf(
      long handle,
      int entry,
      MemorySegment request,
      long length,
      MemorySegment storage,
      long capacity) {
    try {
      return (long)
          Leaf.CALL_INTO_LEAF.invokeExact(handle, entry, request, length, storage, capacity);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  /** {@code rb_call} with a request of our own and an {@code rb_response}. */
  static int call(long handle, int entry, long request, long length, long response) {
    try {
      return (int) Handover.CALL.invokeExact(handle, entry, request, length, response);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  /** {@code rb_call} with a request in native memory of the user's, and an {@code rb_response}. */
  static int call(long handle, int entry, MemorySegment request, long response) {
    try {
      return (int)
          SegmentHandover.CALL_SEGMENT.invokeExact(
              handle, entry, request, request.byteSize(), response);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  /** {@code rb_call} with an {@code rb_response}; see {@link #callIntoLeaf}. */
  static int callLeaf(long handle, int entry, MemorySegment request, long response) {
    try {
      return (int)
          LeafHandover.CALL_LEAF.invokeExact(handle, entry, request, request.byteSize(), response);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  static void releaseOutcome(long outcome) {
    try {
      Release.OUTCOME_RELEASE.invokeExact(outcome);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  static void releaseResponse(long response) {
    try {
      Release.RESPONSE_RELEASE.invokeExact(response);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  static int load(long options, long instance, long error) {
    try {
      return (int) LoadFunctions.LOAD.invokeExact(options, instance, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  static int name(long handle, long response) {
    try {
      return (int) LoadFunctions.NAME.invokeExact(handle, response);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  static int describe(long handle, long response) {
    try {
      return (int) LoadFunctions.DESCRIBE.invokeExact(handle, response);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  static int prepare(long handle, MemorySegment name, int encoding, long method, long error) {
    try {
      return (int) LoadFunctions.PREPARE.invokeExact(handle, name, encoding, method, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  static int prepareId(long handle, int id, int encoding, long method, long error) {
    try {
      return (int) Rest.PREPARE_ID.invokeExact(handle, id, encoding, method, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  static int prepareTyped(
      long handle,
      MemorySegment name,
      MemorySegment fingerprint,
      MemorySegment clientSchema,
      long method,
      long error) {
    try {
      return (int)
          Rest.PREPARE_TYPED.invokeExact(handle, name, fingerprint, clientSchema, method, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  static int state(long handle, long state, long error) {
    try {
      return (int) Rest.STATE.invokeExact(handle, state, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  static int close(long handle, long timeoutMillis, long report) {
    try {
      return (int) LoadFunctions.CLOSE.invokeExact(handle, timeoutMillis, report);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  static int setLogLevel(long handle, int level, long error) {
    try {
      return (int) Logs.LOG_SET_LEVEL.invokeExact(handle, level, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  static int setLogSink(long handle, long sink, long timeoutMillis, long error) {
    try {
      return (int) Logs.LOG_SET_SINK.invokeExact(handle, sink, timeoutMillis, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  static int flushLogs(long handle, long timeoutMillis, long error) {
    try {
      return (int) Logs.LOG_FLUSH.invokeExact(handle, timeoutMillis, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  static int inspect(long response) {
    try {
      return (int) Rest.INSPECT.invokeExact(response);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  /** {@code rb_version}: a NUL-terminated text, valid for good. */
  static String version() {
    try {
      return MEMORY.getString((long) Rest.VERSION.invokeExact());
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  /**
   * Allocates memory that holds anything, to be freed by {@link #free}.
   *
   * @throws OutOfMemoryError if there is none
   */
  static long allocate(long size) {
    long address;
    try {
      address = (long) Heap.MALLOC.invokeExact(Math.max(size, 1));
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
    if (address == 0) {
      throw new OutOfMemoryError(
          "can't allocate " + size + " bytes of native memory for a request");
    }
    return address;
  }

  static void free(long address) {
    try {
      Heap.FREE.invokeExact(address);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  /** Copies from an array to an address. */
  static void write(byte[] from, int length, long address) {
    MemorySegment.copy(from, 0, MEMORY, JAVA_BYTE, address, length);
  }

  /** Copies from an address to an array. */
  static void read(long address, byte[] to, int length) {
    MemorySegment.copy(MEMORY, JAVA_BYTE, address, to, 0, length);
  }

  /** Copies from an address to a new array. */
  static byte[] read(long address, int length) {
    byte[] bytes = new byte[length];
    read(address, bytes, length);
    return bytes;
  }

  // The native library's structs are aligned, but the bytes of a response may not be; it makes no
  // difference to the machine.

  static byte getByte(long address) {
    return MEMORY.get(JAVA_BYTE, address);
  }

  static long getLong(long address) {
    return MEMORY.get(JAVA_LONG_UNALIGNED, address);
  }

  static int getInt(long address) {
    return MEMORY.get(JAVA_INT_UNALIGNED, address);
  }

  static void putLong(long address, long value) {
    MEMORY.set(JAVA_LONG_UNALIGNED, address, value);
  }
}
