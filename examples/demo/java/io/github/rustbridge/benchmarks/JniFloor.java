package io.github.rustbridge.benchmarks;

/** The native methods of benches/floor, which exports them for a class of this name. */
public final class JniFloor {
  private JniFloor() {}

  /**
   * Calls {@code echo} in JSON. Like the other methods, it returns the length of the response, or a
   * negative number if the call failed.
   */
  public static native long echoJson(long request, long len, long response, long capacity);

  /** Calls {@code math.add} with structs. */
  public static native long add16(long request, long len, long response, long capacity);

  /** Calls {@code bench.small} with structs. */
  public static native long small(long request, long len, long response, long capacity);
}
