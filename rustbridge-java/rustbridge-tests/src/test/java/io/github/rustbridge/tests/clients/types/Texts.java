// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.Objects;

/**
 * Texts and bytes, each in a form of its own.
 *
 * @param text {@code text}
 * @param boxed {@code boxed}
 * @param maybeBytes or null
 * @param bytes {@code bytes}
 * @param maybe or null
 */
@SuppressWarnings("ArrayRecordComponent")
public record Texts(String text, String boxed, byte[] maybeBytes, byte[] bytes, String maybe) {
  /** Refuses null where there has to be something. */
  public Texts {
    Objects.requireNonNull(text, "Texts.text");
    Objects.requireNonNull(boxed, "Texts.boxed");
    Objects.requireNonNull(bytes, "Texts.bytes");
  }

  private Object[] components() {
    return new Object[] {text, boxed, maybeBytes, bytes, maybe};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Texts that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text("Texts", components(), "text", "boxed", "maybeBytes", "bytes", "maybe");
  }
}
