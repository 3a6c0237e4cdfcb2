// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Maybe;
import io.github.rustbridge.wire.Values;

/**
 * What may be left out.
 *
 * @param count null for the plugin's default
 * @param name null for the plugin's default
 * @param list null for the plugin's default
 * @param maybe its bits are those of a number without a sign; null for the plugin's default
 */
@SuppressWarnings("ArrayRecordComponent")
public record Defaults(Long count, String name, byte[] list, Maybe<Long> maybe) {
  private Object[] components() {
    return new Object[] {count, name, list, maybe};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Defaults that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text("Defaults", components(), "count", "name", "list", "maybe");
  }
}
