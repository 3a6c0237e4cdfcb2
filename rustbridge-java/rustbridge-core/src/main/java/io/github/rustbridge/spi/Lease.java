package io.github.rustbridge.spi;

import io.github.rustbridge.RawResponse;
import java.lang.ref.PhantomReference;

/**
 * Keeps track of a response that the plugin still owns, so that one that is dropped without being closed is released by
 * the garbage collector, with a warning that says where it came from.
 *
 * <p>A backend's {@link RawResponse} holds one of a subclass that knows how to release, and nothing of the response
 * itself:
 *
 * <pre>{@code
 * final class OutcomeLease extends Lease {
 *   private final long outcome;
 *
 *   OutcomeLease(RawResponse response, PreparedMethod method, long outcome) {
 *     super(response, method);
 *     this.outcome = outcome;
 *   }
 *
 *   protected void release() {
 *     // rb_outcome_release(outcome)
 *   }
 * }
 *
 * // In the constructor of the response, as its last act:
 * lease = new OutcomeLease(this, method, outcome);
 * lease.open();
 * }</pre>
 *
 * <p>Every method of the response that touches the memory ends with {@code Reference.reachabilityFence(this)} in a
 * {@code finally}: otherwise the JVM may find the response unreachable, and so release, while the last read is going on.
 */
public abstract class Lease extends PhantomReference<RawResponse> {
  private boolean closed;

  /**
   * Makes a lease that isn't tracked yet.
   *
   * @param response the object whose reachability decides
   * @param method where it came from
   */
  protected Lease(RawResponse response, PreparedMethod method) {
    super(response, null);
  }

  /** Gives the memory back. Called once, by whoever closes first or by the thread that finds the response dropped. */
  protected abstract void release();

  /** Begins to track the response. */
  public final void open() {}

  /**
   * Tells whether the memory was given back, or is just being. One plain read.
   *
   * @return whether it's closed
   */
  public final boolean isClosed() {
    return closed;
  }

  /**
   * Releases once, whoever comes first. To be called inside a {@code Reference.reachabilityFence} of the response.
   *
   * @return whether this call did it
   */
  public final boolean close() {
    synchronized (this) {
      if (closed) {
        return false;
      }
      closed = true;
    }
    release();
    return true;
  }
}
