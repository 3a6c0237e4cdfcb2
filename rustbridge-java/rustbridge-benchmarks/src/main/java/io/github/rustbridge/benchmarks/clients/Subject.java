// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import java.util.Objects;

/**
 * What is taught.
 *
 * @param id From 0 to 28344.
 * @param title 22 characters.
 * @param text 16 characters.
 */
public record Subject(int id, String title, String text) {
  /** Refuses null where there has to be something. */
  public Subject {
    Objects.requireNonNull(title, "Subject.title");
    Objects.requireNonNull(text, "Subject.text");
  }
}
