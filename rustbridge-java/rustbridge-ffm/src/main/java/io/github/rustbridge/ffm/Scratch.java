package io.github.rustbridge.ffm;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Scratches;
import io.github.rustbridge.interop.Sizes;
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
 * <p>It grows with the data that passes through it, up to the limit that the core reports. Larger
 * requests use a shared scratch, and requests larger than {@link Sizes#LARGEST} use memory of their
 * own.
 */
final class Scratch extends Scratches.Scratch {
  private static final long ALIGNMENT = 64;

  private static final Scratches<Scratch> THREADS =
      new Scratches<>(() -> new Scratch(Kind.OF_THREAD));

  /**
   * The large one, if no call has it. Static as memory isn't any instance's. Softly, so that it
   * goes when memory is short or nothing large has been sent for a while.
   */
  private static final AtomicReference<SoftReference<Scratch>> SHARED = new AtomicReference<>();

  private enum Kind {
    /** Memory that a thread keeps, or the pool of the virtual threads. */
    OF_THREAD,
    /** The large memory that the process shares. */
    SHARED,
    /** One that isn't kept; its request's memory is freed by hand. */
    OF_CALL
  }

  private final Kind kind;

  private final MemorySegment responseSegment = allocate(AbiLayout.SIZEOF_RESPONSE);

  private MemorySegment storageSegment = allocate(Sizes.FIRST);

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
  int capacity = Sizes.FIRST;

  private byte[] array = new byte[Sizes.FIRST];

  private Scratch(Kind kind) {
    this.kind = kind;
  }

  /**
   * Gives one with room for a request.
   *
   * @param storage how much storage for the response it's to have at least
   * @param kept the most that a thread keeps of either
   */
  static Scratch take(long length, int storage, int kept) {
    Scratch scratch = length <= kept ? THREADS.take() : takeLarge(length);
    if (length > scratch.requestCapacity || storage > scratch.capacity) {
      scratch.grow(length, storage);
    }
    return scratch;
  }

  /** Gives one without room for a request. */
  static Scratch take() {
    return THREADS.take();
  }

  private static Scratch takeLarge(long length) {
    if (length > Sizes.LARGEST) {
      return new Scratch(Kind.OF_CALL);
    }
    SoftReference<Scratch> kept = SHARED.getAndSet(null);
    Scratch scratch = kept == null ? null : kept.get();
    return scratch == null ? new Scratch(Kind.SHARED) : scratch;
  }

  void give() {
    if (kind == Kind.OF_THREAD) {
      THREADS.give(this);
    } else {
      giveLarge();
    }
  }

  private void giveLarge() {
    if (kind == Kind.SHARED) {
      SHARED.set(new SoftReference<>(this));
    } else {
      Native.free(request);
    }
  }

  private void grow(long length, int storage) {
    try {
      if (storage > capacity) {
        growStorage(storage);
      }
      if (kind == Kind.OF_CALL) {
        request = Native.allocate(length);
        requestCapacity = length;
      } else if (length > requestCapacity) {
        long size = Sizes.rounded(length);
        MemorySegment larger = allocate(size);
        long address = larger.address();
        // Only now, as they belong together and nothing throws any more, for want of stack, say.
        requestSegment = larger;
        request = address;
        requestCapacity = size;
      }
    } catch (Throwable outOfMemory) {
      give();
      throw outOfMemory;
    }
  }

  /**
   * Grows so that a response of this length will fit the next time.
   *
   * @param kept the most that a thread keeps
   */
  void expect(long length, int kept) {
    int most =
        switch (kind) {
          case OF_THREAD -> kept;
          case SHARED -> Sizes.LARGEST;
          case OF_CALL -> 0;
        };
    if (capacity < length && length <= most) {
      growStorage(length);
    }
  }

  private void growStorage(long length) {
    int size = Sizes.rounded(length);
    MemorySegment larger = allocate(size);
    long address = larger.address();
    // As for the request's memory.
    storageSegment = larger;
    storage = address;
    capacity = size;
  }

  /** An array for a response of this length, at least. */
  byte[] array(int length) {
    if (array.length < length) {
      array = new byte[Sizes.rounded(length)];
    }
    return array;
  }

  /** Where a response may go, as a segment. */
  MemorySegment storage() {
    return storageSegment;
  }

  private static MemorySegment allocate(long size) {
    return Arena.ofAuto().allocate(size, ALIGNMENT);
  }
}
