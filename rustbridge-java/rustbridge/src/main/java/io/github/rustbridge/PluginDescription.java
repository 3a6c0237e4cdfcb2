package io.github.rustbridge;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The description of a plugin.
 *
 * @param json the description as the plugin returned it, for data that isn't in the other
 *     components
 * @param abi the version of the plugin ABI that the plugin was built for, e.g. {@code 1.0}
 * @param name the plugin's name
 * @param version the plugin's version
 * @param description a text for people, or empty
 * @param config the JSON Schema of the configuration, as JSON values
 * @param methods the methods
 */
public record PluginDescription(
    String json,
    String abi,
    String name,
    String version,
    String description,
    Object config,
    List<Method> methods) {
  /**
   * Returns the method with a name.
   *
   * @param method the method's name
   * @return the method, if there is one
   */
  public Optional<Method> method(String method) {
    return methods.stream().filter(one -> one.name().equals(method)).findFirst();
  }

  /**
   * A method.
   *
   * @param name the method's name, which is unique in the plugin
   * @param id the method's number, if it has one
   * @param doc a text for people, or empty
   * @param entries the encodings that the method supports
   */
  public record Method(String name, OptionalLong id, String doc, List<Entry> entries) {
    /**
     * Returns the entry for an encoding.
     *
     * @param encoding the encoding
     * @return the entry, if the method supports the encoding
     */
    public Optional<Entry> entry(Encoding encoding) {
      return entries.stream().filter(one -> one.encoding() == encoding).findFirst();
    }
  }

  /**
   * A method in one encoding.
   *
   * @param encoding the encoding; entries with encodings that this version doesn't know are omitted
   * @param leaf whether it's a leaf method: short, non-blocking and free of callbacks
   * @param async whether its handler is asynchronous
   * @param request the request
   * @param response the response
   */
  public record Entry(
      Encoding encoding, boolean leaf, boolean async, Message request, Message response) {}

  /**
   * A request or response.
   *
   * @param schema the JSON Schema, as JSON values; empty for raw and pod
   * @param layout the struct's layout; only for pod
   */
  public record Message(Optional<Map<String, Object>> schema, Optional<Layout> layout) {}

  /**
   * The layout of a C struct.
   *
   * @param type the struct's name in Rust
   * @param size the size in bytes
   * @param align the alignment in bytes
   * @param fields the struct's fields
   */
  public record Layout(String type, long size, long align, List<Field> fields) {}

  /**
   * A field of a struct.
   *
   * @param name the field's name
   * @param type the field's type in Rust, e.g. {@code i64} or {@code [u8; 64]}
   * @param offset the distance from the struct's start in bytes
   * @param size the size in bytes
   */
  public record Field(String name, String type, long offset, long size) {}
}
