package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loading: from where, with what config, and what is refused. */
class LoadingTest {
  private static final Path HELLO = Plugins.path("hello-plugin");

  private static void works(Plugin plugin) {
    try (plugin) {
      assertEquals("{\"message\":\"\",\"length\":0}", plugin.call("echo", "{\"message\":\"\"}"));
      assertEquals("hello", plugin.describe().name());
    }
  }

  @Test
  void a_plugin_is_loaded_from_its_path_or_its_bytes() throws IOException {
    byte[] image = Files.readAllBytes(HELLO);
    works(Plugin.load(HELLO));
    works(Plugin.load(HELLO, PluginConfig.defaults()));
    works(Plugin.load(image));
    works(Plugin.load(image, PluginConfig.json("{\"first_user\":7}").named("from bytes")));
  }

  @Test
  void a_relative_path_is_one_too() {
    works(Plugin.load(Path.of("").toAbsolutePath().relativize(HELLO)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"with spaces.so", "größer 🦀.so", "no ending", "a'b\"c$d%20.so", "日本語"})
  void a_path_may_hold_any_character(String name, @TempDir Path folder) throws IOException {
    String allowed = Plugins.WINDOWS ? name.replace('"', '^') : name;
    Path copy = Files.createDirectories(folder.resolve("in a folder é")).resolve(allowed);
    Files.copy(HELLO, copy);
    works(Plugin.load(copy));
    // The file isn't held: it can go while the plugin lives.
    try (Plugin plugin = Plugin.load(copy)) {
      Files.delete(copy);
      assertEquals("{\"result\":3}", plugin.call("math.add", "{\"a\":1,\"b\":2}"));
    }
  }

  @Test
  void a_plugin_is_loaded_from_a_resource() throws IOException, URISyntaxException {
    Path classes =
        Path.of(LoadingTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path beside = classes.resolve("io/github/rustbridge/tests/plugin-as-resource");
    Path top = classes.resolve("plugin-at-the-top");
    try {
      Files.copy(HELLO, beside);
      Files.copy(HELLO, top);
      works(Plugin.loadResource(LoadingTest.class, "plugin-as-resource"));
      works(
          Plugin.loadResource(
              LoadingTest.class,
              "/plugin-at-the-top",
              PluginConfig.defaults().named("from a resource")));
    } finally {
      Files.deleteIfExists(beside);
      Files.deleteIfExists(top);
    }
    PluginException failure =
        fails(Status.NOT_FOUND, () -> Plugin.loadResource(LoadingTest.class, "no-such-resource"));
    assertTrue(failure.getMessage().contains("no-such-resource"), failure::toString);
  }

  @Test
  void the_same_content_is_mapped_once(@TempDir Path folder) throws IOException {
    Path copy = Files.copy(HELLO, folder.resolve("copy"));
    try (Plugin first = Plugins.hello();
        Plugin second = Plugin.load(copy);
        Plugin third = Plugin.load(Files.readAllBytes(copy))) {
      long mappings =
          Arrays.stream(Plugin.inspect().split("\\}"))
              .filter(mapping -> mapping.contains("\"plugin\":\"hello\""))
              .filter(mapping -> mapping.contains("\"hash\""))
              .count();
      assertEquals(1, mappings, Plugin::inspect);
      assertTrue(first.handle() != second.handle() && second.handle() != third.handle());
    }
  }

  @Test
  void a_file_that_does_not_exist_is_not_found() {
    Path missing = Path.of("no", "such", "größer.so");
    PluginException failure = fails(Status.NOT_FOUND, () -> Plugin.load(missing));
    assertTrue(failure.getMessage().contains("größer.so"), failure::toString);
  }

  @Test
  void a_folder_is_no_plugin(@TempDir Path folder) {
    PluginException failure = assertThrows(PluginException.class, () -> Plugin.load(folder));
    assertTrue(failure.getMessage().contains(folder.getFileName().toString()), failure::toString);
  }

  @Test
  void a_path_of_another_file_system_is_refused_or_read(@TempDir Path folder) throws IOException {
    Path archive = folder.resolve("plugins.zip");
    try (var zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Path inside = zip.getPath("/hello.so");
      Files.copy(HELLO, inside);
      try {
        works(Plugin.load(inside));
      } catch (IllegalArgumentException | UnsupportedOperationException refusal) {
        assertTrue(refusal.getMessage().contains("hello.so"), refusal::toString);
      }
    }
  }

  @Test
  void what_is_no_library_has_a_clear_status(@TempDir Path folder) throws IOException {
    byte[] whole = Files.readAllBytes(HELLO);
    byte[] random = new byte[100_000];
    new Random(5).nextBytes(random);
    byte[] garbled = Arrays.copyOf(whole, 100_000);
    System.arraycopy(random, 0, garbled, 64, 10_000);
    for (byte[] content :
        List.of(
            new byte[0],
            "not a library\n".getBytes(StandardCharsets.UTF_8),
            Arrays.copyOf(whole, whole.length / 2),
            Arrays.copyOf(whole, 64),
            Arrays.copyOf(whole, 3),
            random,
            garbled)) {
      Path file = Files.write(folder.resolve("wrong"), content);
      for (PluginException failure :
          List.of(
              assertThrows(PluginException.class, () -> Plugin.load(file)),
              assertThrows(PluginException.class, () -> Plugin.load(content)))) {
        assertTrue(
            failure.status() == Status.INVALID_ARGUMENT
                || failure.status() == Status.FAILED_PRECONDITION,
            failure::toString);
        assertTrue(failure.getMessage().length() > 10, failure::toString);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "fault-abi-major, FAILED_PRECONDITION",
    "fault-short-table, FAILED_PRECONDITION",
    "fault-null-table, FAILED_PRECONDITION",
    "fault-null-function, FAILED_PRECONDITION",
    "fault-no-symbol, INVALID_ARGUMENT"
  })
  void a_plugin_of_another_shape_is_refused(String variant, Status status) throws IOException {
    Path path = Plugins.path(variant);
    for (PluginException failure :
        List.of(
            fails(status, () -> Plugin.load(path)),
            fails(status, () -> Plugin.load(Files.readAllBytes(path))))) {
      assertTrue(failure.getMessage().length() > 10, failure::toString);
    }
  }

  /** What {@code create} of conformance-plugin takes. */
  record Config(String label, Integer limit, List<String> tags) {}

  @Test
  void a_config_is_given_as_text_or_bytes_or_an_object() {
    String wanted = "{\"label\":\"größer 🦀\",\"limit\":3,\"tags\":[\"a\"],\"mode\":\"fast\"}";
    for (PluginConfig config :
        List.of(
            PluginConfig.json("{\"label\":\"größer 🦀\",\"limit\":3,\"tags\":[\"a\"]}"),
            PluginConfig.json(
                "{\"label\":\"größer 🦀\",\"limit\":3,\"tags\":[\"a\"]}"
                    .getBytes(StandardCharsets.UTF_8)),
            PluginConfig.of(new Config("größer 🦀", 3, List.of("a"))),
            PluginConfig.of(Map.of("label", "größer 🦀", "limit", 3, "tags", List.of("a"))))) {
      try (Plugin plugin = Plugins.load("conformance-plugin", config.logLevel(LogLevel.OFF))) {
        assertEquals(wanted, plugin.call("state.config", "null"));
      }
    }
  }

  @Test
  void a_config_that_is_wrong_is_refused_with_the_reason() {
    Path path = Plugins.path("conformance-plugin");
    assertTrue(
        fails(Status.INVALID_ARGUMENT, () -> Plugin.load(path)).getMessage().contains("label"));
    assertTrue(
        fails(Status.INVALID_ARGUMENT, () -> Plugin.load(path, PluginConfig.of(Map.of("labl", 1))))
            .getMessage()
            .contains("labl"));
    for (String config :
        new String[] {"{not json", "{\"label\":\"x\"", "[]", "\"label\"", "null", "1"}) {
      fails(Status.INVALID_ARGUMENT, () -> Plugin.load(path, PluginConfig.json(config)));
    }
    PluginException refused =
        fails(Status.PERMISSION_DENIED, () -> Plugin.load(path, Plugins.labelled("refuse")));
    assertEquals("label refuse is not allowed", refused.getMessage());
    assertEquals(Map.of("label", "refuse"), refused.details());
  }

  @Test
  void the_ledger_and_the_version_are_there() {
    try (Plugin plugin =
        Plugins.load("hello-plugin", PluginConfig.defaults().named("in the ledger"))) {
      assertTrue(Plugin.inspect().contains("\"in the ledger\""), Plugin::inspect);
      assertTrue(Plugin.nativeVersion().matches("\\d+\\.\\d+\\.\\d+.*"), Plugin::nativeVersion);
      assertTrue(plugin.toString().contains("in the ledger"), plugin::toString);
    }
    assertTrue(!Plugin.inspect().contains("\"in the ledger\""), Plugin::inspect);
  }
}
