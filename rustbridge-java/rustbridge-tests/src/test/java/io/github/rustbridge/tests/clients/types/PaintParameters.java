// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * What `paint` takes.
 *
 * @param color {@code color}
 * @param better or null
 */
record PaintParameters(Color color, Color better) {
  /** Refuses null where there has to be something. */
  PaintParameters {
    Objects.requireNonNull(color, "PaintParameters.color");
  }
}
