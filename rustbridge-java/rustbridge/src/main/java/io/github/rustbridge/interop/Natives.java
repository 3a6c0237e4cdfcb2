package io.github.rustbridge.interop;

import java.nio.ByteBuffer;

/**
 * The host ABI's functions for asynchronous calls, with addresses as parameters: each method calls
 * the function of its name, with the same parameters and result. Only this module reads and writes
 * the memory at the addresses, in direct buffers, so that the backends needn't marshal it again.
 *
 * <p>For backends only; it may change with every version.
 *
 * <p>An address belongs to a direct buffer that stays reachable during the call, or to the native
 * library; 0 is null.
 */
public interface Natives {
  /**
   * Returns the address of a direct buffer.
   *
   * @param buffer the buffer
   * @return the address of its index 0, valid while the buffer is reachable
   */
  long address(ByteBuffer buffer);

  /**
   * Copies the native library's memory.
   *
   * @param address the address of the first byte
   * @param to the array that is filled completely
   */
  void read(long address, byte[] to);

  /**
   * {@code rb_queue_new}.
   *
   * @param queue the address that receives the queue's number
   * @param error an {@code rb_response}
   * @return the status
   */
  int newQueue(long queue, long error);

  /**
   * {@code rb_queue_poll}. It waits, so a virtual thread must not call it.
   *
   * @param queue the queue
   * @param events the address that receives the events
   * @param capacity the largest number of events
   * @param arena the address that receives the payloads
   * @param arenaLength the size of the memory for payloads in bytes
   * @param timeoutMillis how long to wait
   * @param count the address that receives the number of events
   * @return the status
   */
  int next(
      long queue,
      long events,
      long capacity,
      long arena,
      long arenaLength,
      long timeoutMillis,
      long count);

  /**
   * {@code rb_submit}.
   *
   * @param queue the queue
   * @param submissions the submissions
   * @param count the number of submissions
   * @return the status
   */
  int submit(long queue, long submissions, long count);

  /**
   * {@code rb_call_with}, without the call's ID.
   *
   * @param handle the instance's handle
   * @param entry the entry
   * @param header the call context
   * @param request the request
   * @param length its length in bytes
   * @param response an {@code rb_response}
   * @return the status
   */
  int callWith(long handle, int entry, long header, long request, long length, long response);

  /**
   * {@code rb_op_cancel}.
   *
   * @param operation the asynchronous call's ID
   * @param error an {@code rb_response}
   * @return the status
   */
  int cancel(long operation, long error);

  /**
   * {@code rb_op_detach}.
   *
   * @param operation the asynchronous call's ID
   * @param error an {@code rb_response}
   * @return the status
   */
  int detach(long operation, long error);

  /**
   * {@code rb_op_demand}.
   *
   * @param operation the asynchronous call's ID
   * @param items the number of additional items
   * @param bytes the number of additional bytes
   * @param error an {@code rb_response}
   * @return the status
   */
  int demand(long operation, long items, long bytes, long error);

  /**
   * {@code rb_op_write}.
   *
   * @param operation the asynchronous call's ID
   * @param batch an {@code rb_batch}
   * @param error an {@code rb_response}
   * @return the status
   */
  int write(long operation, long batch, long error);

  /**
   * {@code rb_op_end}.
   *
   * @param operation the asynchronous call's ID
   * @param status the status with which the items end
   * @param payload the error's payload
   * @param length its length in bytes
   * @param error an {@code rb_response}
   * @return the status
   */
  int end(long operation, int status, long payload, long length, long error);

  /**
   * {@code rb_object_release}.
   *
   * @param object the object
   * @return the status
   */
  int releaseObject(long object);

  /**
   * {@code rb_response_release}.
   *
   * @param response an {@code rb_response}
   */
  void releaseResponse(long response);

  /**
   * {@code rb_close_with}.
   *
   * @param handle the instance's handle
   * @param options an {@code rb_close_options}
   * @param report an {@code rb_response}
   * @return the status
   */
  int closeWith(long handle, long options, long report);

  /**
   * {@code rb_service_defer}.
   *
   * @param call the call that the service's function received
   * @param number the address that receives the call's number
   * @param error an {@code rb_response}
   * @return the status
   */
  int serviceDefer(long call, long number, long error);

  /**
   * {@code rb_service_reply}.
   *
   * @param number the number of the service call
   * @param status the status of the service call
   * @param payload the response, or the error's payload
   * @param length its length in bytes
   * @param error an {@code rb_response}
   * @return the status
   */
  int serviceReply(long number, int status, long payload, long length, long error);

  /**
   * {@code rb_respond}.
   *
   * @param response the response that the service's function received
   * @param data the bytes
   * @param length the number of bytes
   * @return the status
   */
  int respond(long response, long data, long length);
}
