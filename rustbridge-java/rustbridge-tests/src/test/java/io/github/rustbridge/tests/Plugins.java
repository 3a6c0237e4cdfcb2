package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The plugins of this repository, and how the tests load them: always on the backend under test.
 */
public final class Plugins {
  /**
   * The root of the repository: found from the working folder, which is this module's under Maven.
   */
  public static final Path REPOSITORY = repository();

  /** Whether this is Windows, where names of files can't hold every character. */
  public static final boolean WINDOWS =
      System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("win");

  private static final Path FOLDER = folder();

  private Plugins() {}

  private static Path repository() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("conformance/schema.json"))) {
        return at;
      }
    }
    throw new IllegalStateException(
        "no conformance/schema.json above " + Path.of("").toAbsolutePath());
  }

  private static Path folder() {
    String named = System.getenv("RUSTBRIDGE_PLUGIN_DIR");
    return named == null ? REPOSITORY.resolve("target/release") : Path.of(named).toAbsolutePath();
  }

  /**
   * Names the backend that this run tests.
   *
   * @return {@code ffm} or {@code jni}
   */
  public static String backend() {
    String backend = System.getProperty("rustbridge.backend");
    if (backend == null) {
      throw new IllegalStateException(
          "say which backend to test: -Drustbridge.backend=ffm or -Drustbridge.backend=jni");
    }
    return backend;
  }

  /**
   * Gives the file of a plugin.
   *
   * @param name the cargo package, e.g. {@code hello-plugin}
   * @return the library
   */
  public static Path path(String name) {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String file = name.replace('-', '_');
    if (system.contains("win")) {
      file += ".dll";
    } else {
      file = "lib" + file + (system.contains("mac") ? ".dylib" : ".so");
    }
    Path path = FOLDER.resolve(file);
    if (!Files.exists(path)) {
      throw new IllegalStateException(
          path + " isn't built: run `cargo build --release -p " + name + "`");
    }
    return path;
  }

  /**
   * Writes a path so that it may stand in a JSON string, where a backslash would begin an escape.
   *
   * @param path any path
   * @return the same path, which Windows takes with slashes as well
   */
  public static String inJson(Path path) {
    return path.toString().replace('\\', '/');
  }

  /**
   * Loads a plugin and makes sure of the backend.
   *
   * @param name the cargo package
   * @param config how
   * @return the instance
   */
  public static Plugin load(String name, PluginConfig config) {
    Plugin plugin = Plugin.load(path(name), config);
    assertEquals(backend(), plugin.backend(), "the backend under test isn't the one in use");
    return plugin;
  }

  /** Loads hello-plugin without a log. */
  public static Plugin hello() {
    return load("hello-plugin", PluginConfig.defaults().logLevel(LogLevel.OFF));
  }

  /** Loads conformance-plugin without a log. */
  public static Plugin conformance() {
    return load("conformance-plugin", labelled("java").logLevel(LogLevel.OFF));
  }

  /** Loads operations-plugin without a log. */
  public static Plugin operations() {
    return load("operations-plugin", PluginConfig.defaults().logLevel(LogLevel.OFF));
  }

  /** Loads fault-plugin without a log. */
  public static Plugin fault() {
    return load("fault-plugin", PluginConfig.defaults().logLevel(LogLevel.OFF));
  }

  /** Gives the least that conformance-plugin wants to be told. */
  public static PluginConfig labelled(String label) {
    return PluginConfig.json("{\"label\":\"" + label + "\"}");
  }
}
