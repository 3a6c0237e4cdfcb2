package io.github.rustbridge;

/**
 * Takes a plugin's calls of one service, on the plugin's threads or the library's, any number at
 * once.
 *
 * <p>For the backends: applications have no use for it, and it may change with every version.
 */
public interface ServiceSink {
  /** What the backend answers for a sink that is gone: {@code RB_UNAVAILABLE}. */
  int UNAVAILABLE = 14;

  /**
   * Answers a call. Throws nothing.
   *
   * @param call the {@code rb_service_call}, valid until this returns
   * @param response the {@code rb_response}, valid until this returns
   * @param request the request
   * @param timeoutNanos how much time is left; -1 for no limit
   * @param trace 16 bytes of id, 8 of the span and 4 of flags; null for none
   * @param state the trace's state; null without a trace
   * @param metadata as the boundary has it; null for none
   * @param number the number that the plugin's caller has passed in the header of its call; 0 for
   *     none
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
   * Is told that nobody waits any more for an answer that comes later. Throws nothing.
   *
   * @param number the call's number
   */
  void cancelled(long number);
}
