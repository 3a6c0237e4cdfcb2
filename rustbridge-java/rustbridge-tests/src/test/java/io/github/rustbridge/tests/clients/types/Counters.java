// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/**
 * Counters, here and there.
 *
 * @param first One that there needn't be. (or null)
 * @param others Any number of them.
 * @param name What has nothing to do with them.
 */
public record Counters(Counter first, List<Counter> others, String name) {
  /** Refuses null where there has to be something. */
  public Counters {
    others = Values.list(others, "Counters.others");
    Objects.requireNonNull(name, "Counters.name");
  }
}
