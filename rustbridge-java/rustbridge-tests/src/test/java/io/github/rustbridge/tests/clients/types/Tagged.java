// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/** Known by a field of its own in JSON. */
public sealed interface Tagged {
  /**
   * {@code started}.
   *
   * @param atSecond its bits are those of a number without a sign
   */
  record Started(long atSecond) implements Tagged {}

  /**
   * {@code moved}.
   *
   * @param toPlace {@code toPlace}
   * @param howFast or null
   */
  record Moved(Point toPlace, Float howFast) implements Tagged {
    /** Refuses null where there has to be something. */
    public Moved {
      Objects.requireNonNull(toPlace, "Tagged.Moved.toPlace");
    }
  }

  /** {@code stopped}. */
  record Stopped() implements Tagged {}
}
