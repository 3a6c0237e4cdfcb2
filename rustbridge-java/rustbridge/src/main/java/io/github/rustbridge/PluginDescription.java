package io.github.rustbridge;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a plugin says of itself.
 *
 * @param json the description as the plugin gave it, for whatever else is in it
 * @param abi the plugin ABI version it was built for, e.g. {@code 1.0}
 * @param name the plugin's name
 * @param version the plugin's version
 * @param description prose, or empty
 * @param config JSON Schema of the configuration as values of JSON
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
   * Finds a method by name.
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
   * @param name unique in the plugin
   * @param id its number, if it has one
   * @param doc prose, or empty
   * @param entries the encodings it has
   */
  public record Method(String name, OptionalLong id, String doc, List<Entry> entries) {
    /**
     * Finds the entry for an encoding.
     *
     * @param encoding the encoding
     * @return the entry, if the method has that encoding
     */
    public Optional<Entry> entry(Encoding encoding) {
      return entries.stream().filter(one -> one.encoding() == encoding).findFirst();
    }
  }

  /**
   * A method in one encoding.
   *
   * @param encoding the encoding; encodings that this version doesn't know are left out
   * @param leaf whether it's short, non-blocking and free of callbacks
   * @param async whether its handler is asynchronous
   * @param request what goes in
   * @param response what comes out
   */
  public record Entry(
      Encoding encoding, boolean leaf, boolean async, Message request, Message response) {}

  /**
   * What goes in or out.
   *
   * @param schema JSON Schema as values of JSON; empty for raw and pod
   * @param layout the struct's layout; only pods have one
   */
  public record Message(Optional<Map<String, Object>> schema, Optional<Layout> layout) {}

  /**
   * The layout of a C struct.
   *
   * @param type its name in Rust
   * @param size bytes
   * @param align bytes
   * @param fields its fields
   */
  public record Layout(String type, long size, long align, List<Field> fields) {}

  /**
   * A field of a struct.
   *
   * @param name its name
   * @param type its type in Rust, e.g. {@code i64} or {@code [u8; 64]}
   * @param offset bytes from the struct's start
   * @param size bytes
   */
  public record Field(String name, String type, long offset, long size) {}
}
