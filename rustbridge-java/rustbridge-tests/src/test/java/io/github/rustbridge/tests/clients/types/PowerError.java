// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/** Whether there's power. */
public enum PowerError {
  /** There is none. */
  OUT
}
