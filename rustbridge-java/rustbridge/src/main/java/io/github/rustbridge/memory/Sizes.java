package io.github.rustbridge.memory;

/**
 * Sizes in bytes at which one way of moving bytes within a JVM gets cheaper than another. What is
 * the same in every language isn't here: the core says it with each {@link
 * io.github.rustbridge.PreparedMethod}.
 */
public final class Sizes {
  /**
   * What a scratch's parts have to begin with, before any method has said what it wants: a page,
   * since memory outside the heap costs the same for less.
   */
  public static final int FIRST = 4 << 10;

  /**
   * The largest request or response that memory is kept for by the process, softly. Each thread
   * can't own that much; yet without any, the system would have to make all those pages anew for
   * each call, which costs more than the call.
   */
  public static final int LARGEST = 32 << 20;

  /** What memory is rounded up to from here on: less is left unused than by powers of two. */
  public static final int STEP = 1 << 20;

  /**
   * The largest request that JNI copies to memory of the thread's. For more, the copy costs so much
   * that the native side may as well make it, to memory that nobody keeps.
   */
  public static final int JNI_REQUEST = 1 << 20;

  /**
   * The largest room in a direct buffer that JNI doesn't use where it is: to copy so much costs
   * less than to find out where that is.
   */
  public static final int JNI_COPIED = 1 << 10;

  /**
   * The largest struct that goes into an array of its own when a zero-copy response is asked for:
   * filling a new array with zeros costs less than a lease.
   */
  public static final int SMALL_STRUCT = 1 << 10;

  private Sizes() {}

  /**
   * Rounds a size up to what memory is made for it: a power of two, or steps of {@link #STEP}.
   *
   * @param length at most {@link #LARGEST}
   * @return that or more
   */
  public static int rounded(long length) {
    if (length <= FIRST) {
      return FIRST;
    }
    if (length <= STEP) {
      return Integer.highestOneBit((int) length - 1) << 1;
    }
    return ((int) length + STEP - 1) / STEP * STEP;
  }
}
