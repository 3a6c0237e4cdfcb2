package io.github.rustbridge.benchmarks;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The requests, the same bytes as in the other languages' benchmarks. */
public final class Payloads {
  /** The size of the request of {@code bench.small}. */
  public static final int SMALL_REQUEST = 76;

  /** The size of its response. */
  public static final int SMALL_RESPONSE = 80;

  /** Where the response of {@code bench.small} says how long its value is. */
  static final int SMALL_VALUE_LENGTH = 68;

  private static final byte[] KEY = "bench_key".getBytes(StandardCharsets.UTF_8);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.nativeOrder());
  private static final int KEY_AT = 4;
  private static final int KEY_LENGTH_AT = 68;
  private static final int FLAGS_AT = 72;

  private Payloads() {}

  /**
   * Makes a struct of numbers.
   *
   * @param numbers what it holds
   * @return a new array
   */
  public static byte[] ints(int... numbers) {
    byte[] bytes = new byte[numbers.length * Integer.BYTES];
    for (int i = 0; i < numbers.length; i++) {
      INT.set(bytes, i * Integer.BYTES, numbers[i]);
    }
    return bytes;
  }

  /**
   * Makes a struct of two large numbers.
   *
   * @param one the first
   * @param other the second
   * @return a new array
   */
  public static byte[] longs(long one, long other) {
    byte[] bytes = new byte[2 * Long.BYTES];
    LONG.set(bytes, 0, one);
    LONG.set(bytes, Long.BYTES, other);
    return bytes;
  }

  /** Packs numbers. */
  static byte[] longs(long[] numbers) {
    return MemorySegment.ofArray(numbers).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Reads packed numbers. */
  static long[] longs(ByteBuffer packed) {
    long[] numbers = new long[packed.remaining() / Long.BYTES];
    packed.order(ByteOrder.nativeOrder()).asLongBuffer().get(numbers);
    return numbers;
  }

  /**
   * Reads a struct of one number.
   *
   * @param struct four bytes
   * @return the number
   */
  public static int integer32(byte[] struct) {
    return (int) INT.get(struct, 0);
  }

  /**
   * Reads a struct of one large number.
   *
   * @param struct eight bytes
   * @return the number
   */
  public static long integer64(byte[] struct) {
    return (long) LONG.get(struct, 0);
  }

  /**
   * Reads a struct of one double.
   *
   * @param struct eight bytes
   * @return the double
   */
  public static double real(byte[] struct) {
    return (double) DOUBLE.get(struct, 0);
  }

  /** Makes the request of {@code pod.big}: any 268 bytes. */
  static byte[] big() {
    byte[] bytes = new byte[268];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  /**
   * Makes the request {version 1, key "bench_key", flags 1} of {@code bench.small}.
   *
   * @return a new array
   */
  public static byte[] small() {
    byte[] request = new byte[SMALL_REQUEST];
    request[0] = 1;
    System.arraycopy(KEY, 0, request, KEY_AT, KEY.length);
    INT.set(request, KEY_LENGTH_AT, KEY.length);
    INT.set(request, FLAGS_AT, 1);
    return request;
  }

  /**
   * Writes the same request into memory that has held one before, so that what is behind the key is
   * zero.
   */
  static void small(MemorySegment request) {
    request.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    MemorySegment.copy(KEY, 0, request, ValueLayout.JAVA_BYTE, KEY_AT, KEY.length);
    request.set(ValueLayout.JAVA_INT, KEY_LENGTH_AT, KEY.length);
    request.set(ValueLayout.JAVA_INT, FLAGS_AT, 1);
  }

  /**
   * Makes the request of {@code echo} that a scenario's name asks for.
   *
   * @param scenario {@code json echo 13 B} and so on
   * @return the JSON
   */
  public static String echo(String scenario) {
    return "{\"message\":\"" + message(scenario) + "\"}";
  }

  /** Makes what a scenario's name says is echoed. */
  static String message(String scenario) {
    return switch (scenario) {
      case "json echo 13 B" -> "Hello, World!";
      case "json echo 1 KB" -> "x".repeat(900);
      case "json echo 100 KB" -> "x".repeat(100_000);
      case "json echo 16 MB" -> "x".repeat(16 << 20);
      case "A json latency" -> "benchmark test";
      case "A small echo" -> "hello world from benchmark";
      case "A medium echo" -> "x".repeat(900);
      case "A large echo" -> "x".repeat(100_000);
      default -> throw new IllegalArgumentException(scenario);
    };
  }

  /** Makes the request of {@code echo_bytes} that a scenario's name asks for. */
  static byte[] raw(String scenario) {
    byte[] request =
        switch (scenario) {
          case "raw 100 KB" -> new byte[100 << 10];
          case "raw 16 MB" -> new byte[16 << 20];
          default -> throw new IllegalArgumentException(scenario);
        };
    for (int i = 0; i < request.length; i++) {
      request[i] = (byte) i;
    }
    return request;
  }
}
