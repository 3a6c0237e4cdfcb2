package io.github.rustbridge;

import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Cancels calls from other code: all calls whose options contain it, including blocking calls.
 *
 * <pre>{@code
 * Cancellation cancellation = new Cancellation();
 * button.onClick(cancellation::cancel);
 * String page = fetch.call(request, CallOptions.defaults().withCancellation(cancellation));
 * }</pre>
 *
 * <p>A cancelled call throws {@link java.util.concurrent.CancellationException}. Safe for use from
 * any thread.
 */
public final class Cancellation {
  private final ConcurrentLinkedQueue<Runnable> told = new ConcurrentLinkedQueue<>();
  private volatile boolean cancelled;

  /** Creates a cancellation that isn't cancelled yet. */
  public Cancellation() {}

  /**
   * Cancels all calls whose options contain it, including later calls. Further calls of this method
   * have no effect.
   */
  public void cancel() {
    cancelled = true;
    tell();
  }

  /**
   * Reports whether {@link #cancel()} was called.
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
