package io.github.rustbridge.calls;

/**
 * The result of a call, copied from the native library's memory.
 *
 * @param status the status, as a number of the host ABI
 * @param bytes the response, or the error's payload
 * @param trailers the trailing metadata in the layout of the host ABI; empty for none
 * @param objects the objects of the response, each to be released once
 * @param headers the initial metadata in the layout of the host ABI; empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // No one compares them.
public record Answer(int status, byte[] bytes, byte[] trailers, long[] objects, byte[] headers) {
  public static final byte[] NO_BYTES = {};
  public static final long[] NO_OBJECTS = {};

  /** Creates an answer without initial metadata. */
  public Answer(int status, byte[] bytes, byte[] trailers, long[] objects) {
    this(status, bytes, trailers, objects, NO_BYTES);
  }

  /** Creates an answer of a status and a payload. */
  public Answer(int status, byte[] bytes) {
    this(status, bytes, NO_BYTES, NO_OBJECTS, NO_BYTES);
  }

  /** Returns the same answer with initial metadata that arrived before it. */
  public Answer after(byte[] headers) {
    return new Answer(status, bytes, trailers, objects, headers);
  }

  /** Reports whether the call succeeded. */
  public boolean isFine() {
    return status == 0;
  }
}
