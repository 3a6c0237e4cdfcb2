// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/** Known by what it looks like in JSON. */
public sealed interface Untagged {
  /**
   * {@code Number}.
   *
   * @param value {@code value}
   */
  record Number(long value) implements Untagged {}

  /**
   * {@code Text}.
   *
   * @param value {@code value}
   */
  record Text(String value) implements Untagged {
    /** Refuses null where there has to be something. */
    public Text {
      Objects.requireNonNull(value, "Untagged.Text.value");
    }
  }

  /**
   * {@code Both}.
   *
   * @param item0 {@code item0}
   * @param item1 {@code item1}
   */
  record Both(long item0, String item1) implements Untagged {
    /** Refuses null where there has to be something. */
    public Both {
      Objects.requireNonNull(item1, "Untagged.Both.item1");
    }
  }
}
