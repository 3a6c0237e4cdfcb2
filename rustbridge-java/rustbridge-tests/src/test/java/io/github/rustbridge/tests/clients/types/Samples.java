// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;
import java.util.Objects;

/**
 * Plain old data alone, in a list, in an array.
 *
 * @param name {@code name}
 * @param first {@code first}
 * @param all {@code all}
 * @param pair {@code pair}
 */
public record Samples(String name, Sample first, List<Sample> all, List<Point> pair) {
  /** Refuses null where there has to be something. */
  public Samples {
    Objects.requireNonNull(name, "Samples.name");
    Objects.requireNonNull(first, "Samples.first");
    all = Values.list(all, "Samples.all");
    pair = Values.list(pair, "Samples.pair");
  }
}
