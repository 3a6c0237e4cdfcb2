package io.github.rustbridge;

import io.github.rustbridge.internal.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Parses a plugin's description, whose format is in docs/describe.md. Unknown members are ignored,
 * and entries of an unknown kind or encoding are omitted. The core has already rejected invalid
 * descriptions.
 */
final class Describer {
  private static final Map<String, Encoding> ENCODINGS = new HashMap<>();

  static {
    for (Encoding encoding : Encoding.values()) {
      ENCODINGS.put(encoding.text(), encoding);
    }
  }

  private Describer() {}

  /**
   * Reads a description.
   *
   * @param json what {@code rb_describe} gave
   * @return the description
   * @throws IllegalStateException if it isn't one
   */
  static PluginDescription read(String json) {
    Object value;
    try {
      value = Json.parse(json);
    } catch (Json.DecodeException error) {
      throw new IllegalStateException(
          "the plugin's description can't be read: " + error.getMessage(), error);
    }
    Map<String, Object> plugin = Json.object(value);
    if (!(plugin.get("name") instanceof String)) {
      throw new IllegalStateException("the plugin's description has no name");
    }
    List<PluginDescription.Method> methods = new ArrayList<>();
    for (Object method : Json.array(plugin.get("methods"))) {
      methods.add(method(Json.object(method)));
    }
    return new PluginDescription(
        json,
        text(plugin, "abi"),
        text(plugin, "name"),
        text(plugin, "version"),
        text(plugin, "description"),
        plugin.get("config"),
        List.copyOf(methods));
  }

  private static PluginDescription.Method method(Map<String, Object> method) {
    List<PluginDescription.Entry> entries = new ArrayList<>();
    for (Object entry : Json.array(method.get("entries"))) {
      entry(Json.object(entry)).ifPresent(entries::add);
    }
    OptionalLong id =
        method.get("id") instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    return new PluginDescription.Method(
        text(method, "name"), id, text(method, "doc"), List.copyOf(entries));
  }

  private static Optional<PluginDescription.Entry> entry(Map<String, Object> entry) {
    Object kind = entry.get("kind");
    if (kind != null && !kind.equals("unary")) {
      return Optional.empty();
    }
    return Optional.ofNullable(ENCODINGS.get(text(entry, "encoding")))
        .map(encoding ->
            new PluginDescription.Entry(
                encoding,
                Boolean.TRUE.equals(entry.get("leaf")),
                Boolean.TRUE.equals(entry.get("async")),
                message(Json.object(entry.get("request"))),
                message(Json.object(entry.get("response")))));
  }

  private static PluginDescription.Message message(Map<String, Object> message) {
    // A schema may also be `true`, which says nothing.
    Optional<Map<String, Object>> schema =
        Optional.ofNullable(message.get("schema")).map(Json::object);
    Optional<PluginDescription.Layout> layout =
        message.get("layout") instanceof Map<?, ?> one
            ? Optional.of(layout(Json.object(one)))
            : Optional.empty();
    return new PluginDescription.Message(schema, layout);
  }

  private static PluginDescription.Layout layout(Map<String, Object> layout) {
    List<PluginDescription.Field> fields = new ArrayList<>();
    for (Object element : Json.array(layout.get("fields"))) {
      Map<String, Object> field = Json.object(element);
      fields.add(
          new PluginDescription.Field(
              text(field, "name"),
              text(field, "type"),
              number(field, "offset"),
              number(field, "size")));
    }
    return new PluginDescription.Layout(
        text(layout, "type"), number(layout, "size"), number(layout, "align"), List.copyOf(fields));
  }

  private static String text(Map<String, Object> object, String member) {
    return object.get(member) instanceof String text ? text : "";
  }

  private static long number(Map<String, Object> object, String member) {
    return object.get(member) instanceof Long number ? number : 0;
  }
}
