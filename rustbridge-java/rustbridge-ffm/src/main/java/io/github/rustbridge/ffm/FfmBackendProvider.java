package io.github.rustbridge.ffm;

import io.github.rustbridge.BackendProvider;
import io.github.rustbridge.interop.Backend;
import io.github.rustbridge.spi.NativeAccess;
import io.github.rustbridge.spi.NativeLibrary;
import java.lang.foreign.MemorySegment;

/** Provides the backend to {@link java.util.ServiceLoader}. Applications don't need it. */
public final class FfmBackendProvider implements BackendProvider {
  /** Creates the provider, for {@link java.util.ServiceLoader}. */
  public FfmBackendProvider() {}

  @Override
  public String name() {
    return "ffm";
  }

  @Override
  public int preference() {
    return 20;
  }

  @Override
  public String unavailableBecause() {
    Module module = FfmBackendProvider.class.getModule();
    if (module.isNativeAccessEnabled()) {
      return null;
    }
    // Without the flag a JVM may still allow it, with a warning of its own, and only trying tells.
    try {
      tryNativeAccess();
      return null;
    } catch (IllegalCallerException denied) {
      return NativeAccess.deniedTo(FfmBackendProvider.class);
    }
  }

  @Override
  @SuppressWarnings("exports") // As in the interface.
  public Backend<?> open() {
    Library library;
    try {
      library = Library.open(NativeLibrary.find(FfmBackendProvider.class, "rustbridge"));
    } catch (IllegalCallerException denied) {
      throw new IllegalStateException(NativeAccess.deniedTo(FfmBackendProvider.class), denied);
    }
    return new FfmBackend(library);
  }

  // Restricted on purpose: it's the cheapest restricted method.
  @SuppressWarnings("restricted")
  private static void tryNativeAccess() {
    MemorySegment.NULL.reinterpret(0);
  }
}
