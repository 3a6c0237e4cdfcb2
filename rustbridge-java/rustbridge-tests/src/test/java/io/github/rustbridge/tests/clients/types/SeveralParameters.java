// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/**
 * What `several` takes.
 *
 * @param person {@code person}
 * @param nickNames {@code nickNames}
 * @param numbers {@code numbers}
 * @param type {@code type}
 * @param class_ {@code class_}
 * @param self or null
 */
@SuppressWarnings("ArrayRecordComponent")
record SeveralParameters(
    Person person,
    List<String> nickNames,
    double[] numbers,
    Color type,
    byte[] class_,
    Object self) {
  /** Refuses null where there has to be something. */
  SeveralParameters {
    Objects.requireNonNull(person, "SeveralParameters.person");
    nickNames = Values.list(nickNames, "SeveralParameters.nickNames");
    Objects.requireNonNull(numbers, "SeveralParameters.numbers");
    Objects.requireNonNull(type, "SeveralParameters.type");
    Objects.requireNonNull(class_, "SeveralParameters.class_");
  }

  private Object[] components() {
    return new Object[] {person, nickNames, numbers, type, class_, self};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SeveralParameters that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text(
        "SeveralParameters",
        components(),
        "person",
        "nickNames",
        "numbers",
        "type",
        "class_",
        "self");
  }
}
