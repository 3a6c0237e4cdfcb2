package io.github.rustbridge.ffm;

import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds and opens the plugins of the tests. */
final class Plugins {
  private Plugins() {}

  static Path find(String name) {
    String folder = System.getenv("RUSTBRIDGE_PLUGIN_DIR");
    Path path =
        Path.of(folder == null ? "../../target/release" : folder, System.mapLibraryName(name))
            .toAbsolutePath();
    if (!Files.isRegularFile(path)) {
      throw new IllegalStateException(
          path + " isn't there; build it, or name its folder by RUSTBRIDGE_PLUGIN_DIR");
    }
    return path;
  }

  static Plugin conformance() {
    return Plugin.load(find("conformance_plugin"), PluginConfig.json("{\"label\":\"test\"}"));
  }

  static Plugin hello() {
    return Plugin.load(find("hello_plugin"));
  }

  /** Waits until some instance runs a call. */
  static void awaitCall() {
    while (!Plugin.inspect().contains("\"in_flight\":1")) {
      Thread.onSpinWait();
    }
  }
}
