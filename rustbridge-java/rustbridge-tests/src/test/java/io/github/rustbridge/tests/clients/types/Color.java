// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/** Three colours. */
public enum Color {
  /** Like blood. */
  RED,

  /** {@code green}. */
  GREEN,

  /** {@code dark_blue}. */
  DARK_BLUE
}
