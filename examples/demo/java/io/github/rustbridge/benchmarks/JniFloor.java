package io.github.rustbridge.benchmarks;

/** The native methods of benches/floor, which exports them for a class of this name. */
public final class JniFloor {
  private JniFloor() {}

  /**
   * {@code echo} in JSON; gives the response's length, negative if it failed, as all of these do.
   */
  public static native long echoJson(long request, long len, long response, long capacity);

  /** {@code math.add} on structs. */
  public static native long add16(long request, long len, long response, long capacity);

  /** {@code bench.small} on structs. */
  public static native long small(long request, long len, long response, long capacity);
}
