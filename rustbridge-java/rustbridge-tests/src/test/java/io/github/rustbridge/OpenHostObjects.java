package io.github.rustbridge;

/** Counts the host's objects that an instance refers to. */
public final class OpenHostObjects {
  private OpenHostObjects() {}

  /** Returns their number. */
  public static int of(Plugin plugin) {
    return plugin.hostObjects().size();
  }
}
