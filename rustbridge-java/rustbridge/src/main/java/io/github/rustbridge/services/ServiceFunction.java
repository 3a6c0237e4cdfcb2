package io.github.rustbridge.services;

/** A function of the application that plugins call. */
public interface ServiceFunction {
  /**
   * Answers a call.
   *
   * @param request the request
   * @param timeoutNanos the time that is left; -1 for no limit
   * @param trace 16 bytes of trace ID, 8 of span ID and 4 of flags; null for none
   * @param state the trace's state; null without a trace
   * @param metadata the metadata in the layout of the host ABI; null for none
   * @return a value that {@link #write} accepts, or a {@link java.util.concurrent.CompletionStage}
   *     of such a value
   * @throws Exception if the call fails
   */
  Object answer(byte[] request, long timeoutNanos, byte[] trace, byte[] state, byte[] metadata)
      throws Exception;

  /**
   * Encodes a response.
   *
   * @param response a value that {@link #answer} returned, or its stage contained
   * @return the response
   */
  byte[] write(Object response);

  /**
   * Encodes an exception whose type the plugin distinguishes.
   *
   * @param thrown the exception with which the call fails
   * @return the error payload, or null if the exception is sent without its type
   */
  default byte[] typedPayload(Throwable thrown) {
    return null;
  }
}
