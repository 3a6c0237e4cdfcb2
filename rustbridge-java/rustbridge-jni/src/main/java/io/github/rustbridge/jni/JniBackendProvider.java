package io.github.rustbridge.jni;

import io.github.rustbridge.BackendProvider;
import io.github.rustbridge.LibraryNotFoundException;
import io.github.rustbridge.interop.Backend;
import io.github.rustbridge.spi.NativeAccess;
import io.github.rustbridge.spi.NativeLibrary;
import java.io.IOException;
import java.nio.file.Path;

/** Provides the backend over JNI. */
public final class JniBackendProvider implements BackendProvider {
  private static final String LIBRARY = "rustbridge_jni";

  /** As many class loaders are tried to be told apart. */
  private static final int MOST_NAMES = 1_000;

  /** Creates the provider, for {@link java.util.ServiceLoader}. */
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
    try {
      // No library is called so; but where a JVM may deny native access, it looks at that first.
      System.load("");
      return null;
    } catch (UnsatisfiedLinkError allowed) {
      return null;
    } catch (IllegalCallerException denied) {
      return NativeAccess.deniedTo(JniBackendProvider.class);
    }
  }

  @Override
  public Backend<?> open() {
    Path library = NativeLibrary.find(JniBackendProvider.class, LIBRARY);
    try {
      load(library);
      // Any library can be loaded; this one has registered its methods.
      Native.version();
    } catch (UnsatisfiedLinkError error) {
      throw new LibraryNotFoundException(
          "the native library "
              + library
              + " can't be used: "
              + error.getMessage()
              + NativeLibrary.advice(error.getMessage())
              + hint(library),
          error);
    }
    return new JniBackend();
  }

  /** A setting may name the file of the library that all languages but this one use. */
  private static String hint(Path library) {
    return library.getFileName().toString().contains(LIBRARY)
        ? ""
        : "; this backend requires " + LIBRARY + ": set the path to the folder of both libraries";
  }

  /**
   * Loads the library by the first of its names that no other class loader has loaded it by. There
   * are as many names as loaders use it at once, since who is gone leaves a name to the next.
   */
  private static void load(Path library) {
    UnsatisfiedLinkError taken = null;
    for (int number = 0; number <= MOST_NAMES; number++) {
      Path name = library;
      if (taken != null) {
        try {
          name = NativeLibrary.otherName(library, number);
        } catch (IOException error) {
          taken.addSuppressed(error);
          throw taken;
        }
      }
      try {
        System.load(name.toString());
        return;
      } catch (UnsatisfiedLinkError error) {
        // Nothing but the text tells it from other reasons.
        if (!String.valueOf(error.getMessage()).contains("already loaded in another")) {
          throw error;
        }
        taken = error;
      }
    }
    throw taken;
  }
}
