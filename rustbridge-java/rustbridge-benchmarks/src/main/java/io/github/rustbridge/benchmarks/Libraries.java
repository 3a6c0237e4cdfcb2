package io.github.rustbridge.benchmarks;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Finds the native libraries and opens the plugins. */
public final class Libraries {
  private static final Map<String, Plugin> OPEN = new HashMap<>();

  private Libraries() {}

  /**
   * Gives the path of a library of the repository, or says how to build it.
   *
   * @param name without what the system puts before and behind it
   * @return the absolute path
   */
  public static Path find(String name) {
    String folder = System.getenv("RUSTBRIDGE_PLUGIN_DIR");
    Path path = Path.of(folder == null ? "target/release" : folder, System.mapLibraryName(name));
    if (!Files.isRegularFile(path)) {
      throw new IllegalStateException(
          path.toAbsolutePath()
              + " is missing: run `cargo build --release --workspace`, or set RUSTBRIDGE_PLUGIN_DIR");
    }
    return path.toAbsolutePath();
  }

  /**
   * Gives this process's only instance of a plugin. A second one would make the calls of both a
   * little dearer, and threads are to share one.
   */
  static synchronized Plugin plugin(String transport, String library) {
    return OPEN.computeIfAbsent(library, name -> open(transport, name));
  }

  /** Opens a new instance of a plugin, over that transport. */
  static Plugin open(String transport, String library) {
    // Conformance-plugin insists on a label, hello-plugin doesn't mind one.
    String config = library.startsWith("conformance") ? "{\"label\":\"bench\"}" : "{}";
    return open(transport, library, config, plain -> plain);
  }

  /** The same with a configuration of its own, to which services may be added. */
  static Plugin open(
      String transport, String library, String json, UnaryOperator<PluginConfig> with) {
    choose(transport);
    PluginConfig config = with.apply(PluginConfig.json(json).logLevel(LogLevel.OFF));
    Plugin plugin = Plugin.load(find(library), config);
    if (!plugin.backend().equals(transport)) {
      throw new IllegalStateException(
          "asked for "
              + transport
              + " and got "
              + plugin.backend()
              + ", which another call has chosen before");
    }
    return plugin;
  }

  private static void choose(String transport) {
    System.setProperty("rustbridge.backend", transport);
    if (System.getProperty("rustbridge.library") == null) {
      System.setProperty("rustbridge.library", find("rustbridge").getParent().toString());
    }
  }
}
