package io.github.rustbridge;

import io.github.rustbridge.interop.Backend;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.StringJoiner;

/**
 * Selects the backend, once for the process, since the native library's state belongs to the
 * process too.
 */
final class BackendChoice {
  /** The system property that names the backend to use. */
  static final String PROPERTY = "rustbridge.backend";

  /** The environment variable that names the backend to use, where the property isn't set. */
  static final String VARIABLE = "RUSTBRIDGE_BACKEND";

  /** As many providers are looked at. */
  private static final int MOST = 16;

  /** The providers of rustbridge's own jars, by what else is known of them. */
  private static final List<Candidate> KNOWN =
      List.of(
          new Candidate("ffm", "io.github.rustbridge.ffm.FfmBackendProvider", 22),
          new Candidate("jni", "io.github.rustbridge.jni.JniBackendProvider", 17));

  private record Candidate(String name, String type, int jdk) {}

  private static volatile Backend<?> chosen;

  private BackendChoice() {}

  /**
   * Gives the backend, opening it at the first time. A failure is not final: the next call tries
   * again.
   *
   * @return the backend of this process
   * @throws IllegalStateException if there is none that can be used; says what was found, and why
   *     not
   * @throws LibraryNotFoundException if the native library isn't found
   */
  static Backend<?> get() {
    Backend<?> backend = chosen;
    if (backend == null) {
      synchronized (BackendChoice.class) {
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
    List<BackendProvider> providers = load(BackendChoice.class.getClassLoader());
    return providers.isEmpty() ? load(Thread.currentThread().getContextClassLoader()) : providers;
  }

  static List<BackendProvider> load(ClassLoader loader) {
    List<BackendProvider> providers = provided(loader);
    // A jar made of several keeps the service file of one of them, unless who made it knew better.
    // Modules have none.
    if (!BackendChoice.class.getModule().isNamed()) {
      for (Candidate known : KNOWN) {
        add(known, providers, loader);
      }
    }
    return providers;
  }

  private static void add(Candidate known, List<BackendProvider> providers, ClassLoader loader) {
    for (BackendProvider provider : providers) {
      if (provider.getClass().getName().equals(known.type())) {
        return;
      }
    }
    try {
      providers.add(
          Class.forName(known.type(), true, loader)
              .asSubclass(BackendProvider.class)
              .getConstructor()
              .newInstance());
    } catch (ClassNotFoundException absent) {
      // Its jar isn't there.
    } catch (UnsupportedClassVersionError newer) {
      // The service file may have led to it, too, and there nobody knew its name.
      String path = known.type().replace('.', '/');
      providers.removeIf(
          provider -> provider instanceof Broken broken && broken.reason().contains(path));
      String reason =
          "needs JDK " + known.jdk() + " or later, but this is " + Runtime.version().feature();
      providers.add(new Broken(known.name(), reason, newer));
    } catch (ReflectiveOperationException | LinkageError | ClassCastException broken) {
      providers.add(new Broken(known.name(), broken.toString(), broken));
    }
  }

  private static List<BackendProvider> provided(ClassLoader loader) {
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
        providers.add(new Broken(Broken.NAMELESS, broken.toString(), broken));
      }
    }
    return providers;
  }

  static Backend<?> choose(List<BackendProvider> providers, String wanted) {
    List<BackendProvider> ranked = new ArrayList<>(providers);
    ranked.sort(Comparator.comparingInt(BackendProvider::preference).reversed());
    StringJoiner reasons = new StringJoiner("; ");
    Throwable failure = null;
    for (BackendProvider provider : ranked) {
      // One that can't say its name may be the one that is wanted.
      if (wanted != null
          && !provider.name().equals(wanted)
          && !provider.name().equals(Broken.NAMELESS)) {
        reasons.add(
            provider.name()
                + " isn't the backend that "
                + PROPERTY
                + " or "
                + VARIABLE
                + " selects");
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
  private record Broken(String name, String reason, Throwable error) implements BackendProvider {
    static final String NAMELESS = "a provider that can't be loaded";

    @Override
    public int preference() {
      return Integer.MIN_VALUE;
    }

    @Override
    public String unavailableBecause() {
      return reason;
    }

    @Override
    public Backend<?> open() {
      throw new IllegalStateException(error);
    }
  }
}
