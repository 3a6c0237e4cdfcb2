// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import java.util.Objects;

/**
 * How somebody is greeted.
 *
 * @param text What is said.
 */
public record Greeting(String text) {
  /** Refuses null where there has to be something. */
  public Greeting {
    Objects.requireNonNull(text, "Greeting.text");
  }
}
