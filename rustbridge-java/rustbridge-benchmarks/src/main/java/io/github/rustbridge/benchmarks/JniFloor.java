package io.github.rustbridge.benchmarks;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The same work by JNI, written by hand for these very calls: addresses that were looked up once go
 * in, and arrays are copied from and to direct buffers that are kept, which costs less than JNI's
 * own functions for arrays do.
 *
 * <p>The methods give the response's length; a negative one is a failure, whose message is as long
 * as that plus 2^62.
 */
final class JniFloor {
  private static final long FAILED = 1L << 62;

  static {
    System.load(Libraries.find("floor").toString());
  }

  private JniFloor() {}

  static native long empty(long request, long length, long response, long capacity);

  static native long pod8(long request, long length, long response, long capacity);

  static native long nested(long request, long length, long response, long capacity);

  static native long add16(long request, long length, long response, long capacity);

  static native long small(long request, long length, long response, long capacity);

  static native long big(long request, long length, long response, long capacity);

  static native long div(long request, long length, long response, long capacity);

  static native long sum(long request, long length, long response, long capacity);

  static native long answer(long request, long length, long response, long capacity);

  static native long blob(long request, long length, long response, long capacity);

  static native long join(long request, long length, long response, long capacity);

  static native long numbers(long request, long length, long response, long capacity);

  static native long echoJson(long request, long length, long response, long capacity);

  static native long smallJson(long request, long length, long response, long capacity);

  static native long rawEcho(long request, long length, long response, long capacity);

  static native long rawFail(long request, long length, long response, long capacity);

  static native long count(long request, long length, long response, long capacity);

  static native long ticks(long request, long length, long response, long capacity);

  static native long adderNew(long request, long length, long response, long capacity);

  static native long adderAdd(long adder, long request, long length, long response, long capacity);

  static native long adderDrop(long adder, long request, long length, long response, long capacity);

  static native long greet(long request, long length, long response, long capacity);

  static native long nextReading(long request, long length, long response, long capacity);

  static native long discount(long request, long length, long response, long capacity);

  static native long around(long request, long length, long response, long capacity);

  static native long twice(long request, long length, long response, long capacity);

  /** Memory that a thread keeps for its calls. */
  static final class Scratch {
    private ByteBuffer requestBuffer;
    private ByteBuffer responseBuffer;
    private LongBuffer requestNumbers;
    private LongBuffer responseNumbers;
    private byte[] text;
    long request;
    long response;
    long capacity;

    Scratch() {
      reserve(4096);
    }

    /** Makes room for large requests and responses, before anything is measured. */
    void reserve(int size) {
      requestBuffer = ByteBuffer.allocateDirect(size);
      responseBuffer = ByteBuffer.allocateDirect(size);
      requestNumbers = requestBuffer.order(ByteOrder.nativeOrder()).asLongBuffer();
      responseNumbers = responseBuffer.order(ByteOrder.nativeOrder()).asLongBuffer();
      request = address(requestBuffer);
      response = address(responseBuffer);
      capacity = size;
      text = new byte[size];
    }

    /** Copies a request to where {@link #request} says. */
    void put(byte[] bytes) {
      requestBuffer.put(0, bytes);
    }

    /** Copies the beginning of an array to where {@link #request} says. */
    void put(byte[] bytes, int length) {
      requestBuffer.put(0, bytes, 0, length);
    }

    /** Copies numbers to where {@link #request} says. */
    void put(long[] numbers) {
      requestNumbers.put(0, numbers);
    }

    /** Reads a response of one number. */
    long number(long length) {
      checked(length);
      return responseNumbers.get(0);
    }

    /** Copies a response into a new array of numbers. */
    long[] longs(long length) {
      long[] numbers = new long[checked(length) / Long.BYTES];
      responseNumbers.get(0, numbers);
      return numbers;
    }

    /** Copies a response into an array. */
    byte[] get(long length, byte[] bytes) {
      responseBuffer.get(0, bytes, 0, checked(length));
      return bytes;
    }

    /** Copies a response into a new array. */
    byte[] get(long length) {
      return get(length, new byte[checked(length)]);
    }

    /** Makes a response a text. */
    String text(long length) {
      get(length, text);
      return new String(text, 0, (int) length, StandardCharsets.UTF_8);
    }

    /** Makes a response an array, or throws its message if it's a failure. */
    byte[] orThrow(long length) {
      if (length < 0) {
        throw new IllegalStateException(new String(get(length + FAILED), StandardCharsets.UTF_8));
      }
      return get(length);
    }
  }

  /** Gives the address of a direct buffer's memory, to be kept. */
  static long address(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer).address();
  }

  /** Throws if a call failed. */
  static int checked(long length) {
    if (length < 0) {
      throw new IllegalStateException("the floor refused");
    }
    return (int) length;
  }
}
