// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/** How somebody is, in ways that may become more. */
public enum Mood {
  /** At ease. */
  CALM,

  /** More than that. */
  GLAD,

  /**
   * One that the plugin has added since this was written. It's only read: writing it is refused.
   */
  UNKNOWN
}
