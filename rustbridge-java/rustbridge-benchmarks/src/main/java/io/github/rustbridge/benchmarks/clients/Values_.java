// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.wire.Values;
import java.util.List;

/**
 * A list of values whose types only the values themselves know.
 *
 * @param values The values.
 */
public record Values_(List<Object> values) {
  /** Refuses null where there has to be something. */
  public Values_ {
    values = Values.nullableList(values, "Values_.values");
  }

  private Object[] components() {
    return new Object[] {values};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Values_ that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text("Values_", components(), "values");
  }
}
