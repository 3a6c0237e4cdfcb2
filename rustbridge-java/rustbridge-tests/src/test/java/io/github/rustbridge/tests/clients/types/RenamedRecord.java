// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * Names that aren't those of Rust, and a record whose fields JSON has among the others.
 *
 * @param firstName {@code firstName}
 * @param type {@code type}
 * @param class_ {@code class_}
 * @param person {@code person}
 */
public record RenamedRecord(String firstName, Color type, int class_, Person person) {
  /** Refuses null where there has to be something. */
  public RenamedRecord {
    Objects.requireNonNull(firstName, "RenamedRecord.firstName");
    Objects.requireNonNull(type, "RenamedRecord.type");
    Objects.requireNonNull(person, "RenamedRecord.person");
  }
}
