package io.github.rustbridge.wire;

/**
 * Writes the values of a type.
 *
 * @param <T> the type
 */
@FunctionalInterface
public interface Encode<T> {
  /**
   * Writes a value.
   *
   * @param out the message to write to
   * @param value the value
   * @throws EncodeException if the value doesn't fit the type
   */
  void write(WireWriter out, T value);
}
