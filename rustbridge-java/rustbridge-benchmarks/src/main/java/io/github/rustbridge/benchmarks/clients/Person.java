// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import java.util.Objects;

/**
 * Somebody to greet.
 *
 * @param name What they're called.
 */
public record Person(String name) {
  /** Refuses null where there has to be something. */
  public Person {
    Objects.requireNonNull(name, "Person.name");
  }
}
