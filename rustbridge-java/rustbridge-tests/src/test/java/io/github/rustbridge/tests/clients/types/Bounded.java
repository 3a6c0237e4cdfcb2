// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.Objects;

/**
 * What is checked when it's read.
 *
 * @param share {@code share}
 * @param all {@code all}
 */
@SuppressWarnings("ArrayRecordComponent")
public record Bounded(int share, byte[] all) {
  /** Refuses null where there has to be something. */
  public Bounded {
    Objects.requireNonNull(all, "Bounded.all");
  }

  private Object[] components() {
    return new Object[] {share, all};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bounded that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text("Bounded", components(), "share", "all");
  }
}
