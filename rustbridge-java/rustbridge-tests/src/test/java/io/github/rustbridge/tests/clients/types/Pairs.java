// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.Map;

/**
 * Maps by every kind of key.
 *
 * @param byName {@code byName}
 * @param byNumber {@code byNumber}
 * @param byChar {@code byChar}
 * @param byColor {@code byColor}
 * @param hashed {@code hashed}
 * @param nested {@code nested}
 */
public record Pairs(
    Map<String, Long> byName,
    Map<Long, String> byNumber,
    Map<Integer, byte[]> byChar,
    Map<Color, Person> byColor,
    Map<Integer, Float> hashed,
    Map<String, Map<Integer, Boolean>> nested) {
  /** Refuses null where there has to be something. */
  public Pairs {
    byName = Values.map(byName, "Pairs.byName");
    byNumber = Values.map(byNumber, "Pairs.byNumber");
    byChar = Values.map(byChar, "Pairs.byChar");
    byColor = Values.map(byColor, "Pairs.byColor");
    hashed = Values.nullableMap(hashed, "Pairs.hashed");
    nested = Values.map(nested, "Pairs.nested");
  }

  private Object[] components() {
    return new Object[] {byName, byNumber, byChar, byColor, hashed, nested};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pairs that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text(
        "Pairs", components(), "byName", "byNumber", "byChar", "byColor", "hashed", "nested");
  }
}
