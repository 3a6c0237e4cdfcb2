// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/**
 * What `search_later` takes.
 *
 * @param name {@code name}
 * @param people {@code people}
 */
record SearchLaterParameters(String name, List<Person> people) {
  /** Refuses null where there has to be something. */
  SearchLaterParameters {
    Objects.requireNonNull(name, "SearchLaterParameters.name");
    people = Values.list(people, "SearchLaterParameters.people");
  }
}
