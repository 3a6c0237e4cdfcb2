package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rustbridge.internal.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What is made of a plugin's description: the vectors that the readers of every language hold to.
 */
final class DescriptionVectorsTest {
  @TestFactory
  List<DynamicTest> every_vector_is_read_as_it_says() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : vectorFiles()) {
      Map<String, Object> vectors = Json.object(Json.parse(Files.readString(file)));
      for (Object one : Json.array(vectors.get("vectors"))) {
        Map<String, Object> vector = Json.object(one);
        tests.add(
            DynamicTest.dynamicTest(
                file.getFileName() + ": " + vector.get("name"), () -> check(vector)));
      }
    }
    assertTrue(tests.size() > 70, tests.size() + " vectors");
    return tests;
  }

  private static List<Path> vectorFiles() throws IOException {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("conformance/descriptions"))) {
      folder = folder.getParent();
    }
    try (Stream<Path> files = Files.list(folder.resolve("conformance/descriptions"))) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  private static void check(Map<String, Object> vector) throws IOException {
    Map<String, Object> refused = Json.object(vector.get("refused"));
    if (refused.isEmpty()) {
      assertEquals(wanted(vector.get("answer")), told(Describer.read(given(vector))));
    } else if (refused.get("by").equals("everyone")) {
      assertThrows(IllegalStateException.class, () -> Describer.read(given(vector)));
    } else {
      // The core refuses it when the plugin is loaded: no reader of a host ever gets it.
      assertEquals("core", refused.get("by"));
    }
  }

  private static String given(Map<String, Object> vector) throws IOException {
    return vector.get("text") instanceof String text
        ? text
        : new ObjectMapper().writeValueAsString(vector.get("description"));
  }

  /**
   * The answer without what our records don't have: indexes, and what structs in structs are made
   * of.
   */
  private static Object wanted(Object answer) {
    if (answer instanceof List<?> list) {
      return list.stream().map(DescriptionVectorsTest::wanted).toList();
    }
    if (!(answer instanceof Map)) {
      return answer;
    }
    Map<String, Object> members = new HashMap<>();
    Json.object(answer).forEach((name, value) -> members.put(name, wanted(value)));
    members.remove("index");
    if (members.containsKey("offset")) {
      members.remove("fields");
    }
    // A schema that takes anything.
    members.replace("schema", true, Map.of());
    return members;
  }

  private static Map<String, Object> told(PluginDescription plugin) {
    Map<String, Object> told = new HashMap<>();
    told.put("abi", plugin.abi());
    told.put("name", plugin.name());
    told.put("version", plugin.version());
    told.put("description", plugin.description());
    if (plugin.config() != null) {
      told.put("config", plugin.config());
    }
    told.put("methods", plugin.methods().stream().map(DescriptionVectorsTest::told).toList());
    return told;
  }

  private static Map<String, Object> told(PluginDescription.Method method) {
    Map<String, Object> told = new HashMap<>();
    told.put("name", method.name());
    told.put("id", method.id().isPresent() ? method.id().getAsLong() : null);
    told.put("doc", method.doc());
    told.put("entries", method.entries().stream().map(DescriptionVectorsTest::told).toList());
    return told;
  }

  private static Map<String, Object> told(PluginDescription.Entry entry) {
    return Map.of(
        "encoding", entry.encoding().text(),
        "leaf", entry.leaf(),
        "async", entry.async(),
        "request", told(entry.request()),
        "response", told(entry.response()));
  }

  private static Map<String, Object> told(PluginDescription.Message message) {
    Map<String, Object> told = new HashMap<>();
    message.schema().ifPresent(schema -> told.put("schema", schema));
    message.layout().ifPresent(layout -> told.put("layout", told(layout)));
    return told;
  }

  private static Map<String, Object> told(PluginDescription.Layout layout) {
    List<Map<String, Object>> fields = new ArrayList<>();
    for (PluginDescription.Field field : layout.fields()) {
      fields.add(
          Map.of(
              "name", field.name(),
              "type", field.type(),
              "offset", field.offset(),
              "size", field.size()));
    }
    return Map.of(
        "type", layout.type(), "size", layout.size(), "align", layout.align(), "fields", fields);
  }
}
