package io.github.rustbridge;

/**
 * The result of a call, copied from the native library's memory.
 *
 * @param status the status, as a number of the host ABI
 * @param bytes the response, or the error's payload
 * @param trailers the trailers as the boundary has them; empty for none
 * @param objects the objects that came beside the response, each to be released once
 * @param headers the headers as the boundary has them; empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
record Answer(int status, byte[] bytes, byte[] trailers, long[] objects, byte[] headers) {
  static final byte[] NO_BYTES = {};
  static final long[] NO_OBJECTS = {};

  /** One without headers. */
  Answer(int status, byte[] bytes, byte[] trailers, long[] objects) {
    this(status, bytes, trailers, objects, NO_BYTES);
  }

  /** The same with headers that came before it. */
  Answer after(byte[] headers) {
    return new Answer(status, bytes, trailers, objects, headers);
  }

  /** The exception that it stands for; not for one that is fine. */
  PluginException failure() {
    return PluginException.of(status, bytes, headers, trailers);
  }

  boolean isFine() {
    return status == 0;
  }
}
