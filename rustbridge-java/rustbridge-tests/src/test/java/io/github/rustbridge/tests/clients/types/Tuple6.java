// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;

/**
 * Values without names, in their order.
 *
 * @param item0 {@code item0}
 * @param item1 {@code item1}
 * @param item2 {@code item2}
 * @param item3 {@code item3}
 * @param item4 {@code item4}
 * @param item5 {@code item5}
 * @param <T0> the type of {@code item0}
 * @param <T1> the type of {@code item1}
 * @param <T2> the type of {@code item2}
 * @param <T3> the type of {@code item3}
 * @param <T4> the type of {@code item4}
 * @param <T5> the type of {@code item5}
 */
public record Tuple6<T0, T1, T2, T3, T4, T5>(
    T0 item0, T1 item1, T2 item2, T3 item3, T4 item4, T5 item5) {
  private Object[] components() {
    return new Object[] {item0, item1, item2, item3, item4, item5};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tuple6<?, ?, ?, ?, ?, ?> that
        && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text(
        "Tuple6", components(), "item0", "item1", "item2", "item3", "item4", "item5");
  }
}
