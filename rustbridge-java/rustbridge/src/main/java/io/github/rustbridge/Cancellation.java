package io.github.rustbridge;

import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Cancels calls from elsewhere, all that were given it at once: also those that wait, which can't
 * be reached otherwise.
 *
 * <pre>{@code
 * Cancellation cancellation = new Cancellation();
 * button.onClick(cancellation::cancel);
 * String page = fetch.call(request, CallOptions.defaults().withCancellation(cancellation));
 * }</pre>
 *
 * <p>A call that's cancelled throws {@link java.util.concurrent.CancellationException}. Safe for use
 * from any thread.
 */
public final class Cancellation {
  private final ConcurrentLinkedQueue<Runnable> told = new ConcurrentLinkedQueue<>();
  private volatile boolean cancelled;

  /** Makes one that isn't cancelled. */
  public Cancellation() {}

  /** Cancels all that were given it, and those to come. Does nothing the second time. */
  public void cancel() {
    cancelled = true;
    tell();
  }

  /**
   * Tells whether {@link #cancel()} was called.
   *
   * @return whether it's cancelled
   */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Has something run once it's cancelled, at once if it is; it must not block. */
  void register(Runnable task) {
    told.add(task);
    if (cancelled) {
      tell();
    }
  }

  void forget(Runnable task) {
    told.remove(task);
  }

  private void tell() {
    for (Runnable task = told.poll(); task != null; task = told.poll()) {
      task.run();
    }
  }
}
