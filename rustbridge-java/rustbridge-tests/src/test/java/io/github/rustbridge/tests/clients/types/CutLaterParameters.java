// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.Objects;

/**
 * What `cut_later` takes.
 *
 * @param how {@code how}
 * @param data {@code data}
 */
@SuppressWarnings("ArrayRecordComponent")
record CutLaterParameters(Cut how, byte[] data) {
  /** Refuses null where there has to be something. */
  CutLaterParameters {
    Objects.requireNonNull(how, "CutLaterParameters.how");
    Objects.requireNonNull(data, "CutLaterParameters.data");
  }

  private Object[] components() {
    return new Object[] {how, data};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CutLaterParameters that
        && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text("CutLaterParameters", components(), "how", "data");
  }
}
