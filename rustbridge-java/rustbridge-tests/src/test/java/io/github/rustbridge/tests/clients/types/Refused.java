// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * What isn't to one's taste.
 *
 * @param color What it was in.
 * @param better What it might be in. (or null)
 */
public record Refused(Color color, Color better) {
  /** Refuses null where there has to be something. */
  public Refused {
    Objects.requireNonNull(color, "Refused.color");
  }
}
