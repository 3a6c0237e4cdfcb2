package io.github.rustbridge.jni;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import java.nio.file.Path;

/** The plugin that these tests call. What holds for all backends is tested in rustbridge-tests. */
final class Plugins {
  private Plugins() {}

  /** The library of a plugin, e.g. {@code conformance_plugin}. */
  static Path path(String name) {
    String folder = System.getenv("RUSTBRIDGE_PLUGIN_DIR");
    return Path.of(folder == null ? "../../target/release" : folder)
        .toAbsolutePath()
        .resolve(System.mapLibraryName(name));
  }

  static Plugin conformance() {
    return conformance(config().logLevel(LogLevel.OFF));
  }

  static Plugin conformance(PluginConfig config) {
    Plugin plugin = Plugin.load(path("conformance_plugin"), config);
    // Without JUnit, as forked JVMs don't have it.
    if (!plugin.backend().equals("jni")) {
      throw new IllegalStateException("the backend in use is " + plugin.backend());
    }
    return plugin;
  }

  static PluginConfig config() {
    return PluginConfig.json("{\"label\":\"jni\"}");
  }
}
