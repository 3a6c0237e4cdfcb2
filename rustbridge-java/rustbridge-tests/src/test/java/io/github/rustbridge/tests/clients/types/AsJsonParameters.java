// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.wire.Values;
import java.util.Objects;

/**
 * What `as_json` takes.
 *
 * @param method {@code method}
 * @param message {@code message}
 */
@SuppressWarnings("ArrayRecordComponent")
record AsJsonParameters(String method, byte[] message) {
  /** Refuses null where there has to be something. */
  AsJsonParameters {
    Objects.requireNonNull(method, "AsJsonParameters.method");
    Objects.requireNonNull(message, "AsJsonParameters.message");
  }

  private Object[] components() {
    return new Object[] {method, message};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AsJsonParameters that && Values.equal(components(), that.components());
  }

  @Override
  public int hashCode() {
    return Values.hash(components());
  }

  @Override
  public String toString() {
    return Values.text("AsJsonParameters", components(), "method", "message");
  }
}
