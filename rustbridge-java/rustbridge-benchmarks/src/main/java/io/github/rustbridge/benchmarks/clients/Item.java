// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import java.util.Objects;

/**
 * Something that's sold.
 *
 * @param number Which one it is.
 * @param name What it's called.
 * @param price What it costs.
 */
public record Item(long number, String name, double price) {
  /** Refuses null where there has to be something. */
  public Item {
    Objects.requireNonNull(name, "Item.name");
  }
}
