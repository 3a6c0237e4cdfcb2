package io.github.rustbridge.calls;

/**
 * The thread that polls the completion queue. It's recognized by its class, and runs no application
 * code.
 */
final class PollerThread extends Thread {
  PollerThread(Runnable poller) {
    super(null, poller, "rustbridge poller", 0, false);
    setDaemon(true);
    setContextClassLoader(null);
  }

  /** Reports whether the current thread polls the completion queue. */
  static boolean isCurrent() {
    return Thread.currentThread() instanceof PollerThread;
  }
}
