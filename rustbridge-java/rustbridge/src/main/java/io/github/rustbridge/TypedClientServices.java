package io.github.rustbridge;

/** Finds implementations of what a plugin asks its host for, in a container for instance. */
@FunctionalInterface
public interface TypedClientServices {
  /**
   * Finds an implementation.
   *
   * @param service the generated interface
   * @param required whether the plugin can't be loaded without it
   * @param <S> the interface
   * @return the implementation; null if there's none and none is required
   */
  <S> S find(Class<S> service, boolean required);
}
