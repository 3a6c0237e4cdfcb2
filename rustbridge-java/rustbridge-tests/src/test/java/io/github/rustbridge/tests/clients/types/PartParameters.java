// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * What `part` takes.
 *
 * @param text {@code text}
 * @param start {@code start}
 * @param count or null
 */
record PartParameters(String text, long start, Long count) {
  /** Refuses null where there has to be something. */
  PartParameters {
    Objects.requireNonNull(text, "PartParameters.text");
  }
}
