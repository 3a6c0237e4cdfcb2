package io.github.rustbridge.ffm;

import io.github.rustbridge.spi.Scratches;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Memory that a call borrows: native for the request and the response of an ordinary call, an array
 * for text on its way into a {@code String}, and an {@code rb_response}.
 *
 * <p>The native memory belongs to automatic arenas, so the garbage collector frees it some time
 * after the thread has ended. Addresses into it are valid while the scratch is reachable, and it is
 * from {@link #take} to {@link #give}.
 *
 * <p>It grows with what passes through, up to a limit. Large requests get one that is shared, since
 * each thread can't own many megabytes; yet without any, the system would have to make all those
 * pages anew for each call, which costs more than the call. Requests beyond that get memory of
 * their own.
 */
final class Scratch extends Scratches.Scratch {
  /** The size of each part to begin with. */
  private static final int FIRST = 4 << 10;

  /** The size up to which the parts of a thread's scratch grow. */
  static final int LIMIT = 256 << 10;

  /** The size up to which the parts of the shared one grow. */
  static final int LARGE = 32 << 20;

  private static final int STEP = 1 << 20;

  private static final long ALIGNMENT = 64;

  private static final Scratches<Scratch> THREADS = new Scratches<>(() -> new Scratch(LIMIT));

  /**
   * The large one, if no call has it. Static as memory isn't any instance's. Softly, so that it
   * goes when memory is short or nothing large has been sent for a while.
   */
  private static final AtomicReference<SoftReference<Scratch>> SHARED = new AtomicReference<>();

  /** How large parts get; 0 for one whose request's memory is freed by hand. */
  private final int limit;

  private final MemorySegment responseSegment = allocate(Response.SIZE);

  private MemorySegment storageSegment = allocate(FIRST);

  /** Keeps the request's memory reachable; null where that is freed by hand. */
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private MemorySegment requestSegment;

  private long requestCapacity;

  /** Where the request goes. */
  long request;

  /** An {@code rb_response}'s address. */
  final long response = responseSegment.address();

  /** Where a response may go. */
  long storage = storageSegment.address();

  /** How much fits there. */
  int capacity = FIRST;

  private byte[] array = new byte[FIRST];

  private Scratch(int limit) {
    this.limit = limit;
  }

  /** Gives one with room for a request. */
  static Scratch take(long length) {
    Scratch scratch = length <= LIMIT ? THREADS.take() : takeLarge(length);
    if (length > scratch.requestCapacity) {
      scratch.growRequest(length);
    }
    return scratch;
  }

  /** Gives one without room for a request. */
  static Scratch take() {
    return THREADS.take();
  }

  private static Scratch takeLarge(long length) {
    if (length > LARGE) {
      return new Scratch(0);
    }
    SoftReference<Scratch> kept = SHARED.getAndSet(null);
    Scratch scratch = kept == null ? null : kept.get();
    return scratch == null ? new Scratch(LARGE) : scratch;
  }

  void give() {
    if (limit == LIMIT) {
      THREADS.give(this);
    } else {
      giveLarge();
    }
  }

  private void giveLarge() {
    if (limit == LARGE) {
      SHARED.set(new SoftReference<>(this));
    } else {
      Native.free(request);
    }
  }

  private void growRequest(long length) {
    try {
      if (limit == 0) {
        request = Native.allocate(length);
        requestCapacity = length;
      } else {
        long size = rounded(length);
        requestSegment = allocate(size);
        request = requestSegment.address();
        requestCapacity = size;
      }
    } catch (Throwable outOfMemory) {
      give();
      throw outOfMemory;
    }
  }

  /** Grows so that a response of this length will fit the next time. */
  void expect(long length) {
    if (capacity < length && length <= limit) {
      int size = rounded(length);
      storageSegment = allocate(size);
      storage = storageSegment.address();
      capacity = size;
    }
  }

  /** An array for a response of this length, at least. */
  byte[] array(int length) {
    if (array.length < length) {
      array = new byte[rounded(length)];
    }
    return array;
  }

  /** Where a response may go, as a segment. */
  MemorySegment storage() {
    return storageSegment;
  }

  private static int rounded(long length) {
    if (length <= FIRST) {
      return FIRST;
    }
    if (length <= LIMIT) {
      return Integer.highestOneBit((int) length - 1) << 1;
    }
    // Less is left unused by steps, and few of them are made.
    return ((int) length + STEP - 1) / STEP * STEP;
  }

  private static MemorySegment allocate(long size) {
    return Arena.ofAuto().allocate(size, ALIGNMENT);
  }
}
