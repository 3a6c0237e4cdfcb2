package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.rustbridge.PluginException;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.spi.Failures;
import java.lang.foreign.MemorySegment;

/**
 * What a call by {@code rb_call_into} came to when it isn't just bytes in the storage: a failure,
 * or a response that was handed over. Each is taken once, which releases it.
 */
final class Outcome {
  private Outcome() {}

  /**
   * Takes the response.
   *
   * @param result what the call returned, negative
   * @param storage what the call was given
   * @throws PluginException if it's a failure
   */
  static byte[] take(long result, MemorySegment storage) {
    long outcome = address(result);
    try {
      long response = outcome + AbiLayout.CALL_RESULT_RESPONSE;
      long length = Response.length(response);
      // Errors may be in the storage, which isn't read by its address in there: an array has moved
      // since, perhaps.
      byte[] bytes =
          Response.release(response) == 0
              ? storage.asSlice(0, length).toArray(JAVA_BYTE)
              : Response.bytes(Response.data(response), length);
      int status = Native.getInt(outcome + AbiLayout.CALL_RESULT_STATUS);
      if (status != 0) {
        throw Failures.of(status, bytes);
      }
      return bytes;
    } finally {
      Native.releaseOutcome(outcome);
    }
  }

  /**
   * Takes the response to where the user wants it.
   *
   * @param result what the call returned, negative
   * @param storage what the call was given
   * @param target where the response goes
   * @return the response's length
   * @throws PluginException if it's a failure
   * @throws ResponseTooLargeException if it doesn't fit
   */
  static long takeInto(long result, MemorySegment storage, MemorySegment target) {
    long outcome = address(result);
    long response = outcome + AbiLayout.CALL_RESULT_RESPONSE;
    long length = Response.length(response);
    if (Native.getInt(outcome + AbiLayout.CALL_RESULT_STATUS) != 0 || length > target.byteSize()) {
      throw tooLarge(take(result, storage), target);
    }
    try {
      // A success has been handed over, always: else the result would be its length. It may fit all
      // the same.
      MemorySegment.copy(Native.MEMORY, Response.data(response), target, 0, length);
      return length;
    } finally {
      Native.releaseOutcome(outcome);
    }
  }

  static ResponseTooLargeException tooLarge(byte[] response, MemorySegment target) {
    // It fits into an int, as it's smaller than an array's length.
    return new ResponseTooLargeException(response, (int) target.byteSize());
  }

  private static long address(long result) {
    return -result << 4;
  }
}
