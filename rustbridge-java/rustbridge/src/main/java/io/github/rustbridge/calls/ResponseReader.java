package io.github.rustbridge.calls;

/**
 * Decodes successful responses, or items, of one call.
 *
 * @param <R> the type of the decoded value
 */
public interface ResponseReader<R> {
  /** Decodes a response, or an item. */
  R read(Answer answer);

  /** Creates the exception for a failed call. */
  RuntimeException failure(Answer answer);

  /** Releases a decoded value that no one receives. */
  default void discard(R value) {}

  /** Reports whether the decoded value contains the objects of the response. */
  default boolean takesObjects() {
    return false;
  }
}
