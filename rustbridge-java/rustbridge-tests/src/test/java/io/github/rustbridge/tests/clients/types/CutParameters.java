// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.Objects;

/**
 * What `cut` takes.
 *
 * @param how {@code how}
 * @param data {@code data}
 */
@SuppressWarnings("ArrayRecordComponent")
record CutParameters(Cut how, byte[] data) {
  /** Refuses null where there has to be something. */
  CutParameters {
    Objects.requireNonNull(how, "CutParameters.how");
    Objects.requireNonNull(data, "CutParameters.data");
  }

  private Object[] components() {
    return new Object[] {how, data};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CutParameters that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text("CutParameters", components(), "how", "data");
  }
}
