// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/**
 * What `search` takes.
 *
 * @param name {@code name}
 * @param people {@code people}
 */
record SearchParameters(String name, List<Person> people) {
  /** Refuses null where there has to be something. */
  SearchParameters {
    Objects.requireNonNull(name, "SearchParameters.name");
    people = Values.list(people, "SearchParameters.people");
  }
}
