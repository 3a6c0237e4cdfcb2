// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * Somebody.
 *
 * @param name What they are called.
 * @param age In years.
 * @param email Where they can be reached. (or null)
 */
public record Person(String name, long age, String email) {
  /** Refuses null where there has to be something. */
  public Person {
    Objects.requireNonNull(name, "Person.name");
  }
}
