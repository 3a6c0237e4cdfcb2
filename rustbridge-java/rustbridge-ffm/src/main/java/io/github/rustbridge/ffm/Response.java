package io.github.rustbridge.ffm;

import io.github.rustbridge.interop.AbiLayout;

/** {@code rb_response}, read and written by address. */
final class Response {
  private Response() {}

  /** Empties one, so that whatever isn't empty is handed over. */
  static void clear(long response) {
    Native.putLong(response + AbiLayout.RESPONSE_DATA, 0);
    Native.putLong(response + AbiLayout.RESPONSE_CAPACITY, 0);
  }

  static long data(long response) {
    return Native.getLong(response + AbiLayout.RESPONSE_DATA);
  }

  static long capacity(long response) {
    return Native.getLong(response + AbiLayout.RESPONSE_CAPACITY);
  }

  static long length(long response) {
    return Native.getLong(response + AbiLayout.RESPONSE_LEN);
  }

  static long release(long response) {
    return Native.getLong(response + AbiLayout.RESPONSE_RELEASE);
  }

  static long owner(long response) {
    return Native.getLong(response + AbiLayout.RESPONSE_OWNER);
  }

  /** Writes all fields. */
  static void write(
      long response, long data, long capacity, long length, long release, long owner) {
    Native.putLong(response + AbiLayout.RESPONSE_DATA, data);
    Native.putLong(response + AbiLayout.RESPONSE_CAPACITY, capacity);
    Native.putLong(response + AbiLayout.RESPONSE_LEN, length);
    Native.putLong(response + AbiLayout.RESPONSE_RELEASE, release);
    Native.putLong(response + AbiLayout.RESPONSE_OWNER, owner);
  }

  /**
   * Copies a response that is in native memory to a new array.
   *
   * @throws IllegalStateException if it's larger than arrays get
   */
  static byte[] bytes(long data, long length) {
    if (length == 0) {
      return new byte[0];
    }
    return Native.read(data, arrayLength(length));
  }

  /** A response's length as that of an array, if it can be. */
  static int arrayLength(long length) {
    // JVMs refuse arrays of the last few lengths below 2^31.
    if (length < 0 || length > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(
          "the response has "
              + Long.toUnsignedString(length)
              + " bytes, but a Java array has at most 2147483639: use"
              + " SegmentMethod.callRawZeroCopy");
    }
    return (int) length;
  }
}
