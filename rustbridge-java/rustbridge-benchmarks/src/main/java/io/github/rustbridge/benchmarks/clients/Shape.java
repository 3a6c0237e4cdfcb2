// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import java.util.Objects;

/** Something that can be drawn. */
public sealed interface Shape {
  /**
   * Round.
   *
   * @param radius From the middle to the line.
   */
  record Circle(double radius) implements Shape {}

  /**
   * With four corners.
   *
   * @param width From left to right.
   * @param height From top to bottom.
   */
  record Rectangle(double width, double height) implements Shape {}

  /**
   * Text.
   *
   * @param text What it says.
   */
  record Label(String text) implements Shape {
    /** Refuses null where there has to be something. */
    public Label {
      Objects.requireNonNull(text, "Shape.Label.text");
    }
  }
}
