package io.github.rustbridge;

/**
 * How a call has ended, copied out of the native library's memory.
 *
 * @param status the status, a number of the host ABI
 * @param bytes the response, or the error's payload
 * @param trailers the trailers as the boundary has them; empty for none
 * @param objects the objects that came beside the response, each to be released once
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
record Answer(int status, byte[] bytes, byte[] trailers, long[] objects) {
  static final byte[] NO_BYTES = {};
  static final long[] NO_OBJECTS = {};

  /** The exception that it stands for; not for one that is fine. */
  PluginException failure() {
    return PluginException.of(status, bytes);
  }

  boolean isFine() {
    return status == 0;
  }
}
