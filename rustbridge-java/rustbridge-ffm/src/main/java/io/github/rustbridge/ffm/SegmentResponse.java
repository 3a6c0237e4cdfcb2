package io.github.rustbridge.ffm;

import io.github.rustbridge.RawResponse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A response that stays in the plugin's memory, as a {@link MemorySegment}.
 *
 * <p>There are four ways to read it, with very different costs:
 *
 * <ul>
 *   <li>{@link #getInt(long)} and similar methods read one value; {@link #toByteArray()} copies
 *       everything. Each takes some nanoseconds.
 *   <li>{@link #segment(Arena)} transfers the response to the caller's arena. With a confined arena
 *       this is cheap, and reading is as fast as reading an array.
 *   <li>{@link #segment()} and {@link #buffer()} return views that any thread may use. The memory
 *       is returned to the plugin when the garbage collector finds that the views are unreachable.
 *       This takes a fraction of a microsecond, and the memory is kept somewhat longer.
 *   <li>{@link #checkedSegment()} returns a view that any thread may use, and that becomes invalid
 *       when the response is closed. For that, the JVM has to interrupt all its threads, so closing
 *       takes tens of microseconds.
 * </ul>
 *
 * <pre>{@code
 * try (Arena arena = Arena.ofConfined()) {
 *   MemorySegment response = method.callRawZeroCopy(request).segment(arena);
 *   int first = response.get(ValueLayout.JAVA_INT, 0);
 * }
 * }</pre>
 */
public abstract sealed class SegmentResponse extends RawResponse
    permits ArrayResponse, LeasedResponse {
  private static final int OPEN = 0;
  private static final int CLOSED = 1;
  private static final int MOVED = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(SegmentResponse.class, "state", int.class);
    } catch (NoSuchFieldException | IllegalAccessException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final long length;

  /** Written under the lock; read opaquely by what needs no more than to see it some time. */
  private int state;

  /** Weakly, as what reads the memory may hold this object. */
  private WeakReference<MemorySegment> view;

  /**
   * The arena of the checked view, shared so that any thread can use and close it; null until asked
   * for.
   */
  private Arena checkedArena;

  private MemorySegment checkedView;

  SegmentResponse(long length) {
    this.length = length;
  }

  /**
   * What is held while the memory is read through this object, views are made, or it's given back.
   */
  abstract Object lock();

  /**
   * Makes a segment of the bytes that lives as long as an arena. Under the lock, if open.
   *
   * @param ended called when the arena is closed; it holds this object, which else were found
   *     dropped while the segment is in use
   */
  abstract MemorySegment toSegment(Arena arena, Runnable ended);

  /** Makes a segment of the bytes that lives as long as it's reachable. Under the lock, if open. */
  abstract MemorySegment toView();

  /** Gives the memory back, as soon as no view can read it any more. Under the lock, once. */
  abstract void release();

  @Override
  public final long length() {
    checkOpen();
    return length;
  }

  /**
   * Transfers the response to an arena. Closing the arena returns the memory to the plugin. After
   * that, this object is unusable, and doesn't have to be closed.
   *
   * @param arena the arena that determines the segment's lifetime; with a confined arena, only its
   *     thread may use the segment
   * @return the response, read-only
   * @throws IllegalStateException if the response is closed or was already transferred, or if the
   *     arena is closed
   * @throws WrongThreadException if the arena is confined to another thread
   */
  public final MemorySegment segment(Arena arena) {
    Objects.requireNonNull(arena, "arena");
    synchronized (lock()) {
      checkOpen();
      MemorySegment segment = toSegment(arena, this::arenaClosed);
      STATE.setOpaque(this, MOVED);
      return segment;
    }
  }

  /**
   * Returns the bytes. Any thread may use the segment.
   *
   * <p>Closing this response doesn't invalidate the segment. The memory is returned to the plugin
   * when the garbage collector finds that the segment and its slices and buffers are unreachable;
   * until then it can be read as before.
   *
   * @return the response, read-only
   * @throws IllegalStateException if the response is closed
   */
  public final MemorySegment segment() {
    synchronized (lock()) {
      checkOpen();
      MemorySegment segment = view == null ? null : view.get();
      if (segment == null) {
        segment = toView();
        view = new WeakReference<>(segment);
      }
      return segment;
    }
  }

  /**
   * Returns the bytes. Any thread may use the segment. After {@link #close()}, each access throws
   * {@link IllegalStateException}, including accesses through slices and buffers of the segment. It
   * makes closing expensive, as described for this class.
   *
   * @return the response, read-only
   * @throws IllegalStateException if the response is closed
   */
  public final MemorySegment checkedSegment() {
    synchronized (lock()) {
      checkOpen();
      if (checkedView == null) {
        Arena arena = Arena.ofShared();
        checkedView = toSegment(arena, this::arenaClosed);
        checkedArena = arena;
      }
      return checkedView;
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException also if the response is larger than a buffer can be, 2 GiB
   */
  @Override
  public final ByteBuffer buffer() {
    if (length() > Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "the response has " + length + " bytes, more than a buffer can hold: use segment()");
    }
    return segment().asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /**
   * Reads a byte.
   *
   * @param offset the byte's index
   * @return the value
   * @throws IndexOutOfBoundsException if the value isn't inside the response
   * @throws IllegalStateException if the response is closed
   */
  public abstract byte getByte(long offset);

  /**
   * Reads an int in the machine's byte order.
   *
   * @param offset the index of the value's first byte; it needs no alignment
   * @return the value
   * @throws IndexOutOfBoundsException if the value isn't inside the response
   * @throws IllegalStateException if the response is closed
   */
  public abstract int getInt(long offset);

  /**
   * Reads a long in the machine's byte order.
   *
   * @param offset the index of the value's first byte; it needs no alignment
   * @return the value
   * @throws IndexOutOfBoundsException if the value isn't inside the response
   * @throws IllegalStateException if the response is closed
   */
  public abstract long getLong(long offset);

  /**
   * Reads a double in the machine's byte order.
   *
   * @param offset the index of the value's first byte; it needs no alignment
   * @return the value
   * @throws IndexOutOfBoundsException if the value isn't inside the response
   * @throws IllegalStateException if the response is closed
   */
  public final double getDouble(long offset) {
    return Double.longBitsToDouble(getLong(offset));
  }

  @Override
  public final boolean isClosed() {
    return (int) STATE.getOpaque(this) != OPEN;
  }

  /**
   * Returns the memory to the plugin. Has no effect if this response was closed before, or was
   * transferred to an arena.
   *
   * @throws IllegalStateException if a call is using one of the response's {@linkplain
   *     #checkedSegment() checked segments}; the response stays open
   */
  @Override
  public final void close() {
    try {
      synchronized (lock()) {
        if (state == OPEN) {
          closeCheckedView();
          STATE.setOpaque(this, CLOSED);
          release();
        }
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * An arena is closed: that of the checked view, which is no news, or the user's, to which this
   * was handed over.
   */
  private void arenaClosed() {
    synchronized (lock()) {
      if (state == MOVED) {
        // First, as closing the view leads here again. If it's in use that throws, and the memory
        // stays until the collector finds it dropped.
        STATE.setOpaque(this, CLOSED);
        closeCheckedView();
        release();
      }
    }
  }

  private void closeCheckedView() {
    if (checkedArena != null) {
      checkedArena.close();
      checkedArena = null;
    }
  }

  final void checkOpen() {
    int now = (int) STATE.getOpaque(this);
    if (now != OPEN) {
      throw new IllegalStateException(
          now == MOVED
              ? "the response belongs to an arena"
              : "the response is closed: its memory was given back to the plugin");
    }
  }

  final void checkRange(long offset, int size) {
    if (offset < 0 || offset > length - size) {
      throw new IndexOutOfBoundsException(
          "the response has "
              + length
              + " bytes, but "
              + size
              + " were requested at offset "
              + offset);
    }
  }
}
