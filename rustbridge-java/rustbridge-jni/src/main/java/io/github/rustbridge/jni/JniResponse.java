package io.github.rustbridge.jni;

import io.github.rustbridge.PreparedMethod;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.spi.Lease;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A response in the plugin's memory.
 *
 * <p>What reads the memory holds the lock of the lease, and so does what gives it back. The direct
 * buffer is made when somebody asks for it: making one costs several times the call, and the array
 * is as often what's wanted.
 *
 * <p>A buffer, or what was made of it, may be all that is kept of a response. So it has to keep
 * this object reachable, else the memory were given back while it's read; yet a direct buffer has
 * no field for that. A cleaner's action that does nothing holds this object as long as the buffer
 * lives.
 */
final class JniResponse extends RawResponse {
  private final long outcome;
  private final long length;
  private final OutcomeLease lease;

  /** Weakly, as it's the buffer that holds this object. */
  private WeakReference<ByteBuffer> view;

  /** What holds this object for the buffer; null where there is none. */
  private Cleaner.Cleanable held;

  /**
   * Wraps an outcome.
   *
   * @param outcome a negative result, which is this object's from now on; 0 for an empty response
   *     without memory
   */
  JniResponse(PreparedMethod method, long outcome, long length) {
    this.outcome = outcome;
    this.length = length;
    lease = new OutcomeLease(this, method, outcome);
    if (outcome != 0) {
      lease.open();
    }
  }

  @Override
  public long length() {
    try {
      checkOpen();
      return length;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public ByteBuffer buffer() {
    try {
      synchronized (lease) {
        checkOpen();
        if (length == 0) {
          return ByteBuffer.allocateDirect(0).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
        }
        ByteBuffer memory = view == null ? null : view.get();
        if (memory == null) {
          memory = Native.leaseBuffer(outcome);
          view = new WeakReference<>(memory);
          held = Views.CLEANER.register(memory, this::stay);
        }
        return memory.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte[] toByteArray() {
    try {
      synchronized (lease) {
        checkOpen();
        return length == 0 ? new byte[0] : Native.leaseBytes(outcome);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public boolean isClosed() {
    return lease.isClosed();
  }

  @Override
  public void close() {
    try {
      synchronized (lease) {
        lease.close();
        if (held != null) {
          held.clean();
          held = null;
        }
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** What the cleaner does when the buffer is gone: it no longer holds this object. */
  private void stay() {}

  private void checkOpen() {
    if (lease.isClosed()) {
      throw new IllegalStateException(
          "the response is closed: its memory was given back to the plugin");
    }
  }

  /** Not loaded before somebody asks for a buffer, since it starts a thread. */
  private static final class Views {
    static final Cleaner CLEANER = Cleaner.create();
  }

  /** Gives the outcome back. Holds nothing of the response. */
  private static final class OutcomeLease extends Lease {
    private final long outcome;

    OutcomeLease(RawResponse response, PreparedMethod method, long outcome) {
      super(response, method);
      this.outcome = outcome;
    }

    @Override
    protected void release() {
      if (outcome != 0) {
        Native.releaseOutcome(outcome);
      }
    }
  }
}
