package io.github.rustbridge;

import io.github.rustbridge.interop.Backend;

/**
 * Creates a backend when it's first needed. {@link java.util.ServiceLoader} finds the providers.
 *
 * <p>For backends only; it may change with every version.
 */
public interface BackendProvider {
  /**
   * Returns the backend's name.
   *
   * @return {@code ffm} or {@code jni}; the property {@code rustbridge.backend} selects by this
   *     name
   */
  String name();

  /**
   * Returns the backend's rank among the available backends: the highest is selected.
   *
   * @return 20 for FFM, 10 for JNI
   */
  int preference();

  /**
   * Returns the reason why this JVM can't use the backend, for example because the JVM is too old.
   *
   * @return the reason, or null if the backend is usable
   */
  String unavailableBecause();

  /**
   * Loads the native library. Called once; the result is used for the whole process.
   *
   * @return the backend
   * @throws LibraryNotFoundException if the native library isn't found
   */
  @SuppressWarnings("exports") // Only backends use this type.
  Backend<?> open();
}
