package io.github.rustbridge.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.PluginDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class DescriberTest {
  @Test
  void theExampleOfTheFormatIsRead() {
    // From docs/describe.md.
    String json =
        """
        {
          "abi": "1.0",
          "name": "hello",
          "version": "0.1.0",
          "description": "Everyone's example.",
          "rustbridge": "0.1.0",
          "config": { "type": "object" },
          "methods": [
            {
              "name": "math.add",
              "id": null,
              "doc": "Adds two integers.",
              "entries": [
                { "index": 18, "encoding": "json", "leaf": true, "async": false,
                  "request": { "schema": { "type": "object" } }, "response": { "schema": { "type": "object" } } },
                { "index": 20, "encoding": "pod", "leaf": true, "async": false,
                  "request": { "layout": { "type": "Add", "size": 16, "align": 8, "fields": [
                    { "name": "a", "type": "i64", "offset": 0, "size": 8 },
                    { "name": "b", "type": "i64", "offset": 8, "size": 8 } ] } },
                  "response": { "layout": { "type": "Sum", "size": 8, "align": 8, "fields": [
                    { "name": "result", "type": "i64", "offset": 0, "size": 8 } ] } } }
              ]
            }
          ]
        }
        """;
    PluginDescription plugin = Describer.read(json);
    assertEquals(json, plugin.json());
    assertEquals("1.0", plugin.abi());
    assertEquals("hello", plugin.name());
    assertEquals("0.1.0", plugin.version());
    assertEquals("Everyone's example.", plugin.description());
    assertEquals(Map.of("type", "object"), plugin.config());
    PluginDescription.Method add = plugin.method("math.add").orElseThrow();
    assertEquals(OptionalLong.empty(), add.id());
    assertEquals("Adds two integers.", add.doc());
    assertEquals(2, add.entries().size());
    PluginDescription.Entry text = add.entry(Encoding.JSON).orElseThrow();
    assertTrue(text.leaf());
    assertEquals(Optional.of(Map.of("type", "object")), text.request().schema());
    assertEquals(Optional.empty(), text.request().layout());
    PluginDescription.Entry pod = add.entry(Encoding.POD).orElseThrow();
    assertEquals(
        Optional.of(
            new PluginDescription.Layout(
                "Add",
                16,
                8,
                List.of(
                    new PluginDescription.Field("a", "i64", 0, 8),
                    new PluginDescription.Field("b", "i64", 8, 8)))),
        pod.request().layout());
    assertEquals(8, pod.response().layout().orElseThrow().size());
    assertEquals(Optional.empty(), add.entry(Encoding.RAW));
    assertEquals(Optional.empty(), plugin.method("absent"));
  }

  @Test
  void whatIsOptionalMayBeAbsentAndWhatIsUnknownIsIgnored() {
    PluginDescription plugin =
        Describer.read(
            "{\"name\":\"p\",\"future\":[1],\"config\":true,\"methods\":[{\"name\":\"m\",\"id\":4294967295,\"entries\":["
                + "{\"encoding\":\"raw\",\"async\":true,\"request\":{},\"response\":{}},"
                + "{\"encoding\":\"telepathy\"}]},{\"name\":\"n\"}]}");
    assertEquals("", plugin.description());
    assertEquals(true, plugin.config());
    PluginDescription.Method method = plugin.method("m").orElseThrow();
    assertEquals(OptionalLong.of(4_294_967_295L), method.id());
    assertEquals("", method.doc());
    assertEquals(1, method.entries().size());
    PluginDescription.Entry entry = method.entry(Encoding.RAW).orElseThrow();
    assertTrue(entry.async() && !entry.leaf());
    assertEquals(Optional.empty(), entry.request().schema());
    assertEquals(List.of(), plugin.method("n").orElseThrow().entries());
  }

  @TestFactory
  List<DynamicTest> everyVectorIsReadAsItSays() throws IOException {
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

  /** The answer without what our records don't have: indexes, and what structs in structs are made of. */
  private static Object wanted(Object answer) {
    if (answer instanceof List<?> list) {
      return list.stream().map(DescriberTest::wanted).toList();
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
    told.put("methods", plugin.methods().stream().map(DescriberTest::told).toList());
    return told;
  }

  private static Map<String, Object> told(PluginDescription.Method method) {
    Map<String, Object> told = new HashMap<>();
    told.put("name", method.name());
    told.put("id", method.id().isPresent() ? method.id().getAsLong() : null);
    told.put("doc", method.doc());
    told.put("entries", method.entries().stream().map(DescriberTest::told).toList());
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

  @Test
  void whatIsNoDescriptionIsRefused() {
    for (String text : new String[] {"", "[]", "1", "{", "{}"}) {
      var error = assertThrows(IllegalStateException.class, () -> Describer.read(text));
      assertTrue(error.getMessage().startsWith("the plugin's description"), error.getMessage());
    }
  }
}
