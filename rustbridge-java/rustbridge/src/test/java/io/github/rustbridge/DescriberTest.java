package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class DescriberTest {
  @Test
  void the_example_of_the_format_is_read() {
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
  void what_is_optional_may_be_absent_and_what_is_unknown_is_ignored() {
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

  @Test
  void what_is_no_description_is_refused() {
    for (String text : new String[] {"", "[]", "1", "{", "{}"}) {
      var error = assertThrows(IllegalStateException.class, () -> Describer.read(text));
      assertTrue(error.getMessage().startsWith("the plugin's description"), error.getMessage());
    }
  }
}
