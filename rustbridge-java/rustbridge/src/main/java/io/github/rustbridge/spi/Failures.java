package io.github.rustbridge.spi;

import io.github.rustbridge.PluginException;

/** Creates exceptions from statuses and error payloads, in the same way for all backends. */
public final class Failures {
  private Failures() {}

  /**
   * Creates the exception of a failed call.
   *
   * @param status the status, as a number of the host ABI
   * @param payload the error payload: one JSON object in UTF-8, or empty. Any other payload becomes
   *     the message
   * @return the exception, for the caller to throw
   */
  public static PluginException of(int status, byte[] payload) {
    return PluginException.of(status, payload);
  }
}
