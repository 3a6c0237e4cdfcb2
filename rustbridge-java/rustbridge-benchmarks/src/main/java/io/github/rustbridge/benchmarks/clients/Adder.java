// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.PluginObject;
import io.github.rustbridge.TypedObject;
import java.util.Objects;

/** A {@code Adder}, which stays in the plugin. */
public final class Adder extends TypedObject {
  private final Bench client;

  Adder(Bench client, PluginObject untyped) {
    super(untyped);
    this.client = client;
  }

  /**
   * Adds.
   *
   * @param request the request
   * @return the response
   */
  public Value add(Value request) {
    return client.adder__add.call(
        Objects.requireNonNull(request, "request"), receiving(CallOptions.defaults()));
  }

  /**
   * Adds.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Value add(Value request, CallOptions options) {
    return client.adder__add.call(Objects.requireNonNull(request, "request"), receiving(options));
  }
}
