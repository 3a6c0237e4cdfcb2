package io.github.rustbridge.calls;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Items that have arrived, back to back in the layout of the host ABI. Each is extracted when it's
 * needed.
 */
public final class Batch {
  private final Natives natives;
  private final byte[] bytes;
  private final int count;

  /** The offset of the items' ends; -1 if all items have the same length. */
  private final int ends;

  private final int length;
  private final long[] objects;
  private int next;
  private int at;

  public Batch(Natives natives, byte[] bytes, int count, int flags, long[] objects) {
    this.natives = natives;
    this.bytes = bytes;
    this.count = count;
    this.objects = objects;
    boolean hasEnds = (flags & AbiLayout.RB_BATCH_ENDS) != 0;
    ends = hasEnds ? bytes.length - Integer.BYTES * count : -1;
    length = hasEnds || count == 0 ? 0 : bytes.length / count;
  }

  public synchronized boolean isEmpty() {
    return next == count;
  }

  public int count() {
    return count;
  }

  /**
   * Removes the next item; null if there is none, since another thread may have discarded the rest.
   */
  public synchronized Answer next() {
    if (next == count) {
      return null;
    }
    int end =
        ends < 0
            ? at + length
            : ByteBuffer.wrap(bytes)
                .order(ByteOrder.nativeOrder())
                .getInt(ends + Integer.BYTES * next);
    byte[] item = new byte[end - at];
    System.arraycopy(bytes, at, item, 0, item.length);
    int each = objects.length / count;
    long[] own = each == 0 ? Answer.NO_OBJECTS : new long[each];
    System.arraycopy(objects, next * each, own, 0, each);
    at = end;
    next++;
    return new Answer(0, item, Answer.NO_BYTES, own);
  }

  /** Releases the remaining items. */
  public void discard() {
    int first;
    synchronized (this) {
      first = count == 0 ? 0 : next * (objects.length / count);
      next = count;
    }
    // Outside of the lock, since this runs destructors of the plugin.
    if (first < objects.length) {
      ObjectRelease.release(natives, Arrays.copyOfRange(objects, first, objects.length));
    }
  }
}
