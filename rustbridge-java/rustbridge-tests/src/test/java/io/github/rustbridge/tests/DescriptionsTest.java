package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginDescription;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What plugins say of themselves. */
class DescriptionsTest {
  @Test
  void a_description_holds_what_the_plugin_says() {
    try (Plugin plugin = Plugins.hello()) {
      PluginDescription hello = plugin.describe();
      assertEquals("hello", hello.name());
      assertEquals("1.0", hello.abi());
      assertEquals("The example plugin of rustbridge.", hello.description());
      assertFalse(hello.version().isEmpty());
      assertEquals(plugin.describeJson(), hello.json());
      PluginDescription.Method small = hello.method("bench.small").orElseThrow();
      assertEquals(OptionalLong.of(1), small.id());
      PluginDescription.Entry pod = small.entry(Encoding.POD).orElseThrow();
      assertTrue(pod.leaf());
      assertFalse(pod.async());
      PluginDescription.Layout layout = pod.request().layout().orElseThrow();
      assertEquals(76, layout.size());
      assertEquals(80, pod.response().layout().orElseThrow().size());
      assertEquals(Set.of(0L), offsets(layout, "version"));
      assertEquals(76, layout.fields().stream().mapToLong(PluginDescription.Field::size).sum());
      assertTrue(small.entry(Encoding.RAW).isEmpty());
      PluginDescription.Entry json = hello.method("echo").orElseThrow().entry(Encoding.JSON).get();
      assertTrue(json.request().schema().orElseThrow().containsKey("properties"));
      assertTrue(json.request().layout().isEmpty());
      assertTrue(hello.method("test.sleep").orElseThrow().entry(Encoding.JSON).get().async());
      assertTrue(hello.method("none").isEmpty());
    }
  }

  private static Set<Long> offsets(PluginDescription.Layout layout, String field) {
    Set<Long> offsets = new TreeSet<>();
    layout.fields().stream()
        .filter(one -> one.name().equals(field))
        .forEach(one -> offsets.add(one.offset()));
    return offsets;
  }

  @Test
  void the_highest_id_is_not_negative() {
    try (Plugin plugin = Plugins.conformance()) {
      assertEquals(
          OptionalLong.of(4_294_967_295L),
          plugin.describe().method("id.highest").orElseThrow().id());
      assertEquals(OptionalLong.of(0), plugin.describe().method("id.zero").orElseThrow().id());
      assertEquals(OptionalLong.empty(), plugin.describe().method("raw.echo").orElseThrow().id());
    }
  }

  @Test
  void the_record_and_the_json_tell_the_same() throws JsonProcessingException {
    try (Plugin plugin = Plugins.conformance()) {
      JsonNode json = new ObjectMapper().readTree(plugin.describeJson());
      PluginDescription record = plugin.describe();
      assertEquals(json.get("methods").size(), record.methods().size());
      for (JsonNode method : json.get("methods")) {
        PluginDescription.Method found = record.method(method.get("name").textValue()).get();
        assertEquals(method.path("doc").asText(), found.doc());
        assertEquals(method.get("entries").size(), found.entries().size());
        for (JsonNode entry : method.get("entries")) {
          Encoding encoding =
              List.of(Encoding.values()).stream()
                  .filter(one -> one.text().equals(entry.get("encoding").textValue()))
                  .findFirst()
                  .orElseThrow();
          PluginDescription.Entry same = found.entry(encoding).orElseThrow();
          assertEquals(entry.path("leaf").booleanValue(), same.leaf());
          assertEquals(entry.path("async").booleanValue(), same.async());
          Method prepared = plugin.method(found.name(), encoding);
          assertEquals(same.leaf(), prepared.isLeaf());
          assertEquals(same.async(), prepared.isAsync());
          assertEquals(
              same.request().layout().map(PluginDescription.Layout::size).orElse(0L),
              prepared.requestSize());
          assertEquals(
              same.response().layout().map(PluginDescription.Layout::size).orElse(0L),
              prepared.responseSize());
        }
      }
    }
  }
}
