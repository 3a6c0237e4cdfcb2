// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;

/** A shape in a plane. */
public sealed interface Shape {
  /** No shape. */
  record Nothing() implements Shape {}

  /**
   * All points of one distance.
   *
   * @param radius {@code radius}
   */
  record Circle(double radius) implements Shape {}

  /**
   * Points in a row.
   *
   * @param value {@code value}
   */
  record Polygon(List<Point> value) implements Shape {
    /** Refuses null where there has to be something. */
    public Polygon {
      value = Values.list(value, "Shape.Polygon.value");
    }
  }
}
