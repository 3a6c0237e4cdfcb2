package io.github.rustbridge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.StringJoiner;

/** Chooses the backend, once for the process: the native library's state is the process's, too. */
final class Backends {
  /** The system property that names the backend to use. */
  static final String PROPERTY = "rustbridge.backend";

  /** The environment variable that names the backend to use, where the property isn't set. */
  static final String VARIABLE = "RUSTBRIDGE_BACKEND";

  /** As many providers are looked at. */
  private static final int MOST = 16;

  private static volatile Backend chosen;

  private Backends() {}

  /**
   * Gives the backend, opening it at the first time. A failure is not final: the next call tries
   * again.
   *
   * @return the backend of this process
   * @throws IllegalStateException if there is none that can be used; says what was found, and why
   *     not
   * @throws LibraryNotFoundException if the native library isn't found
   */
  static Backend get() {
    Backend backend = chosen;
    if (backend == null) {
      synchronized (Backends.class) {
        backend = chosen;
        if (backend == null) {
          backend = choose(find(), wanted());
          chosen = backend;
        }
      }
    }
    return backend;
  }

  private static String wanted() {
    String name = System.getProperty(PROPERTY);
    if (name == null || name.isBlank()) {
      name = System.getenv(VARIABLE);
    }
    return name == null || name.isBlank() ? null : name.strip().toLowerCase(Locale.ROOT);
  }

  private static List<BackendProvider> find() {
    // The loader of this class sees the backends in nearly every application. In those with a
    // loader for each part the backend may be beside the caller instead.
    List<BackendProvider> providers = load(Backends.class.getClassLoader());
    return providers.isEmpty() ? load(Thread.currentThread().getContextClassLoader()) : providers;
  }

  static List<BackendProvider> load(ClassLoader loader) {
    List<BackendProvider> providers = new ArrayList<>();
    var found = ServiceLoader.load(BackendProvider.class, loader).iterator();
    // A class loader that can't list its resources fails anew for each question.
    while (providers.size() < MOST) {
      try {
        if (!found.hasNext()) {
          return providers;
        }
        providers.add(found.next());
      } catch (ServiceConfigurationError | LinkageError broken) {
        // For example one compiled for a newer JDK than this. It can't say its name, so the error
        // is all there is.
        providers.add(new Broken(broken));
      }
    }
    return providers;
  }

  static Backend choose(List<BackendProvider> providers, String wanted) {
    List<BackendProvider> ranked = new ArrayList<>(providers);
    ranked.sort(Comparator.comparingInt(BackendProvider::preference).reversed());
    StringJoiner reasons = new StringJoiner("; ");
    Throwable failure = null;
    for (BackendProvider provider : ranked) {
      // One that can't say its name may be the one that is wanted.
      if (wanted != null && !provider.name().equals(wanted) && !(provider instanceof Broken)) {
        reasons.add(
            provider.name() + " isn't the one that " + PROPERTY + " or " + VARIABLE + " asks for");
        continue;
      }
      String reason = provider.unavailableBecause();
      if (reason != null) {
        reasons.add(provider.name() + ": " + reason);
        continue;
      }
      try {
        return provider.open();
      } catch (RuntimeException | LinkageError error) {
        // The next one may carry a native library of its own. If none does, the best one's error is
        // thrown.
        reasons.add(provider.name() + ": " + error);
        if (failure == null) {
          failure = error;
        } else {
          failure.addSuppressed(error);
        }
      }
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    String goal =
        wanted == null
            ? "no backend of rustbridge can be used"
            : "the backend `" + wanted + "` can't be used";
    String found =
        ranked.isEmpty()
            ? "there is none on the class path or module path; add rustbridge-ffm (JDK 22 and later) or rustbridge-jni (JDK 17 and later)"
            : reasons.toString();
    throw new IllegalStateException(goal + ": " + found, failure);
  }

  /** Stands for a provider that couldn't be made. */
  private record Broken(Throwable error) implements BackendProvider {
    @Override
    public String name() {
      return "a provider that can't be loaded";
    }

    @Override
    public int preference() {
      return Integer.MIN_VALUE;
    }

    @Override
    public String unavailableBecause() {
      return error.toString();
    }

    @Override
    public Backend open() {
      throw new IllegalStateException(error);
    }
  }
}
