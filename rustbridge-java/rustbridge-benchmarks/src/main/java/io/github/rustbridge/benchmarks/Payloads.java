package io.github.rustbridge.benchmarks;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The requests, the same bytes as in the other languages' benchmarks. */
final class Payloads {
  static final int SMALL_REQUEST = 76;
  static final int SMALL_RESPONSE = 80;

  /** Where the response of {@code bench.small} says how long its value is. */
  static final int SMALL_VALUE_LENGTH = 68;

  private static final byte[] KEY = "bench_key".getBytes(StandardCharsets.UTF_8);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final int KEY_AT = 4;
  private static final int KEY_LENGTH_AT = 68;
  private static final int FLAGS_AT = 72;

  private Payloads() {}

  /** Makes a struct of numbers. */
  static byte[] ints(int... numbers) {
    byte[] bytes = new byte[numbers.length * Integer.BYTES];
    for (int i = 0; i < numbers.length; i++) {
      INT.set(bytes, i * Integer.BYTES, numbers[i]);
    }
    return bytes;
  }

  /** Makes the request of {@code pod.big}: any 268 bytes. */
  static byte[] big() {
    byte[] bytes = new byte[268];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  /** Makes the request {version 1, key "bench_key", flags 1} of {@code bench.small}. */
  static byte[] small() {
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

  /** Makes the request of {@code echo} that a scenario's name asks for. */
  static String echo(String scenario) {
    String message =
        switch (scenario) {
          case "json echo 13 B" -> "Hello, World!";
          case "json echo 1 KB" -> "x".repeat(900);
          case "json echo 100 KB" -> "x".repeat(100_000);
          case "json echo 16 MB" -> "x".repeat(16 << 20);
          default -> throw new IllegalArgumentException(scenario);
        };
    return "{\"message\":\"" + message + "\"}";
  }

  /** Makes the request of {@code raw.echo} that a scenario's name asks for. */
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
