// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.wire.Values;

/**
 * Values without names, in their order.
 *
 * @param item0 {@code item0}
 * @param item1 {@code item1}
 * @param <T0> the type of {@code item0}
 * @param <T1> the type of {@code item1}
 */
public record Tuple2<T0, T1>(T0 item0, T1 item1) {
  private Object[] components() {
    return new Object[] {item0, item1};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tuple2<?, ?> that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text("Tuple2", components(), "item0", "item1");
  }
}
