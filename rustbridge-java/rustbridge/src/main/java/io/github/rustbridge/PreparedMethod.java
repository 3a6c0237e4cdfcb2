package io.github.rustbridge.spi;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Plugin;

/**
 * What the core says of a method that was resolved in one encoding.
 *
 * @param plugin the instance; a {@link io.github.rustbridge.Method} keeps it reachable, and so open
 * @param name the method's name, or its numeric id in decimal
 * @param encoding the encoding
 * @param handle the instance's handle
 * @param entry what {@code rb_call} takes
 * @param flags {@link #LEAF} and {@link #ASYNC}
 * @param requestSize size of the request struct in bytes, 0 unless pod
 * @param responseSize size of the response struct in bytes, 0 unless pod
 */
public record PreparedMethod(
    Plugin plugin,
    String name,
    Encoding encoding,
    long handle,
    int entry,
    int flags,
    int requestSize,
    int responseSize) {
  /** Bit of {@code flags}: a leaf. */
  public static final int LEAF = 1;

  /** Bit of {@code flags}: asynchronous. */
  public static final int ASYNC = 2;

  /**
   * Makes one of what {@code rb_prepare} has filled in.
   *
   * @param plugin the instance
   * @param name the method's name, or its numeric id in decimal
   * @param encoding the encoding
   * @param handle the instance's handle
   * @param entry what {@code rb_call} takes
   * @param flags {@link #LEAF} and {@link #ASYNC}
   * @param requestSize size of the request struct in bytes, a {@code size_t}
   * @param responseSize size of the response struct in bytes, a {@code size_t}
   * @return the method
   * @throws IllegalStateException if a struct is larger than arrays get
   */
  public static PreparedMethod of(
      Plugin plugin,
      String name,
      Encoding encoding,
      long handle,
      int entry,
      int flags,
      long requestSize,
      long responseSize) {
    return new PreparedMethod(
        plugin,
        name,
        encoding,
        handle,
        entry,
        flags,
        arraySize(name, requestSize),
        arraySize(name, responseSize));
  }

  private static int arraySize(String name, long size) {
    // Some JVMs have arrays of a few elements less than an int can count.
    if (size < 0 || size > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(
          "a struct of "
              + name
              + " has "
              + Long.toUnsignedString(size)
              + " bytes, which no array can hold");
    }
    return (int) size;
  }

  /**
   * Tells whether the method is a leaf.
   *
   * @return whether {@link #LEAF} is set
   */
  public boolean isLeaf() {
    return (flags & LEAF) != 0;
  }

  /**
   * Tells whether the handler is asynchronous.
   *
   * @return whether {@link #ASYNC} is set
   */
  public boolean isAsync() {
    return (flags & ASYNC) != 0;
  }

  /**
   * Makes what calls with text or objects throw when the encoding isn't JSON.
   *
   * @return the exception, to be thrown
   */
  public IllegalStateException notJson() {
    return new IllegalStateException(
        "call speaks JSON, and "
            + name
            + " was prepared with the encoding "
            + encoding.text()
            + ": use callRawBytes, or prepare it with Encoding.JSON");
  }

  /**
   * Refuses room that the response of a pod can't fit into, before the call is made.
   *
   * @param capacity the bytes that the caller has room for
   * @throws IllegalArgumentException if that's less than the response's size
   */
  public void checkRoom(long capacity) {
    if (responseSize > capacity) {
      throw new IllegalArgumentException(
          "the response of "
              + name
              + " has "
              + responseSize
              + " bytes, but there is room for "
              + capacity);
    }
  }
}
