// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * What `transfer` takes.
 *
 * @param from {@code from}
 * @param to {@code to}
 * @param count {@code count}
 */
record TransferParameters(Counter from, Counter to, long count) {
  /** Refuses null where there has to be something. */
  TransferParameters {
    Objects.requireNonNull(from, "TransferParameters.from");
    Objects.requireNonNull(to, "TransferParameters.to");
  }
}
