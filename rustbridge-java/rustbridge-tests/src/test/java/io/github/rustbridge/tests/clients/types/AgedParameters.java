// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * What `aged` takes.
 *
 * @param person {@code person}
 * @param years {@code years}
 */
record AgedParameters(Person person, long years) {
  /** Refuses null where there has to be something. */
  AgedParameters {
    Objects.requireNonNull(person, "AgedParameters.person");
  }
}
