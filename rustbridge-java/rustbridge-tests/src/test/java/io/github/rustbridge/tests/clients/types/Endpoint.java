// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.Objects;

/**
 * Where something listens.
 *
 * @param address Four numbers with dots between.
 * @param port {@code port}
 */
public record Endpoint(String address, int port) {
  /** Refuses null where there has to be something. */
  public Endpoint {
    Objects.requireNonNull(address, "Endpoint.address");
  }
}
