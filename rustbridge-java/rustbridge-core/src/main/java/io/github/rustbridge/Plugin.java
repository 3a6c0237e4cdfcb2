package io.github.rustbridge;

import io.github.rustbridge.internal.Backends;
import io.github.rustbridge.internal.Codecs;
import io.github.rustbridge.internal.Describer;
import io.github.rustbridge.internal.Logging;
import io.github.rustbridge.spi.Backend;
import io.github.rustbridge.spi.Failures;
import io.github.rustbridge.spi.LoadRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One running instance of a plugin.
 *
 * <pre>{@code
 * try (Plugin plugin = Plugin.load(Path.of("libhello.so"))) {
 *   System.out.println(plugin.call("greet", "{\"name\":\"Ada\"}"));
 * }
 * }</pre>
 *
 * <p>Safe for use from any number of threads at once, virtual ones included. Closing waits for running calls; a call
 * that comes too late throws {@link PluginException} with {@link Status#UNAVAILABLE}.
 */
public final class Plugin implements AutoCloseable {
  /** How long {@link #close()} waits for running calls. */
  public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final Backend backend;
  private final long handle;
  private final String name;
  private final Logging logging;
  private final JsonCodec codec;
  private final Map<String, Method> json = new ConcurrentHashMap<>();
  private final Map<String, Method> raw = new ConcurrentHashMap<>();

  private Plugin(Backend backend, long handle, String name, Logging logging, JsonCodec codec) {
    this.backend = backend;
    this.handle = handle;
    this.name = name;
    this.logging = logging;
    this.codec = codec;
  }
  // Being written.
}
