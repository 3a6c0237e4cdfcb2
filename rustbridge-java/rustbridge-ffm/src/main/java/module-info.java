/**
 * Calls plugins through {@code java.lang.foreign}, on JDK 22 and later. It's the fastest backend.
 *
 * <p>The JVM requires a flag that permits native access: {@code
 * --enable-native-access=io.github.rustbridge.ffm}, or {@code ALL-UNNAMED} on the class path.
 *
 * @provides io.github.rustbridge.BackendProvider the backend {@code ffm}
 */
module io.github.rustbridge.ffm {
  requires transitive io.github.rustbridge;

  exports io.github.rustbridge.ffm;

  provides io.github.rustbridge.BackendProvider with
      io.github.rustbridge.ffm.FfmBackendProvider;
}
