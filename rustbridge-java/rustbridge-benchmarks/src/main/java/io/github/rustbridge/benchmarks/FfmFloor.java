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
 *
 * <p>Each function has a method of its own, as short as can be. With one method for all, which
 * takes the handle as an argument, the JIT compiler doesn't always see that it's a constant, and
 * then makes objects of the segments, which costs several times the call.
 */
final class FfmFloor {
  private static final MethodHandle EMPTY = leaf("floor_empty");
  private static final MethodHandle POD8 = leaf("floor_pod8");
  private static final MethodHandle NESTED = ordinary("floor_nested");
  private static final MethodHandle ADD16 = leaf("floor_add16");
  private static final MethodHandle SMALL = leaf("floor_small");
  private static final MethodHandle BIG = leaf("floor_big");
  private static final MethodHandle DIV = leaf("floor_div");
  private static final MethodHandle SUM = leaf("floor_sum");
  private static final MethodHandle ANSWER = leaf("floor_answer");
  private static final MethodHandle PLAIN = ordinary("floor_answer");
  private static final MethodHandle COUNT = ordinary("floor_count");
  private static final MethodHandle TICKS = ordinary("floor_ticks");
  private static final MethodHandle BLOB = leaf("floor_blob");
  private static final MethodHandle JOIN = ordinary("floor_join");
  private static final MethodHandle NUMBERS = ordinary("floor_numbers");
  private static final MethodHandle SMALL_JSON = leaf("floor_small_json");
  private static final MethodHandle ECHO_JSON = ordinary("floor_echo_json");
  private static final MethodHandle RAW_ECHO = ordinary("floor_raw_echo");
  private static final MethodHandle RAW_FAIL = ordinary("floor_raw_fail");
  private static final MethodHandle GREET = leaf("floor_greet");
  private static final MethodHandle NEXT_READING = leaf("floor_next_reading");
  private static final MethodHandle DISCOUNT = ordinary("floor_discount");
  private static final MethodHandle AROUND = leaf("floor_around");
  private static final MethodHandle TWICE = leaf("floor_twice");

  private FfmFloor() {}

  // Restricted: a signature that is not that of the function would crash the JVM. These are those
  // of benches/floor.

  /** Binds for segments on the heap or off it, without a transition of the thread's state. */
  @SuppressWarnings("restricted")
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
  @SuppressWarnings("restricted")
  static MethodHandle ordinary(String name) {
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

  @SuppressWarnings("restricted")
  private static MemorySegment symbol(String name) {
    return SymbolLookup.libraryLookup(Libraries.find("floor"), Arena.global())
        .find(name)
        .orElseThrow();
  }

  /** Memory that a thread keeps for its calls. */
  static final class Scratch {
    private final MemorySegment length = Arena.global().allocate(ValueLayout.JAVA_LONG);
    private final long lengthAddress = length.address();
    private MemorySegment requestSegment;
    private MemorySegment responseSegment;
    private byte[] text;
    long request;
    long response;
    long capacity;

    Scratch() {
      reserve(4096);
    }

    /** Makes room for large requests and responses, before anything is measured. */
    void reserve(int size) {
      requestSegment = Arena.global().allocate(size, 16);
      responseSegment = Arena.global().allocate(size, 16);
      request = requestSegment.address();
      response = responseSegment.address();
      capacity = size;
      text = new byte[size];
    }

    /** Copies a request to where {@link #request} says. */
    void put(byte[] bytes) {
      MemorySegment.copy(bytes, 0, requestSegment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    /** Copies the beginning of an array to where {@link #request} says. */
    void put(byte[] bytes, int length) {
      MemorySegment.copy(bytes, 0, requestSegment, ValueLayout.JAVA_BYTE, 0, length);
    }

    /** Copies a response into an array; gives its length. */
    int get(int size, byte[] bytes) {
      MemorySegment.copy(responseSegment, ValueLayout.JAVA_BYTE, 0, bytes, 0, size);
      return size;
    }

    /** Copies a response into a new array. */
    byte[] get(int size) {
      byte[] bytes = new byte[size];
      MemorySegment.copy(responseSegment, ValueLayout.JAVA_BYTE, 0, bytes, 0, size);
      return bytes;
    }

    /** Copies a response into a new array of numbers. */
    long[] longs(int size) {
      return responseSegment.asSlice(0, size).toArray(ValueLayout.JAVA_LONG);
    }

    /** Reads a response of one number. */
    long number() {
      return responseSegment.get(ValueLayout.JAVA_LONG, 0);
    }

    /** Makes a response a text. */
    String text(int size) {
      MemorySegment.copy(responseSegment, ValueLayout.JAVA_BYTE, 0, text, 0, size);
      return new String(text, 0, size, StandardCharsets.UTF_8);
    }

    /** An array for responses that a leaf writes there itself. */
    byte[] array() {
      return text;
    }

    /** Gives the length of the response after a call with that status. */
    private int checked(int status) {
      if (status != 0) {
        throw new IllegalStateException("the floor refused with status " + status);
      }
      return (int) length.get(ValueLayout.JAVA_LONG, 0);
    }

    /** Makes a response an array, or throws its message if it's a failure. */
    private byte[] orThrow(int status) {
      byte[] bytes = get((int) length.get(ValueLayout.JAVA_LONG, 0));
      if (status != 0) {
        throw new IllegalStateException(new String(bytes, StandardCharsets.UTF_8));
      }
      return bytes;
    }
  }

  static int pod8(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) POD8.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int add16(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) ADD16.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int small(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) SMALL.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int big(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) BIG.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int div(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) DIV.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int sum(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) SUM.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int answer(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int)
            ANSWER.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int blob(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) BLOB.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int join(Scratch scratch, long request, long length, long response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) JOIN.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int numbers(Scratch scratch, long request, long length, long response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int)
            NUMBERS.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int smallJson(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int)
            SMALL_JSON.invokeExact(
                0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int empty(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) EMPTY.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int nested(Scratch scratch, long request, long length, long response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int)
            NESTED.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int echoJson(Scratch scratch, long request, long length, long response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int)
            ECHO_JSON.invokeExact(
                0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int rawEcho(Scratch scratch, long request, long length, long response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int)
            RAW_ECHO.invokeExact(
                0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  /** What {@code answer} does, as a call that isn't a leaf. */
  static int plain(Scratch scratch, long request, long length, long response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) PLAIN.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int count(Scratch scratch, long request, long length, long response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) COUNT.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int ticks(Scratch scratch, long request, long length, long response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) TICKS.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int greet(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) GREET.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int nextReading(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int)
            NEXT_READING.invokeExact(
                0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int around(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int)
            AROUND.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int twice(
      Scratch scratch, MemorySegment request, long length, MemorySegment response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int) TWICE.invokeExact(0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static int discount(Scratch scratch, long request, long length, long response, long capacity)
      throws Throwable {
    return scratch.checked(
        (int)
            DISCOUNT.invokeExact(
                0L, 1, request, length, response, capacity, scratch.lengthAddress));
  }

  static byte[] rawFail(Scratch scratch, long length) throws Throwable {
    int status =
        (int)
            RAW_FAIL.invokeExact(
                0L,
                1,
                scratch.request,
                length,
                scratch.response,
                scratch.capacity,
                scratch.lengthAddress);
    return scratch.orThrow(status);
  }
}
