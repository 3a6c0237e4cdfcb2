package io.github.rustbridge.interop;

/**
 * Sizes in bytes at which one way to copy bytes within a JVM becomes cheaper than another. Sizes
 * that are the same in every language are in {@link io.github.rustbridge.interop.CallTarget}, since
 * the core reports them.
 */
public final class Sizes {
  /**
   * The initial size of a scratch's parts, before any method has required more: a page, since
   * smaller blocks outside of the heap cost the same.
   */
  public static final int FIRST = 4 << 10;

  /**
   * The largest request or response for which the process keeps memory, through soft references.
   * It's too large for each thread to keep. But without it, the system would have to map all those
   * pages again for each call, which costs more than the call.
   */
  public static final int LARGEST = 32 << 20;

  /** The step to which sizes from this one on are rounded up: it wastes less than powers of two. */
  public static final int STEP = 1 << 20;

  /**
   * The largest request that JNI copies to the thread's own memory. For larger requests, the native
   * side makes the copy, to memory that isn't kept.
   */
  public static final int JNI_REQUEST = 1 << 20;

  /**
   * The largest direct response buffer that JNI doesn't write to directly: copying so few bytes
   * costs less than finding the buffer's address.
   */
  public static final int JNI_COPIED = 1 << 10;

  /**
   * The largest struct that is copied into an array of its own for a zero-copy call: filling a new
   * array with zeros costs less than a lease.
   */
  public static final int SMALL_STRUCT = 1 << 10;

  private Sizes() {}

  /**
   * Rounds a size up to the size of the memory to allocate: a power of two, or a multiple of {@link
   * #STEP}.
   *
   * @param length the size, at most {@link #LARGEST}
   * @return the rounded size
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
