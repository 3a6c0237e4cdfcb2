package io.github.rustbridge;

import java.nio.ByteBuffer;

/**
 * The functions of the host ABI for what ends later, by address: each takes and gives what the
 * function of that name does. What is at the addresses is written and read by this module alone, in
 * direct buffers, so that the backends marshal nothing twice.
 *
 * <p>For backends only; it may change with every version.
 *
 * <p>An address is one of a direct buffer that stays reachable meanwhile, or of the native
 * library's; 0 is null.
 */
public interface Natives {
  /**
   * Tells where a direct buffer begins.
   *
   * @param buffer the buffer
   * @return the address of its index 0, valid while the buffer is reachable
   */
  long address(ByteBuffer buffer);

  /**
   * Copies memory of the native library's.
   *
   * @param address where it is
   * @param to where it goes; all of it is filled
   */
  void read(long address, byte[] to);

  /**
   * {@code rb_queue_new}.
   *
   * @param queue where the number goes
   * @param error an {@code rb_response}
   * @return the status
   */
  int newQueue(long queue, long error);

  /**
   * {@code rb_queue_poll}; waits, so a virtual thread mustn't call it.
   *
   * @param queue the queue
   * @param events where events go
   * @param capacity how many fit
   * @param arena where payloads go
   * @param arenaLength how much fits
   * @param timeoutMillis how long to wait
   * @param count where the number of events goes
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
   * @param submissions what is begun
   * @param count the number
   * @return the status
   */
  int submit(long queue, long submissions, long count);

  /**
   * {@code rb_call_with}, without the call's number.
   *
   * @param handle the instance's handle
   * @param entry the entry
   * @param header the header
   * @param request the request
   * @param length its length in bytes
   * @param response an {@code rb_response}
   * @return the status
   */
  int callWith(long handle, int entry, long header, long request, long length, long response);

  /**
   * {@code rb_op_cancel}.
   *
   * @param operation the operation
   * @param error an {@code rb_response}
   * @return the status
   */
  int cancel(long operation, long error);

  /**
   * {@code rb_op_detach}.
   *
   * @param operation the operation
   * @param error an {@code rb_response}
   * @return the status
   */
  int detach(long operation, long error);

  /**
   * {@code rb_op_demand}.
   *
   * @param operation the operation
   * @param items how many items more
   * @param bytes how many bytes more
   * @param error an {@code rb_response}
   * @return the status
   */
  int demand(long operation, long items, long bytes, long error);

  /**
   * {@code rb_op_write}.
   *
   * @param operation the operation
   * @param batch an {@code rb_batch}
   * @param error an {@code rb_response}
   * @return the status
   */
  int write(long operation, long batch, long error);

  /**
   * {@code rb_op_end}.
   *
   * @param operation the operation
   * @param status how the items end
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
   * @param call what the service's function was given
   * @param number where the number goes
   * @param error an {@code rb_response}
   * @return the status
   */
  int serviceDefer(long call, long number, long error);

  /**
   * {@code rb_service_reply}.
   *
   * @param number the service call
   * @param status how it has ended
   * @param payload the answer, or the error's payload
   * @param length its length in bytes
   * @param error an {@code rb_response}
   * @return the status
   */
  int serviceReply(long number, int status, long payload, long length, long error);

  /**
   * {@code rb_respond}.
   *
   * @param response what the service's function was given
   * @param data the bytes
   * @param length how many
   * @return the status
   */
  int respond(long response, long data, long length);
}
