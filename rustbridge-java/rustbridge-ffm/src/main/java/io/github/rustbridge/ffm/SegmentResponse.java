package io.github.rustbridge.ffm;

import io.github.rustbridge.RawResponse;
import io.github.rustbridge.spi.Lease;
import io.github.rustbridge.spi.PreparedMethod;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A response that stays in the plugin's memory, as a {@link MemorySegment}.
 *
 * <p>There are three ways to read it, and what they cost differs by far:
 *
 * <ul>
 *   <li>{@link #segment(Arena)} hands it over to an arena of yours. With a confined arena that
 *       costs nothing to speak of, and reading is as fast as reading an array.
 *   <li>{@link #get(ValueLayout.OfInt, long)} and the like read one value, {@link #toByteArray()}
 *       copies all. Each takes a lock, some nanoseconds.
 *   <li>{@link #segment()} and {@link #buffer()} give views that any thread may use, and that stop
 *       working when this is closed. The JVM has to interrupt all its threads for that: closing
 *       takes tens of microseconds then. So they're for large responses, or for code that wants
 *       them.
 * </ul>
 *
 * <pre>{@code
 * try (Arena arena = Arena.ofConfined()) {
 *   MemorySegment response = method.callRawZeroCopy(request).segment(arena);
 *   int first = response.get(ValueLayout.JAVA_INT, 0);
 * }
 * }</pre>
 */
public final class SegmentResponse extends RawResponse {
  private final long address;
  private final long length;
  private final ResponseLease lease;

  // What reads the memory, and what gives it back, holds the lease's lock. The collector doesn't
  // take it, as it only
  // gives back what nobody can reach, and so read, any more.

  /**
   * The views' arena, which is shared so that any thread can use them and close them; null until
   * asked for.
   */
  private Arena arena;

  private MemorySegment view;

  /** Whether the memory belongs to an arena of the user's. */
  private boolean moved;

  /**
   * Takes a response.
   *
   * @param method where it came from
   * @param response an {@code rb_response}, to be emptied by the caller without releasing it
   */
  SegmentResponse(PreparedMethod method, long response) {
    address = Response.data(response);
    length = Response.length(response);
    lease = new ResponseLease(this, method, response);
    if (lease.release != 0) {
      lease.open();
    }
  }

  @Override
  public long length() {
    checkOpen();
    return length;
  }

  /**
   * Hands the response over to an arena: closing that gives the memory back to the plugin. This
   * object is of no more use then, and needn't be closed.
   *
   * @param arena whose life the segment shares; a confined one makes it that thread's alone, as
   *     usual
   * @return the response, read-only
   * @throws IllegalStateException if this is closed, or was handed over before, or if the arena is
   *     closed
   * @throws WrongThreadException if it's another thread's confined arena
   */
  // Restricted: a wrong length would make a segment over foreign memory. This is the plugin's word
  // for its own memory.
  @SuppressWarnings("restricted")
  public MemorySegment segment(Arena arena) {
    Objects.requireNonNull(arena, "arena");
    synchronized (lease) {
      checkOpen();
      // The arena's cleanup holds this object, so that it isn't found dropped while the segment is
      // in use.
      MemorySegment segment =
          MemorySegment.ofAddress(address).reinterpret(length, arena, closed -> release());
      moved = true;
      return segment.asReadOnly();
    }
  }

  /**
   * Gives the bytes where they are. Any thread may use the segment, and each access after {@link
   * #close()} throws {@link IllegalStateException}, also through what was made of it: slices,
   * buffers. It makes closing expensive, see above.
   *
   * @return the response, read-only
   * @throws IllegalStateException if it's closed
   */
  // Restricted: as above.
  @SuppressWarnings("restricted")
  public MemorySegment segment() {
    synchronized (lease) {
      checkOpen();
      if (view == null) {
        arena = Arena.ofShared();
        // The cleanup has nothing to do: it makes the view hold this object, so that it isn't found
        // dropped meanwhile.
        view =
            MemorySegment.ofAddress(address)
                .reinterpret(length, arena, closed -> Reference.reachabilityFence(this))
                .asReadOnly();
      }
      return view;
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException also if the response is larger than buffers get, 2 GiB
   */
  @Override
  public ByteBuffer buffer() {
    MemorySegment segment = segment();
    if (length > Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "the response has " + length + " bytes, which no buffer can hold: use segment()");
    }
    return segment.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  @Override
  public byte[] toByteArray() {
    try {
      synchronized (lease) {
        checkOpen();
        return Response.bytes(address, length);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Reads a byte.
   *
   * @param layout how, e.g. {@link ValueLayout#JAVA_BYTE}
   * @param offset where, in bytes
   * @return the value
   * @throws IndexOutOfBoundsException if it isn't in the response
   * @throws IllegalStateException if it's closed
   */
  public byte get(ValueLayout.OfByte layout, long offset) {
    try {
      synchronized (lease) {
        return Native.MEMORY.get(layout, at(layout, offset));
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Reads an int.
   *
   * @param layout how, e.g. {@link ValueLayout#JAVA_INT}, or {@link ValueLayout#JAVA_INT_UNALIGNED}
   *     if the place may be unaligned
   * @param offset where, in bytes
   * @return the value
   * @throws IndexOutOfBoundsException if it isn't in the response
   * @throws IllegalArgumentException if the place isn't aligned as the layout says
   * @throws IllegalStateException if it's closed
   */
  public int get(ValueLayout.OfInt layout, long offset) {
    try {
      synchronized (lease) {
        return Native.MEMORY.get(layout, at(layout, offset));
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Reads a long.
   *
   * @param layout how, e.g. {@link ValueLayout#JAVA_LONG}
   * @param offset where, in bytes
   * @return the value
   * @throws IndexOutOfBoundsException if it isn't in the response
   * @throws IllegalArgumentException if the place isn't aligned as the layout says
   * @throws IllegalStateException if it's closed
   */
  public long get(ValueLayout.OfLong layout, long offset) {
    try {
      synchronized (lease) {
        return Native.MEMORY.get(layout, at(layout, offset));
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Reads a double.
   *
   * @param layout how, e.g. {@link ValueLayout#JAVA_DOUBLE}
   * @param offset where, in bytes
   * @return the value
   * @throws IndexOutOfBoundsException if it isn't in the response
   * @throws IllegalArgumentException if the place isn't aligned as the layout says
   * @throws IllegalStateException if it's closed
   */
  public double get(ValueLayout.OfDouble layout, long offset) {
    try {
      synchronized (lease) {
        return Native.MEMORY.get(layout, at(layout, offset));
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** The address of a value in the response. */
  private long at(ValueLayout layout, long offset) {
    checkOpen();
    long size = layout.byteSize();
    if (offset < 0 || offset > length - size) {
      throw new IndexOutOfBoundsException(
          "the response has " + length + " bytes, so " + size + " can't be read at " + offset);
    }
    return address + offset;
  }

  @Override
  public boolean isClosed() {
    return moved || lease.isClosed();
  }

  /**
   * Gives the memory back to the plugin. Does nothing the second time, nor if the response was
   * handed over to an arena.
   *
   * @throws IllegalStateException if another call uses a segment of it at this moment; it stays
   *     open
   */
  @Override
  public void close() {
    try {
      synchronized (lease) {
        if (!moved) {
          release();
        }
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private void release() {
    if (arena != null) {
      arena.close();
      arena = null;
    }
    lease.close();
  }

  private void checkOpen() {
    if (isClosed()) {
      throw new IllegalStateException(
          moved
              ? "the response was handed over to an arena"
              : "the response is closed: its memory was given back to the plugin");
    }
  }

  /** Gives the memory back. Holds nothing of the response. */
  private static final class ResponseLease extends Lease {
    private final long data;
    private final long capacity;
    private final long length;
    private final long release;
    private final long owner;

    ResponseLease(RawResponse holder, PreparedMethod method, long response) {
      super(holder, method);
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
