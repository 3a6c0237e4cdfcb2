package io.github.rustbridge;

/**
 * A {@link Method}'s data: its instance, and the core's data about the method in one encoding.
 *
 * <p>For backends only; it may change with every version.
 *
 * @param plugin the instance; the {@link Method} keeps it reachable, and so open
 * @param name the method's name, or its numeric ID in decimal
 * @param handle the instance's handle
 * @param encoding the encoding
 * @param entry the number for {@code rb_call}
 * @param isLeaf whether it's a leaf method
 * @param isAsync whether the handler is asynchronous
 * @param requestSize size of the request struct in bytes, 0 unless pod
 * @param responseSize size of the response struct in bytes, 0 unless pod
 * @param leafLimit the largest request and the largest buffer in bytes with which a call may block
 *     the garbage collector; 0 unless it's a leaf method
 * @param storage the size of the response buffer to offer if there's no better estimate, in bytes;
 *     at most {@code bufferLimit}
 * @param bufferLimit the largest response buffer to keep for further calls, in bytes
 * @param flags the core's flags of the entry, bits of {@link Backend.Entry}
 */
public record PreparedMethod(
    Plugin plugin,
    String name,
    long handle,
    Encoding encoding,
    int entry,
    boolean isLeaf,
    boolean isAsync,
    int requestSize,
    int responseSize,
    int leafLimit,
    int storage,
    int bufferLimit,
    int flags) {
  /**
   * Creates the data from the core's entry.
   *
   * @param plugin the instance
   * @param name the method's name, or its numeric ID in decimal
   * @param handle the instance's handle
   * @param entry the core's entry
   * @return the method
   * @throws IllegalStateException if a struct is larger than an array can be
   */
  public static PreparedMethod of(Plugin plugin, String name, long handle, Backend.Entry entry) {
    return new PreparedMethod(
        plugin,
        name,
        handle,
        Encoding.of(entry.encoding()),
        entry.number(),
        (entry.flags() & Backend.Entry.LEAF) != 0,
        (entry.flags() & Backend.Entry.ASYNC) != 0,
        arraySize(name, entry.requestSize()),
        arraySize(name, entry.responseSize()),
        clamped(entry.leafLimit()),
        clamped(Math.min(entry.storage(), entry.bufferLimit())),
        clamped(entry.bufferLimit()),
        entry.flags());
  }

  private static int clamped(long size) {
    return (int) Math.min(size, Integer.MAX_VALUE - 8);
  }

  private static int arraySize(String name, long size) {
    // Some JVMs have arrays of a few elements less than an int can count.
    if (size < 0 || size > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(
          "a struct of "
              + name
              + " has "
              + Long.toUnsignedString(size)
              + " bytes, but a Java array has at most 2147483639: make the struct smaller");
    }
    return (int) size;
  }

  /**
   * Creates the exception for a call with text or objects to a method whose encoding isn't JSON.
   *
   * @return the exception, for the caller to throw
   */
  public IllegalStateException notJson() {
    return new IllegalStateException(
        "text and objects require the encoding json, but "
            + name
            + " was prepared with the encoding "
            + encoding.text()
            + ": use callRawBytes, or prepare it with Encoding.JSON");
  }

  /**
   * Checks, before a call, that the response of a pod method fits into the caller's buffer.
   *
   * @param capacity the size of the caller's buffer in bytes
   * @throws IllegalArgumentException if the buffer is smaller than the response
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
