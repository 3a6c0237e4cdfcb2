// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * Which random value is asked for.
 *
 * @param method The method that would give it back.
 * @param seed The same value for the same seed. (its bits are those of a number without a sign)
 */
public record Random(String method, long seed) {
  /** Refuses null where there has to be something. */
  public Random {
    Objects.requireNonNull(method, "Random.method");
  }
}
