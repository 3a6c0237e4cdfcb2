package io.github.rustbridge.jni;

import io.github.rustbridge.RawResponse;
import io.github.rustbridge.spi.Lease;
import io.github.rustbridge.spi.PreparedMethod;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A response in the plugin's memory.
 *
 * <p>What reads the memory holds the lock of the lease, and so does what gives it back. The direct
 * buffer is made when somebody asks for it: making one costs several times the call, and the array
 * is as often what's wanted.
 */
final class JniResponse extends RawResponse {
  private final long outcome;
  private final long length;
  private final OutcomeLease lease;
  private ByteBuffer view;

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
        if (view == null) {
          view =
              (length == 0 ? ByteBuffer.allocateDirect(0) : Native.leaseBuffer(outcome))
                  .asReadOnlyBuffer();
        }
        return view.duplicate().order(ByteOrder.nativeOrder());
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
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private void checkOpen() {
    if (lease.isClosed()) {
      throw new IllegalStateException(
          "the response is closed: its memory was given back to the plugin");
    }
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
