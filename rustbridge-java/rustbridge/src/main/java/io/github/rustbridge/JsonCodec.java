package io.github.rustbridge;

import java.lang.reflect.Type;

/**
 * Converts objects to JSON and back, for calls with objects.
 *
 * <p>The default is the first codec that {@link java.util.ServiceLoader} finds, or else Jackson, if
 * it's on the class path or module path. {@link PluginConfig#codec(JsonCodec)} sets the codec of
 * one instance. A codec must be safe for use from several threads.
 *
 * <p>On the module path, a module of the application must require Jackson. Jackson reads only
 * classes that their module opens to it.
 */
public interface JsonCodec {
  /**
   * Writes a value as JSON.
   *
   * @param value any value that this codec supports, including null
   * @return JSON in UTF-8
   * @throws IllegalArgumentException if the codec can't write the value
   */
  byte[] encode(Object value);

  /**
   * Reads a value from JSON.
   *
   * @param json JSON in UTF-8
   * @param type the type of the value
   * @return the value
   * @throws IllegalArgumentException if the text isn't a value of that class
   */
  Object decode(byte[] json, Type type);
}
