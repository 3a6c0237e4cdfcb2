// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * Somebody, and how often.
 *
 * @param person Who comes first.
 * @param times How many there are.
 */
public record Repeat(Person person, long times) {
  /** Refuses null where there has to be something. */
  public Repeat {
    Objects.requireNonNull(person, "Repeat.person");
  }
}
