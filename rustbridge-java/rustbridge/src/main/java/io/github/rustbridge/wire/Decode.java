package io.github.rustbridge.wire;

/**
 * Reads the values of a type.
 *
 * @param <T> the type
 */
@FunctionalInterface
public interface Decode<T> {
  /**
   * Reads a value.
   *
   * @param in the message to read from
   * @return the value
   * @throws DecodeException if the bytes aren't a value of the type
   */
  T read(WireReader in);
}
