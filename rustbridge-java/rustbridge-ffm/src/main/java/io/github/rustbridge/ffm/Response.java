package io.github.rustbridge.ffm;

/** {@code rb_response}, read and written by address. */
final class Response {
  /** The size of an {@code rb_response}. */
  static final long SIZE = 40;

  private static final long DATA = 0;
  private static final long CAPACITY = 8;
  private static final long LENGTH = 16;
  private static final long RELEASE = 24;
  private static final long OWNER = 32;

  private Response() {}

  /** Empties one, so that whatever isn't empty is handed over. */
  static void clear(long response) {
    Native.putLong(response + DATA, 0);
    Native.putLong(response + CAPACITY, 0);
  }

  static long data(long response) {
    return Native.getLong(response + DATA);
  }

  static long capacity(long response) {
    return Native.getLong(response + CAPACITY);
  }

  static long length(long response) {
    return Native.getLong(response + LENGTH);
  }

  static long release(long response) {
    return Native.getLong(response + RELEASE);
  }

  static long owner(long response) {
    return Native.getLong(response + OWNER);
  }

  /** Writes all fields. */
  static void write(
      long response, long data, long capacity, long length, long release, long owner) {
    Native.putLong(response + DATA, data);
    Native.putLong(response + CAPACITY, capacity);
    Native.putLong(response + LENGTH, length);
    Native.putLong(response + RELEASE, release);
    Native.putLong(response + OWNER, owner);
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
