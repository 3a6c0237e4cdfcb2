package io.github.rustbridge;

/** Finds implementations of the services that a plugin requires, for example in a container. */
@FunctionalInterface
public interface TypedClientServices {
  /**
   * Finds an implementation.
   *
   * @param service the generated interface of the service
   * @param required whether the plugin can't be loaded without the service
   * @param <S> the interface
   * @return the implementation; null if there is none and the service isn't required
   */
  <S> S find(Class<S> service, boolean required);
}
