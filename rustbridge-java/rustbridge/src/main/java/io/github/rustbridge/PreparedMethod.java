package io.github.rustbridge;

/**
 * What a {@link Method} knows of itself: whose it is, and what the core said of it when it was
 * resolved in one encoding.
 *
 * <p>For the backends: applications have no use for it, and it may change with every version.
 *
 * @param plugin the instance; a {@link Method} keeps it reachable, and so open
 * @param name the method's name, or its numeric id in decimal
 * @param handle the instance's handle
 * @param encoding the encoding
 * @param entry what {@code rb_call} takes
 * @param isLeaf whether the method is a leaf
 * @param isAsync whether the handler is asynchronous
 * @param requestSize size of the request struct in bytes, 0 unless pod
 * @param responseSize size of the response struct in bytes, 0 unless pod
 * @param leafLimit the most bytes of request, and of storage, with which a call may hold off the
 *     garbage collector; 0 unless it's a leaf
 * @param storage how many bytes of storage to offer when nothing better is known, at most {@code
 *     bufferLimit}
 * @param bufferLimit the most bytes of storage to keep from call to call
 * @param flags all that the core said of it, bits of {@link Backend.Entry}
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
   * Makes one of what the core said.
   *
   * @param plugin the instance
   * @param name the method's name, or its numeric id in decimal
   * @param handle the instance's handle
   * @param entry what the core said
   * @return the method
   * @throws IllegalStateException if a struct is larger than arrays get
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
              + " bytes, which no array can hold");
    }
    return (int) size;
  }

  /**
   * Makes what calls with text or objects throw when the encoding isn't JSON.
   *
   * @return the exception, for the caller to throw
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
