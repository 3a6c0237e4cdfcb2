package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.FailureMapping;
import io.github.rustbridge.internal.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

/**
 * Represents failures as {@link PluginException}. Of the application's exceptions, a {@link
 * PluginException} keeps its status and type; others have the name of their class as the error
 * type.
 */
final class PluginFailures implements FailureMapping {
  static final PluginFailures INSTANCE = new PluginFailures();

  private PluginFailures() {}

  /** Creates the exception for a failed call. */
  static PluginException exceptionOf(Answer answer) {
    return PluginException.of(answer.status(), answer.bytes(), answer.headers(), answer.trailers());
  }

  @Override
  public PluginException exception(Answer answer) {
    return exceptionOf(answer);
  }

  /** Returns the exception without the wrapper that {@code CompletableFuture} adds. */
  static Throwable cause(Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  /** Reports whether the exception itself determines the status that a plugin receives. */
  static boolean hasStatus(Throwable thrown) {
    Throwable cause = cause(thrown);
    return cause instanceof PluginException || cause instanceof CancellationException;
  }

  @Override
  public int status(Throwable thrown) {
    return statusOf(thrown).number();
  }

  private static Status statusOf(Throwable thrown) {
    Throwable cause = cause(thrown);
    if (cause instanceof PluginException failure) {
      // A function that throws has failed, even if its exception has the status OK.
      return failure.status() == Status.OK ? Status.INTERNAL : failure.status();
    }
    return cause instanceof CancellationException ? Status.CANCELLED : Status.INTERNAL;
  }

  @Override
  public byte[] payload(Throwable thrown) {
    Throwable cause = cause(thrown);
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("code", statusOf(thrown).name());
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
