// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * What `as_message` takes.
 *
 * @param method {@code method}
 * @param json {@code json}
 */
record AsMessageParameters(String method, String json) {
  /** Refuses null where there has to be something. */
  AsMessageParameters {
    Objects.requireNonNull(method, "AsMessageParameters.method");
    Objects.requireNonNull(json, "AsMessageParameters.json");
  }
}
