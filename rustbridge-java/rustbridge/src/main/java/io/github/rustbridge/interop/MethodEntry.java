package io.github.rustbridge.interop;

/**
 * A method in one encoding: the {@code rb_method} that {@code rb_prepare} fills in.
 *
 * @param number the number for {@code rb_call}
 * @param flags {@link #LEAF}, {@link #ASYNC} and the other bits
 * @param encoding the number of the encoding in which the method was resolved
 * @param requestSize size of the request struct in bytes, 0 unless pod
 * @param responseSize size of the response struct in bytes, 0 unless pod
 * @param leafLimit the largest request and the largest buffer in bytes with which a call may block
 *     the garbage collector; 0 unless it's a leaf method
 * @param storage the size of the response buffer to offer if there's no better estimate, in bytes
 * @param bufferLimit the largest response buffer to keep for further calls, in bytes
 */
public record MethodEntry(
    int number,
    int flags,
    int encoding,
    long requestSize,
    long responseSize,
    long leafLimit,
    long storage,
    long bufferLimit) {
  /** Bit of {@code flags}: a leaf method. */
  public static final int LEAF = AbiLayout.RB_METHOD_LEAF;

  /** Bit of {@code flags}: an asynchronous handler. */
  public static final int ASYNC = AbiLayout.RB_METHOD_ASYNC;

  /** Bit of {@code flags}: the response is a stream. */
  public static final int STREAM_OUT = AbiLayout.RB_METHOD_STREAM_OUT;

  /** Bit of {@code flags}: the method accepts a stream. */
  public static final int STREAM_IN = AbiLayout.RB_METHOD_STREAM_IN;

  /** Bit of {@code flags}: the response may contain objects. */
  public static final int OBJECTS = AbiLayout.RB_METHOD_OBJECTS;

  /** Bit of {@code flags}: a method of an object. */
  public static final int RECEIVER = AbiLayout.RB_METHOD_RECEIVER;

  /** Bit that is added to the number for a call that is valid only for a leaf method. */
  public static final int CALLED_AS_LEAF = AbiLayout.RB_ENTRY_LEAF;

  /**
   * Bit that is added to the number if other threads may write to the request's memory during the
   * call: the core then copies the request first.
   */
  public static final int SHARED = AbiLayout.RB_ENTRY_SHARED;
}
