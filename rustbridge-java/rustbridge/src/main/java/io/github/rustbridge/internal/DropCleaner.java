package io.github.rustbridge.internal;

import java.lang.ref.Cleaner;

/**
 * The cleaner that notices that plugins, streams and objects became unreachable without being
 * closed. It starts a thread when this class is first used.
 */
public final class DropCleaner {
  /** The cleaner. */
  public static final Cleaner CLEANER = Cleaner.create();

  private DropCleaner() {}
}
