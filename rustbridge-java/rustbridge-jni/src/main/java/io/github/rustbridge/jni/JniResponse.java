package io.github.rustbridge.jni;

import io.github.rustbridge.RawResponse;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.spi.Lease;
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
 * <p>A buffer, or what was made of it, can't know that the response was closed, so the memory has
 * to stay as long as anybody may read it: then {@link #close()} leaves the release to the moment at
 * which the collector finds the buffer gone. Until then a view holds this object, for a direct
 * buffer has no field for that; else a response of which only the buffer is kept were found
 * dropped.
 */
final class JniResponse extends RawResponse {
  private final long outcome;
  private final long length;
  private final OutcomeLease lease;

  /** Weakly, as it's the buffer that holds this object. */
  private WeakReference<ByteBuffer> view;

  /** How many buffers hold this object. Guarded by the lock. */
  private int views;

  private volatile boolean closed;

  /**
   * Wraps an outcome.
   *
   * @param outcome a negative result, which is this object's from now on; 0 for an empty response
   *     without memory
   */
  JniResponse(CallTarget target, long outcome, long length) {
    this.outcome = outcome;
    this.length = length;
    lease = new OutcomeLease(this, target, length, outcome);
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
          WeakReference<ByteBuffer> reference = new WeakReference<>(memory);
          // If there's no memory for the view, one too many only keeps the response.
          views++;
          new View(memory).hold();
          view = reference;
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
    return closed;
  }

  @Override
  public void close() {
    try {
      synchronized (lease) {
        closed = true;
        releaseUnlessRead();
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** A buffer and all that was made of it are gone. */
  private void viewIsGone() {
    synchronized (lease) {
      views--;
      releaseUnlessRead();
    }
  }

  private void releaseUnlessRead() {
    if (closed && views == 0) {
      lease.close();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(
          "the response is closed: its memory was given back to the plugin");
    }
  }

  /** Holds the response as long as a buffer is there. */
  private final class View extends Lease.View {
    View(ByteBuffer memory) {
      super(memory);
    }

    @Override
    protected void gone() {
      viewIsGone();
    }
  }

  /** Gives the outcome back. Holds nothing of the response. */
  private static final class OutcomeLease extends Lease {
    private final long outcome;

    OutcomeLease(RawResponse response, CallTarget target, long length, long outcome) {
      super(response, target, length);
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
