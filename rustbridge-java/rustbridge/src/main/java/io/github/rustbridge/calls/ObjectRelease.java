package io.github.rustbridge.calls;

import io.github.rustbridge.internal.Threads;
import io.github.rustbridge.interop.Natives;

/** Releases objects. Their destructors in the plugin may block, so the poller doesn't run them. */
public final class ObjectRelease {
  private ObjectRelease() {}

  /** Releases objects on this thread, or on the default executor if this is the poller. */
  public static void release(Natives natives, long... objects) {
    if (objects.length == 0) {
      return;
    }
    if (PollerThread.isCurrent()) {
      Threads.DEFAULT_EXECUTOR.execute(() -> releaseHere(natives, objects));
    } else {
      releaseHere(natives, objects);
    }
  }

  private static void releaseHere(Natives natives, long... objects) {
    for (long object : objects) {
      natives.releaseObject(object);
    }
  }
}
