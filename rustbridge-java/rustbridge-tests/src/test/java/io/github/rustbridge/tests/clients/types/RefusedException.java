// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.PluginException;
import io.github.rustbridge.wire.WireReader;

/** What isn't to one's taste. */
public final class RefusedException extends PluginException {
  private static final long serialVersionUID = 1L;

  private final transient Refused error;

  private RefusedException(PluginException failed, Refused error) {
    super(failed);
    this.error = error;
  }

  static RefusedException read(PluginException failed, WireReader in) {
    return new RefusedException(failed, TypesCodec.readRefused(in));
  }

  /**
   * Gives the error.
   *
   * @return it; null of an exception that was serialized, which errors can't be
   */
  public Refused error() {
    return error;
  }
}
