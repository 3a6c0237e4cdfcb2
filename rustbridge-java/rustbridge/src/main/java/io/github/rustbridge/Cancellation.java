package io.github.rustbridge;

import io.github.rustbridge.calls.CancelSignal;

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
  final CancelSignal signal = new CancelSignal();

  /** Creates a cancellation that isn't cancelled yet. */
  public Cancellation() {}

  /**
   * Cancels all calls whose options contain it, including later calls. Further calls of this method
   * have no effect.
   */
  public void cancel() {
    signal.cancel();
  }

  /**
   * Reports whether {@link #cancel()} was called.
   *
   * @return whether it's cancelled
   */
  public boolean isCancelled() {
    return signal.isCancelled();
  }
}
