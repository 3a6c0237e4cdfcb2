package io.github.rustbridge;

import io.github.rustbridge.internal.Loggers;
import java.lang.ref.Cleaner;

/**
 * Closes an instance, on request or when the garbage collector finds it dropped. Doesn't refer to
 * the plugin.
 */
final class Ending implements Runnable {
  /** Not loaded before there is a plugin, since it starts a thread. */
  private static final class Dropped {
    static final Cleaner CLEANER = Cleaner.create();
  }

  private final Backend backend;
  private final long handle;
  private final String name;
  private volatile boolean done;

  Ending(Backend backend, long handle, String name) {
    this.backend = backend;
    this.handle = handle;
    this.name = name;
  }

  /** What tells of things that were dropped unclosed. */
  static Cleaner cleaner() {
    return Dropped.CLEANER;
  }

  /**
   * Has an instance ended when its plugin is found unreachable.
   *
   * @return what is to be cleaned once it has ended otherwise
   */
  Cleaner.Cleanable watch(Plugin plugin) {
    return Dropped.CLEANER.register(plugin, this);
  }

  boolean isDone() {
    return done;
  }

  void end(long timeoutMillis) {
    end(() -> backend.close(handle, timeoutMillis));
  }

  /** Ends it, and has what is pending cancelled after a time of its own. */
  void end(long timeoutMillis, long cancelAfterMillis) {
    end(() -> {
      Answer answer = Operations.close(backend.natives(), handle, timeoutMillis, cancelAfterMillis);
      if (!answer.isFine()) {
        throw answer.failure();
      }
    });
  }

  private void end(Runnable closing) {
    if (done) {
      return;
    }
    // Without a lock: it runs loggers on another thread meanwhile, and these may close, too. The
    // core lets all wait and tells one that it did it.
    try {
      closing.run();
      done = true;
    } catch (PluginException error) {
      if (error.status() == Status.UNAVAILABLE) {
        // Another thread was faster.
        done = true;
        return;
      }
      if (backend.state(handle) == State.CLOSED.number()) {
        // Its destructor panicked.
        done = true;
      }
      throw error;
    }
  }

  /** Ends an instance that never became a plugin. */
  void abandon(Throwable reason) {
    try {
      end(Plugin.CLOSE_TIMEOUT.toMillis());
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
      end(Plugin.CLOSE_TIMEOUT.toMillis());
    } catch (RuntimeException error) {
      failure = error;
      what += ", and closing it now failed";
    }
    Loggers.of("rustbridge").log(System.Logger.Level.WARNING, what, failure);
  }
}
