package io.github.rustbridge.ffm;

import io.github.rustbridge.spi.Scratches;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that a call borrows: native for the request and the response of an ordinary call, an array
 * for text on its way into a {@code String}, and an {@code rb_response}.
 *
 * <p>The native memory belongs to automatic arenas, so the garbage collector frees it some time
 * after the thread has ended. Addresses into it are valid while the scratch is reachable, and it is
 * from {@link #take} to {@link #give}.
 *
 * <p>It grows with what passes through, up to a limit; what's larger is allocated for its call
 * alone.
 */
final class Scratch extends Scratches.Scratch {
  /** The size of each part to begin with. */
  static final int FIRST = 4 << 10;

  /**
   * The size up to which a part grows. A thread keeps three of them, so it's a matter of memory;
   * and beyond it, copying costs so much that allocating doesn't matter.
   */
  static final int LIMIT = 256 << 10;

  private static final long ALIGNMENT = 64;

  private static final Scratches<Scratch> ALL = new Scratches<>(Scratch::new);

  private final MemorySegment responseSegment = Arena.ofAuto().allocate(Response.SIZE, ALIGNMENT);

  private MemorySegment requestSegment = allocate(FIRST);
  private MemorySegment storageSegment = allocate(FIRST);

  /** An {@code rb_response}'s address. */
  final long response = responseSegment.address();

  private long request = requestSegment.address();
  private int requestCapacity = FIRST;

  /** Where a response may go. */
  long storage = storageSegment.address();

  /** How much fits there. */
  int capacity = FIRST;

  /** An array for a response, as large as the storage. */
  byte[] array = new byte[FIRST];

  private Scratch() {}

  static Scratch take() {
    return ALL.take();
  }

  void give() {
    ALL.give(this);
  }

  /** Where a response may go, as a segment. */
  MemorySegment storage() {
    return storageSegment;
  }

  /** Gives room for a request: its address; 0 if it's larger than a scratch gets. */
  long request(long length) {
    if (length <= requestCapacity) {
      return request;
    }
    return growRequest(length);
  }

  private long growRequest(long length) {
    if (length > LIMIT) {
      return 0;
    }
    requestCapacity = rounded(length);
    requestSegment = allocate(requestCapacity);
    request = requestSegment.address();
    return request;
  }

  /** Grows so that a response of this length will fit the next time. */
  void expect(long length) {
    if (capacity < length && length <= LIMIT) {
      capacity = rounded(length);
      storageSegment = allocate(capacity);
      storage = storageSegment.address();
      array = new byte[capacity];
    }
  }

  private static int rounded(long length) {
    return Integer.highestOneBit((int) length - 1) << 1;
  }

  private static MemorySegment allocate(int size) {
    return Arena.ofAuto().allocate(size, ALIGNMENT);
  }
}
