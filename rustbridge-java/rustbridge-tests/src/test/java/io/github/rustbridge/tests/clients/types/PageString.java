// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.List;

/**
 * Some of many.
 *
 * @param items These.
 * @param total How many there are in all. (its bits are those of a number without a sign)
 */
public record PageString(List<String> items, long total) {
  /** Refuses null where there has to be something. */
  public PageString {
    items = Values.list(items, "PageString.items");
  }
}
