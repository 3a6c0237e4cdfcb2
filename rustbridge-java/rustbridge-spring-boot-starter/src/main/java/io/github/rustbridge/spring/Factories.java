package io.github.rustbridge.spring;

import io.github.rustbridge.TypedClientFactory;

/** Finds the factories of generated classes. */
final class Factories {
  private Factories() {}

  static TypedClientFactory<?> of(Class<?> client) {
    try {
      return (TypedClientFactory<?>) client.getField("FACTORY").get(null);
    } catch (ReflectiveOperationException missing) {
      throw new IllegalStateException(
          client.getName()
              + " has no public field FACTORY: write the client with this version of `rustbridge gen`",
          missing);
    }
  }
}
