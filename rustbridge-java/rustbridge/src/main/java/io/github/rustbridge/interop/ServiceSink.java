package io.github.rustbridge.interop;

/**
 * Receives a plugin's calls of one service. The plugin's threads and the library's threads may call
 * it, any number at once.
 *
 * <p>For backends only; it may change with every version.
 */
public interface ServiceSink {
  /** The status that the backend returns if the sink no longer exists: {@code RB_UNAVAILABLE}. */
  int UNAVAILABLE = 14;

  /**
   * Answers a call. Must not throw.
   *
   * @param call the {@code rb_service_call}, valid until this returns
   * @param response the {@code rb_response}, valid until this returns
   * @param request the request
   * @param timeoutNanos the time that is left; -1 for no limit
   * @param trace 16 bytes of trace ID, 8 of span ID and 4 of flags; null for none
   * @param state the trace's state; null without a trace
   * @param metadata the metadata in the layout of the host ABI; null for none
   * @param number the number that the plugin's caller has put into its call context; 0 for none
   * @return the status
   */
  int call(
      long call,
      long response,
      byte[] request,
      long timeoutNanos,
      byte[] trace,
      byte[] state,
      byte[] metadata,
      long number);

  /**
   * Reports that the plugin no longer waits for an asynchronous response. Must not throw.
   *
   * @param number the number of the call
   */
  void cancelled(long number);
}
