package io.github.rustbridge.jni;

import io.github.rustbridge.interop.ServiceSink;

/**
 * Takes plugins' calls of a service from the native library, on their threads, and passes them on.
 * The library holds a reference to this until its instance is closed.
 */
final class ServiceDelivery {
  private final ServiceSink sink;

  ServiceDelivery(ServiceSink sink) {
    this.sink = sink;
  }

  /**
   * Takes one call; called by the native library. Throws nothing.
   *
   * @param call the {@code rb_service_call}; or, without a request, the number of one that nobody
   *     waits for any more
   * @return the status
   */
  int deliver(
      long call,
      long response,
      byte[] request,
      long timeoutNanos,
      byte[] trace,
      byte[] state,
      byte[] metadata,
      long number) {
    if (request == null) {
      sink.cancelled(call);
      return 0;
    }
    return sink.call(call, response, request, timeoutNanos, trace, state, metadata, number);
  }
}
