package io.github.rustbridge.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * The same work by {@code java.lang.foreign}, written by hand for these very calls: handles are
 * constants, leaf functions take heap arrays, the others memory that is kept, and there is no arena
 * in a call.
 */
final class FfmFloor {
  static final MethodHandle EMPTY = ordinary("floor_empty");
  static final MethodHandle POD8 = leaf("floor_pod8");
  static final MethodHandle NESTED = ordinary("floor_nested");
  static final MethodHandle ADD16 = leaf("floor_add16");
  static final MethodHandle SMALL = leaf("floor_small");
  static final MethodHandle BIG = leaf("floor_big");
  static final MethodHandle SMALL_JSON = leaf("floor_small_json");
  static final MethodHandle ECHO_JSON = ordinary("floor_echo_json");
  static final MethodHandle RAW_ECHO = ordinary("floor_raw_echo");
  static final MethodHandle RAW_FAIL = ordinary("floor_raw_fail");

  private FfmFloor() {}

  /** Binds for segments on the heap or off it, without a transition of the thread's state. */
  private static MethodHandle leaf(String name) {
    FunctionDescriptor type =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);
    return Linker.nativeLinker().downcallHandle(symbol(name), type, Linker.Option.critical(true));
  }

  /** Binds for addresses. */
  private static MethodHandle ordinary(String name) {
    FunctionDescriptor type =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);
    return Linker.nativeLinker().downcallHandle(symbol(name), type);
  }

  private static MemorySegment symbol(String name) {
    return SymbolLookup.libraryLookup(Libraries.find("floor"), Arena.global())
        .find(name)
        .orElseThrow();
  }

  /** Memory that a thread keeps for its calls. */
  static final class Scratch {
    private final MemorySegment length = Arena.global().allocate(ValueLayout.JAVA_LONG);
    private MemorySegment request = Arena.global().allocate(4096, 16);
    private MemorySegment response = Arena.global().allocate(4096, 16);
    private byte[] text = new byte[4096];

    /** Makes room for large requests and responses, before anything is measured. */
    void reserve(long size) {
      request = Arena.global().allocate(size, 16);
      response = Arena.global().allocate(size, 16);
      text = new byte[Math.toIntExact(size)];
    }

    private int length() {
      return (int) length.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** Calls a leaf, into a new array. */
  static byte[] leaf(MethodHandle function, Scratch scratch, byte[] request, int size)
      throws Throwable {
    byte[] response = new byte[size];
    leaf(function, scratch, request, response);
    return response;
  }

  /** Calls a leaf, into an array. */
  static int leaf(MethodHandle function, Scratch scratch, byte[] request, byte[] response)
      throws Throwable {
    return leaf(function, scratch, MemorySegment.ofArray(request), MemorySegment.ofArray(response));
  }

  /** Calls a leaf, from segment to segment. */
  static int leaf(
      MethodHandle function, Scratch scratch, MemorySegment request, MemorySegment response)
      throws Throwable {
    int status =
        (int)
            function.invokeExact(
                0L,
                1,
                request,
                request.byteSize(),
                response,
                response.byteSize(),
                scratch.length.address());
    if (status != 0) {
      throw refused(status);
    }
    return scratch.length();
  }

  /** Calls a leaf with text in UTF-8. */
  static String leaf(MethodHandle function, Scratch scratch, String request) throws Throwable {
    int length = leaf(function, scratch, request.getBytes(StandardCharsets.UTF_8), scratch.text);
    return new String(scratch.text, 0, length, StandardCharsets.UTF_8);
  }

  /** Calls what may block or call back, into a new array. */
  static byte[] ordinary(MethodHandle function, Scratch scratch, byte[] request) throws Throwable {
    byte[] response = new byte[call(function, scratch, request)];
    MemorySegment.copy(scratch.response, ValueLayout.JAVA_BYTE, 0, response, 0, response.length);
    return response;
  }

  /** Calls what may block or call back, from segment to segment, both off the heap. */
  static int ordinary(
      MethodHandle function, Scratch scratch, MemorySegment request, MemorySegment response)
      throws Throwable {
    int status =
        (int)
            function.invokeExact(
                0L,
                1,
                request.address(),
                request.byteSize(),
                response.address(),
                response.byteSize(),
                scratch.length.address());
    if (status != 0) {
      throw refused(status);
    }
    return scratch.length();
  }

  /** Calls what may block or call back with text in UTF-8. */
  static String ordinary(MethodHandle function, Scratch scratch, String request) throws Throwable {
    int length = call(function, scratch, request.getBytes(StandardCharsets.UTF_8));
    MemorySegment.copy(scratch.response, ValueLayout.JAVA_BYTE, 0, scratch.text, 0, length);
    return new String(scratch.text, 0, length, StandardCharsets.UTF_8);
  }

  /** Calls what may fail, and throws what it says. */
  static byte[] failing(MethodHandle function, Scratch scratch, byte[] request) throws Throwable {
    MemorySegment.copy(request, 0, scratch.request, ValueLayout.JAVA_BYTE, 0, request.length);
    int status =
        (int)
            function.invokeExact(
                0L,
                1,
                scratch.request.address(),
                (long) request.length,
                scratch.response.address(),
                scratch.response.byteSize(),
                scratch.length.address());
    byte[] response = new byte[scratch.length()];
    MemorySegment.copy(scratch.response, ValueLayout.JAVA_BYTE, 0, response, 0, response.length);
    if (status != 0) {
      throw new IllegalStateException(new String(response, StandardCharsets.UTF_8));
    }
    return response;
  }

  private static int call(MethodHandle function, Scratch scratch, byte[] request) throws Throwable {
    MemorySegment.copy(request, 0, scratch.request, ValueLayout.JAVA_BYTE, 0, request.length);
    int status =
        (int)
            function.invokeExact(
                0L,
                1,
                scratch.request.address(),
                (long) request.length,
                scratch.response.address(),
                scratch.response.byteSize(),
                scratch.length.address());
    if (status != 0) {
      throw refused(status);
    }
    return scratch.length();
  }

  private static IllegalStateException refused(int status) {
    return new IllegalStateException("the floor refused with status " + status);
  }
}
