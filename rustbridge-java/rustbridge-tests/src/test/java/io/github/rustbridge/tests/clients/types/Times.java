// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Points in time and spans of it.
 *
 * @param at {@code at}
 * @param lasts {@code lasts}
 * @param ends or null
 */
public record Times(Instant at, Duration lasts, Instant ends) {
  /** Refuses null where there has to be something. */
  public Times {
    Objects.requireNonNull(at, "Times.at");
    Objects.requireNonNull(lasts, "Times.lasts");
  }
}
