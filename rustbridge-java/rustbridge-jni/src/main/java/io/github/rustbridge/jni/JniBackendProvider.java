package io.github.rustbridge.jni;

import io.github.rustbridge.Backend;
import io.github.rustbridge.BackendProvider;
import io.github.rustbridge.LibraryNotFoundException;
import io.github.rustbridge.spi.NativeLibrary;
import java.nio.file.Path;

/** Offers the backend over JNI. */
public final class JniBackendProvider implements BackendProvider {
  /** For {@link java.util.ServiceLoader}. */
  public JniBackendProvider() {}

  @Override
  public String name() {
    return JniBackend.NAME;
  }

  @Override
  public int preference() {
    return 10;
  }

  @Override
  public String unavailableBecause() {
    return null;
  }

  @Override
  public Backend open() {
    Path library = NativeLibrary.find(JniBackendProvider.class, "rustbridge_jni");
    try {
      System.load(library.toString());
      // Any library can be loaded; this one has registered its methods.
      Native.version();
    } catch (UnsatisfiedLinkError error) {
      throw new LibraryNotFoundException(
          "the native library " + library + " can't be used: " + error.getMessage(), error);
    }
    return new JniBackend();
  }
}
