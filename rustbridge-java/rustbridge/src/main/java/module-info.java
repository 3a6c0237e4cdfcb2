/**
 * Loads plugins written in Rust, and calls them in the same process.
 *
 * <p>The module path or class path must also contain a backend: {@code rustbridge-ffm} for JDK 22
 * and later, {@code rustbridge-jni} for JDK 17 and later.
 */
@SuppressWarnings("module") // The backends, which are compiled later.
module io.github.rustbridge {
  requires static com.fasterxml.jackson.databind;
  requires static java.logging;

  exports io.github.rustbridge;
  exports io.github.rustbridge.interop to
      io.github.rustbridge.ffm,
      io.github.rustbridge.jni;
  exports io.github.rustbridge.spi to
      io.github.rustbridge.ffm,
      io.github.rustbridge.jni;
  exports io.github.rustbridge.wire;

  uses io.github.rustbridge.JsonCodec;
  uses io.github.rustbridge.BackendProvider;
}
