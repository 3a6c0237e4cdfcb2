package io.github.rustbridge.jni;

import io.github.rustbridge.interop.Sizes;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Memory for responses of megabytes. Fresh memory of that size costs as much as the call: the
 * system zeroes it page by page, on demand. So one such storage is kept for the whole process, for
 * whoever comes first, and given up when memory gets short or nobody uses it.
 */
final class LargeStorage {
  /** The one there is; null while a call uses it. */
  private static final AtomicReference<LargeStorage> FREE =
      new AtomicReference<>(new LargeStorage());

  private SoftReference<ByteBuffer> kept = new SoftReference<>(null);
  private ByteBuffer memory;
  private long address;

  private LargeStorage() {}

  /**
   * Borrows it.
   *
   * @param length at most {@link Sizes#LARGEST}
   * @return storage of that length at least, or null if there is none
   */
  static LargeStorage take(int length) {
    LargeStorage storage = FREE.getAndSet(null);
    if (storage == null) {
      return null;
    }
    try {
      storage.memory = storage.kept.get();
      if (storage.memory == null || storage.memory.capacity() < length) {
        // A little more, as the next one may be a little longer.
        ByteBuffer memory = ByteBuffer.allocateDirect(Sizes.rounded(length + (length >> 3)));
        long address = Native.address(memory);
        SoftReference<ByteBuffer> kept = new SoftReference<>(memory);
        // Only now, as they belong together and nothing throws any more.
        storage.memory = memory;
        storage.address = address;
        storage.kept = kept;
      }
      return storage;
    } catch (OutOfMemoryError | StackOverflowError limited) {
      // By -XX:MaxDirectMemorySize, most likely. It works without, only slower.
      storage.give();
      return null;
    }
  }

  ByteBuffer memory() {
    return memory;
  }

  long address() {
    return address;
  }

  /** Gives it back. */
  void give() {
    memory = null;
    FREE.set(this);
  }
}
