package io.github.rustbridge.ffm;

import io.github.rustbridge.RawResponse;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.spi.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A response in the plugin's memory, which has to be released.
 *
 * <p>All reads hold the lock, so that no other thread releases the memory during a read. The
 * garbage collector needs no lock: it releases only responses that are unreachable, and so can't be
 * read.
 */
final class LeasedResponse extends SegmentResponse {
  /**
   * Whether a segment and all that's made of it hold the very same scope, so that they're gone when
   * that is. They do so far, but nobody has promised it.
   */
  private static final boolean SCOPES_ARE_SHARED = scopesAreShared();

  private final long address;
  private final ResponseLease lease;

  /** How many segments that live as long as they're reachable hold this. Guarded by the lock. */
  private int views;

  /** Whether nothing but them may read the memory. Guarded by the lock. */
  private boolean closed;

  /**
   * Takes a response.
   *
   * @param target where it came from
   * @param response an {@code rb_response}, which the caller doesn't release
   */
  LeasedResponse(CallTarget target, long response) {
    super(Response.length(response));
    address = Response.data(response);
    lease = new ResponseLease(this, target, response);
    if (lease.release != 0) {
      lease.open();
    }
  }

  @SuppressWarnings("ReferenceEquality") // It's about who is reachable, not about who is equal.
  private static boolean scopesAreShared() {
    MemorySegment segment = Arena.ofAuto().allocate(2).asReadOnly();
    MemorySegment.Scope scope = segment.scope();
    return segment.scope() == scope
        && segment.asSlice(1).scope() == scope
        && MemorySegment.ofBuffer(segment.asByteBuffer().slice(1, 1)).scope() == scope;
  }

  @Override
  Object lock() {
    return lease;
  }

  // Restricted: a wrong length would make a segment over foreign memory. This is the plugin's word
  // for its own memory.
  @Override
  @SuppressWarnings("restricted")
  MemorySegment toSegment(Arena arena, Runnable ended) {
    return MemorySegment.ofAddress(address)
        .reinterpret(length(), arena, segment -> ended.run())
        .asReadOnly();
  }

  @Override
  MemorySegment toView() {
    if (length() == 0) {
      return MemorySegment.ofAddress(address).asReadOnly();
    }
    if (!SCOPES_ARE_SHARED) {
      return checkedSegment();
    }
    MemorySegment segment = toSegment(Arena.ofAuto(), () -> {});
    View held = new View(segment.scope());
    // If there's no memory to hold it, one too many only keeps the response.
    views++;
    held.hold();
    return segment;
  }

  @Override
  void release() {
    closed = true;
    releaseUnlessRead();
  }

  /** A segment and all that was made of it are gone. */
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

  @Override
  public byte[] toByteArray() {
    try {
      synchronized (lease) {
        return Response.bytes(address, length());
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte getByte(long offset) {
    try {
      synchronized (lease) {
        return Native.getByte(at(offset, Byte.BYTES));
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public int getInt(long offset) {
    try {
      synchronized (lease) {
        return Native.getInt(at(offset, Integer.BYTES));
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public long getLong(long offset) {
    try {
      synchronized (lease) {
        return Native.getLong(at(offset, Long.BYTES));
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** The address of a value. */
  private long at(long offset, int size) {
    checkOpen();
    checkRange(offset, size);
    return address + offset;
  }

  /**
   * Holds the response as long as anything is there that has a segment's scope. Not by an action of
   * its arena's: the JVM's cleaner runs that some time, on a thread that's no place for a plugin's
   * code, and whoever has waited for a collection couldn't wait for it.
   */
  private final class View extends Lease.View {
    View(MemorySegment.Scope scope) {
      super(scope);
    }

    @Override
    protected void gone() {
      viewIsGone();
    }
  }

  /** Gives the memory back. Holds nothing of the response. */
  private static final class ResponseLease extends Lease {
    private final long data;
    private final long capacity;
    private final long length;
    private final long release;
    private final long owner;

    ResponseLease(RawResponse holder, CallTarget target, long response) {
      super(holder, target, Response.length(response));
      data = Response.data(response);
      capacity = Response.capacity(response);
      length = Response.length(response);
      release = Response.release(response);
      owner = Response.owner(response);
    }

    @Override
    protected void release() {
      if (release == 0) {
        // An empty response may have nothing to release.
        return;
      }
      Scratch scratch = Scratch.take();
      try {
        Response.write(scratch.response, data, capacity, length, release, owner);
        Native.releaseResponse(scratch.response);
      } finally {
        scratch.give();
      }
    }
  }
}
