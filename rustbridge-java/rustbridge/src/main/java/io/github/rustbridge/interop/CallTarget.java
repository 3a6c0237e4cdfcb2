package io.github.rustbridge.interop;

/**
 * The target of calls: an instance, and the core's data about one of its methods in one encoding.
 *
 * <p>For backends only; it may change with every version.
 *
 * @param instance the instance; the target keeps its plugin reachable, and so open
 * @param name the method's name, or its numeric ID in decimal
 * @param handle the instance's handle
 * @param encoding {@code RB_ENCODING_JSON} or another encoding
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
 * @param flags the core's flags of the entry, bits of {@link MethodEntry}
 */
public record CallTarget(
    Instance instance,
    String name,
    long handle,
    int encoding,
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
   * Creates a target from the core's entry.
   *
   * @param instance the instance
   * @param name the method's name, or its numeric ID in decimal
   * @param entry the core's entry
   * @return the target
   * @throws IllegalStateException if a struct is larger than an array can be
   */
  public static CallTarget of(Instance instance, String name, MethodEntry entry) {
    return new CallTarget(
        instance,
        name,
        instance.handle(),
        entry.encoding(),
        entry.number(),
        (entry.flags() & MethodEntry.LEAF) != 0,
        (entry.flags() & MethodEntry.ASYNC) != 0,
        arraySize(name, entry.requestSize()),
        arraySize(name, entry.responseSize()),
        clamped(entry.leafLimit()),
        clamped(Math.min(entry.storage(), entry.bufferLimit())),
        clamped(entry.bufferLimit()),
        entry.flags());
  }

  /**
   * Reports whether the core's flags of the entry contain a bit.
   *
   * @param flag a bit of {@link MethodEntry}
   * @return whether it's set
   */
  public boolean has(int flag) {
    return (flags & flag) != 0;
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
