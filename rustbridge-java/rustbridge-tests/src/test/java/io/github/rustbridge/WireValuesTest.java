package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.internal.Json;
import io.github.rustbridge.tests.Plugins;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Values in the wire format as JSON: the same as the plugin's own JSON of the vectors' messages.
 */
@Timeout(60)
class WireValuesTest {
  private static final String FILE = "conformance/wire/vectors.json";

  @Test
  void vectors_are_what_the_plugin_writes_as_json() throws IOException {
    String text = Files.readString(Plugins.REPOSITORY.resolve(FILE));
    int compared = 0;
    try (Plugin plugin =
        Plugin.load(Plugins.path("types-plugin"), PluginConfig.defaults().logLevel(LogLevel.OFF))) {
      Map<String, Object> description = Json.object(Json.parse(plugin.describeJson()));
      List<Object> types = Json.array(description.get("types"));
      for (Object each : Json.array(Json.object(Json.parse(text)).get("vectors"))) {
        Map<String, Object> vector = Json.object(each);
        if (vector.containsKey("refused") || vector.containsKey("filled")) {
          continue;
        }
        String method = (String) vector.get("method");
        Object type = request(description, method);
        byte[] message = HexFormat.of().parseHex((String) vector.get("wire"));
        Object value = new WireValues(types).read(message, values -> values.value(type));
        Object echo = plugin.call(method, value, Object.class);
        assertEquals(String.valueOf(echo), String.valueOf(value), () -> "" + vector.get("name"));
        compared++;
      }
    }
    assertTrue(compared > 30, "only " + compared);
  }

  /** The type of a method's request. */
  private static Object request(Map<String, Object> description, String name) {
    for (Object each : Json.array(description.get("methods"))) {
      Map<String, Object> method = Json.object(each);
      for (Object entry : Json.array(method.get("entries"))) {
        Map<String, Object> of = Json.object(entry);
        if (name.equals(method.get("name")) && "wire".equals(of.get("encoding"))) {
          return Json.object(of.get("request")).get("type");
        }
      }
    }
    throw new AssertionError(name);
  }
}
