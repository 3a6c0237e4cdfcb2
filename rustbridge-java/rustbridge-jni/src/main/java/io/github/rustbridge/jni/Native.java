package io.github.rustbridge.jni;

import java.nio.ByteBuffer;

/**
 * All native methods, implemented by {@code crates/rustbridge-jni} and registered when the library
 * is loaded.
 *
 * <p>None of them checks that an address or a result is real: those stay inside this package.
 * Handles may be made up.
 *
 * <p>A failure of the plugin is no exception here: it's a status and a payload, and {@link
 * io.github.rustbridge.spi.Failures} makes the exception. Where there is an array {@code out}, its
 * first element becomes the status, and what's returned is the answer or the payload, null for an
 * empty one.
 */
final class Native {
  private Native() {}

  /**
   * Calls: {@code rb_call_into}.
   *
   * @param request the request's address, not used if its length is 0
   * @param storage where the response goes if it fits; 0 with a capacity of 0 for nowhere
   * @return the response's length, or a negative number that stands for an outcome, to be taken or
   *     released once
   */
  static native long callInto(
      long handle, int entry, long request, long requestLength, long storage, long capacity);

  /** As {@link #callInto}, with a copy of part of an array as the request. */
  static native long callArray(
      long handle,
      int entry,
      byte[] request,
      int offset,
      int requestLength,
      long storage,
      long capacity);

  /** Gives the address of a direct buffer's index 0. Valid while the buffer is reachable. */
  static native long address(ByteBuffer buffer);

  /**
   * Takes an outcome: gives its bytes, and frees it.
   *
   * @param storage what the call was given
   */
  static native byte[] takeOutcome(long result, long storage, long[] out);

  /**
   * Takes a response that was handed over into an array, and frees it.
   *
   * @return its length; or -1, and nothing has changed, if it's a failure or longer than {@code
   *     capacity}
   */
  static native int takeIntoArray(long result, byte[] array, int offset, int capacity);

  /** As {@link #takeIntoArray}, into memory. */
  static native int takeIntoMemory(long result, long address, int capacity);

  /**
   * Gives the length of a response that was handed over, or -1 if it's a failure. Frees nothing.
   */
  static native long leaseLength(long result);

  /** Copies a response that was handed over. Frees nothing. */
  static native byte[] leaseBytes(long result);

  /** Makes a direct buffer over a response that was handed over. Frees nothing. */
  static native ByteBuffer leaseBuffer(long result);

  /** Frees an outcome. */
  static native void releaseOutcome(long result);

  /**
   * {@code rb_load}; {@code out[1]} becomes the handle.
   *
   * @param serviceNames the services' names, one behind the other
   * @param serviceFacts for each service its encoding and its name's length
   * @param clientSchema the client schema of a typed client; may be null
   */
  static native byte[] load(
      byte[] path,
      byte[] image,
      byte[] config,
      byte[] name,
      int flags,
      int level,
      int logCapacity,
      int threads,
      LogDelivery log,
      ServiceDelivery[] services,
      byte[] serviceNames,
      int[] serviceFacts,
      byte[] clientSchema,
      long[] out);

  /** {@code rb_name}. */
  static native byte[] name(long handle, long[] out);

  /** {@code rb_describe}. */
  static native byte[] describe(long handle, long[] out);

  /**
   * {@code rb_prepare}; {@code out} becomes the status and what an {@code rb_method} holds behind
   * its size, in that order.
   */
  static native byte[] prepare(long handle, byte[] name, int encoding, long[] out);

  /** {@code rb_prepare_id}; {@code out} as for {@link #prepare}. */
  static native byte[] prepareId(long handle, int id, int encoding, long[] out);

  /** {@code rb_prepare_typed}; {@code out} as for {@link #prepare}. */
  static native byte[] prepareTyped(
      long handle, byte[] name, byte[] fingerprint, byte[] clientSchema, long[] out);

  /** {@code rb_state}; {@code out[1]} becomes the state. */
  static native byte[] state(long handle, long[] out);

  /** {@code rb_close}; -1 waits for good. */
  static native byte[] close(long handle, long timeoutMillis, long[] out);

  /** {@code rb_inspect}. */
  static native byte[] inspect(long[] out);

  /** The library's version. */
  static native String version();

  /** {@code rb_log_set_level}. */
  static native byte[] setLogLevel(long handle, int level, long[] out);

  /** {@code rb_log_set_sink}; -1 waits for good. */
  static native byte[] setLogSink(long handle, LogDelivery log, long timeoutMillis, long[] out);

  /** {@code rb_log_flush}; -1 waits for good. */
  static native byte[] flushLogs(long handle, long timeoutMillis, long[] out);

  /** {@code rb_queue_new}; this and those that follow are by address alone. */
  static native int queueNew(long queue, long error);

  /** {@code rb_queue_poll}. */
  static native int queuePoll(
      long queue,
      long events,
      long capacity,
      long arena,
      long arenaLength,
      long timeoutMillis,
      long count);

  /** {@code rb_submit}. */
  static native int submit(long queue, long submissions, long count);

  /** {@code rb_call_with}, without the call's number. */
  static native int callWith(
      long handle, int entry, long header, long request, long length, long response);

  /** {@code rb_op_cancel}. */
  static native int opCancel(long operation, long error);

  /** {@code rb_op_detach}. */
  static native int opDetach(long operation, long error);

  /** {@code rb_op_demand}. */
  static native int opDemand(long operation, long items, long bytes, long error);

  /** {@code rb_op_write}. */
  static native int opWrite(long operation, long batch, long error);

  /** {@code rb_op_end}. */
  static native int opEnd(long operation, int status, long payload, long length, long error);

  /** {@code rb_object_release}. */
  static native int objectRelease(long object);

  /** {@code rb_close_with}. */
  static native int closeWith(long handle, long options, long report);

  /** {@code rb_service_defer}. */
  static native int serviceDefer(long call, long number, long error);

  /** {@code rb_service_reply}. */
  static native int serviceReply(long number, int status, long payload, long length, long error);

  /** {@code rb_respond}. */
  static native int respond(long response, long data, long length);

  /** {@code rb_response_release}. */
  static native void responseRelease(long response);

  /** Copies memory of the native library's to all of an array. */
  static native void read(long address, byte[] to);
}
