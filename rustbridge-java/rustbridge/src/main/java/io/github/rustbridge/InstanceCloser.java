package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.NativeCalls;
import io.github.rustbridge.internal.DropCleaner;
import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.interop.Backend;
import java.lang.ref.Cleaner;
import java.time.Duration;

/**
 * Closes an instance, on request or when the garbage collector finds it dropped. Doesn't refer to
 * the plugin.
 */
final class InstanceCloser implements Runnable {
  /** The time to wait for running calls, unless the application specifies another one. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Backend<?> backend;
  private final long handle;
  private final String name;
  private volatile boolean done;

  InstanceCloser(Backend<?> backend, long handle, String name) {
    this.backend = backend;
    this.handle = handle;
    this.name = name;
  }

  /**
   * Closes the instance when its plugin becomes unreachable.
   *
   * @return the registration, to be cleaned after the instance was closed
   */
  Cleaner.Cleanable watch(Object plugin) {
    return DropCleaner.CLEANER.register(plugin, this);
  }

  boolean isDone() {
    return done;
  }

  void close(long timeoutMillis) {
    close(() -> backend.close(handle, timeoutMillis));
  }

  /** Closes the instance, and cancels pending calls after a time. */
  void close(long timeoutMillis, long cancelAfterMillis) {
    close(() -> {
      Answer answer =
          NativeCalls.close(backend.natives(), handle, timeoutMillis, cancelAfterMillis);
      if (!answer.isFine()) {
        throw PluginFailures.exceptionOf(answer);
      }
    });
  }

  private void close(Runnable closing) {
    if (done) {
      return;
    }
    // Without a lock: loggers run on another thread meanwhile, and may close the instance, too. The
    // core lets all callers wait, and reports success to one of them.
    try {
      closing.run();
      done = true;
    } catch (PluginException error) {
      if (error.status() == Status.UNAVAILABLE) {
        // Another thread has closed it.
        done = true;
        return;
      }
      if (backend.state(handle) == State.CLOSED.number()) {
        // The destructor panicked.
        done = true;
      }
      throw error;
    }
  }

  /** Closes an instance for which no plugin was created. */
  void abandon(Throwable reason) {
    try {
      close(TIMEOUT.toMillis());
    } catch (PluginException error) {
      reason.addSuppressed(error);
    }
  }

  /** The plugin has become unreachable, or was closed. */
  @Override
  public void run() {
    if (done) {
      return;
    }
    String what = "plugin instance `" + name + "` was dropped without close()";
    Throwable failure = null;
    try {
      close(TIMEOUT.toMillis());
    } catch (RuntimeException error) {
      failure = error;
      what += ", and closing it now failed";
    }
    Loggers.of("rustbridge").log(System.Logger.Level.WARNING, what, failure);
  }
}
