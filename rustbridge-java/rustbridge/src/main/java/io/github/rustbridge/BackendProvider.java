package io.github.rustbridge;

/**
 * Found by {@link java.util.ServiceLoader}; opens a {@link Backend} when one is first needed.
 *
 * <p>For the backends: applications have no use for it, and it may change with every version.
 */
public interface BackendProvider {
  /**
   * Names the backend.
   *
   * @return {@code ffm} or {@code jni}; what {@code rustbridge.backend} selects by
   */
  String name();

  /**
   * Ranks it among those that are available: the highest is taken.
   *
   * @return 20 for FFM, 10 for JNI
   */
  int preference();

  /**
   * Says why this JVM can't use it, for example because it's too old.
   *
   * @return the reason, or null if it can be used
   */
  String unavailableBecause();

  /**
   * Loads the native library. Called once; the result serves the whole process.
   *
   * @return the backend
   * @throws LibraryNotFoundException if the native library isn't found
   */
  Backend open();
}
