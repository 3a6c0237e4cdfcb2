package io.github.rustbridge;

import io.github.rustbridge.internal.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

/**
 * The status and payload of an application's exception, for a plugin. A {@link PluginException}
 * keeps its own; others have the name of their class as the error type.
 */
final class Thrown {
  private Thrown() {}

  static Throwable cause(Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  /** Whether it says by itself which status a plugin gets. */
  static boolean hasStatus(Throwable thrown) {
    Throwable cause = cause(thrown);
    return cause instanceof PluginException || cause instanceof CancellationException;
  }

  static int status(Throwable thrown) {
    Throwable cause = cause(thrown);
    if (cause instanceof PluginException failure) {
      // What has thrown has failed, whatever it says.
      Status status = failure.status();
      return (status == Status.OK ? Status.INTERNAL : status).number();
    }
    return (cause instanceof CancellationException ? Status.CANCELLED : Status.INTERNAL).number();
  }

  static byte[] payload(Throwable thrown) {
    Throwable cause = cause(thrown);
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("code", Status.of(status(thrown)).name());
    if (cause instanceof PluginException failure) {
      error.put("message", String.valueOf(failure.getMessage()));
      error.put("type", failure.type());
      if (!failure.details().isEmpty()) {
        error.put("details", failure.details());
      }
    } else {
      String message = cause.getMessage();
      error.put("message", message == null ? cause.toString() : message);
      error.put("type", cause.getClass().getName());
    }
    error.put("cause", Causes.keep(cause));
    return JsonText.of(error).getBytes(StandardCharsets.UTF_8);
  }
}
