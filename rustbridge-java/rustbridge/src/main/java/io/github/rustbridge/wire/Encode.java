package io.github.rustbridge.wire;

/**
 * Writes the values of a type.
 *
 * @param <T> the type
 */
@FunctionalInterface
public interface Encode<T> {
  /**
   * Writes one.
   *
   * @param out where to
   * @param value what
   * @throws EncodeException if it isn't one that the type holds
   */
  void write(WireWriter out, T value);
}
