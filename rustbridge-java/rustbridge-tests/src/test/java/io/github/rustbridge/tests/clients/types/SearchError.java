// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/** Why nobody was found. */
public sealed interface SearchError {
  /**
   * There's nobody like that.
   *
   * @param name Who was looked for.
   * @param similar Those who are called nearly so.
   */
  record Nobody(String name, List<Person> similar) implements SearchError {
    /** Refuses null where there has to be something. */
    public Nobody {
      Objects.requireNonNull(name, "SearchError.Nobody.name");
      similar = Values.list(similar, "SearchError.Nobody.similar");
    }
  }

  /** They are there, and don't want to be found. */
  record Hidden() implements SearchError {}

  /**
   * There are too many.
   *
   * @param item0 its bits are those of a number without a sign
   * @param item1 {@code item1}
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Crowd(long item0, double[] item1) implements SearchError {
    /** Refuses null where there has to be something. */
    public Crowd {
      Objects.requireNonNull(item1, "SearchError.Crowd.item1");
    }

    private Object[] components() {
      return new Object[] {item0, item1};
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Crowd that && Values.equal(components(), that.components());
    }

    @Override
    public int hashCode() {
      return Values.hash(components());
    }

    @Override
    public String toString() {
      return Values.text("Crowd", components(), "item0", "item1");
    }
  }
}
