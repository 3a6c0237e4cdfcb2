// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.PluginObject;
import io.github.rustbridge.TypedObject;

/** A {@code SomeClass}, which stays in the plugin. */
public final class SomeClass extends TypedObject {
  private final Bench client;

  SomeClass(Bench client, PluginObject untyped) {
    super(untyped);
    this.client = client;
  }

  /**
   * Greets.
   *
   * @return the response
   */
  public String greet() {
    return client.someClass__greet.call(null, receiving(CallOptions.defaults()));
  }

  /**
   * Greets.
   *
   * @param options what the call carries besides
   * @return the response
   */
  public String greet(CallOptions options) {
    return client.someClass__greet.call(null, receiving(options));
  }
}
