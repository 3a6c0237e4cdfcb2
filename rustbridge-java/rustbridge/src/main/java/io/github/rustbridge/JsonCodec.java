package io.github.rustbridge;

import java.lang.reflect.Type;

/**
 * Turns objects into JSON and back, for the typed calls.
 *
 * <p>The first that {@link java.util.ServiceLoader} finds is used, else Jackson if it's on the
 * class path or module path; {@link PluginConfig#codec(JsonCodec)} overrides the choice for one
 * instance. It must be safe for use from several threads.
 *
 * <p>On the module path, Jackson has to be required by some module of the application, and reads
 * only the classes that their module opens to it.
 */
public interface JsonCodec {
  /**
   * Writes a value as JSON.
   *
   * @param value any value that this codec knows, null included
   * @return JSON in UTF-8
   * @throws IllegalArgumentException if it can't be written
   */
  byte[] encode(Object value);

  /**
   * Reads a value from JSON.
   *
   * @param json JSON in UTF-8
   * @param type what to read it as
   * @return the value
   * @throws IllegalArgumentException if the text isn't such a value
   */
  Object decode(byte[] json, Type type);
}
