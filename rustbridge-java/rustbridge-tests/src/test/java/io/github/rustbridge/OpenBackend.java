package io.github.rustbridge;

import io.github.rustbridge.interop.Backend;

/** The backend of this process, for tests that say to it what no plugin would. */
public final class OpenBackend {
  private OpenBackend() {}

  public static Backend<?> get() {
    return BackendChoice.get();
  }
}
