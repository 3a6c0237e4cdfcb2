// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.wire.Values;
import java.util.List;

/**
 * Texts to join.
 *
 * @param parts The texts.
 */
public record Parts(List<String> parts) {
  /** Refuses null where there has to be something. */
  public Parts {
    parts = Values.list(parts, "Parts.parts");
  }
}
