package io.github.rustbridge.spi;

import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import io.github.rustbridge.internal.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Makes exceptions of statuses and error payloads, the same for all backends. */
public final class Failures {
  private Failures() {}

  /**
   * Makes the exception of a failed call.
   *
   * @param status the status, a number of the host ABI
   * @param payload the error payload: one JSON object in UTF-8, or empty; one that is something
   *     else still reaches the user, as the message
   * @return the exception, to be thrown
   */
  public static PluginException of(int status, byte[] payload) {
    Status known = Status.of(status);
    if (payload.length == 0) {
      return new PluginException(
          known, "", "the call ended with the status " + known + " and no message", Map.of(), null);
    }
    String text = new String(payload, StandardCharsets.UTF_8);
    if (!(Json.tryParse(text) instanceof Map<?, ?> error)) {
      return new PluginException(known, "", text, Map.of(), null);
    }
    Object details = error.get("details");
    return new PluginException(
        known,
        error.get("type") instanceof String type ? type : "",
        error.get("message") instanceof String message ? message : text,
        details == null || details instanceof Map
            ? Json.object(details)
            : Map.of("details", details),
        error.get("backtrace") instanceof String backtrace ? backtrace : null);
  }
}
