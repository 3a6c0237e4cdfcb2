// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import java.util.Objects;

/**
 * Joined texts.
 *
 * @param text All of them.
 */
public record Joined(String text) {
  /** Refuses null where there has to be something. */
  public Joined {
    Objects.requireNonNull(text, "Joined.text");
  }
}
