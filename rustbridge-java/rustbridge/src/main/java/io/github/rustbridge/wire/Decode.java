package io.github.rustbridge.wire;

/**
 * Reads the values of a type.
 *
 * @param <T> the type
 */
@FunctionalInterface
public interface Decode<T> {
  /**
   * Reads one.
   *
   * @param in where from
   * @return the value
   * @throws DecodeException if the bytes are no value of the type
   */
  T read(WireReader in);
}
