package io.github.rustbridge;

/** Counts the contexts that an instance keeps for its calls. */
public final class OpenContexts {
  private OpenContexts() {}

  /** How many there are. */
  public static int of(Plugin plugin) {
    return plugin.contexts().size();
  }
}
