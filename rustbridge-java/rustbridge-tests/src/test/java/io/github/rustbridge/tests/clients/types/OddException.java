// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.PluginException;
import io.github.rustbridge.wire.WireReader;

/** There's no half of it. */
public final class OddException extends PluginException {
  private static final long serialVersionUID = 1L;

  private final transient Odd error;

  private OddException(PluginException failed, Odd error) {
    super(failed);
    this.error = error;
  }

  static OddException read(PluginException failed, WireReader in) {
    return new OddException(failed, TypesCodec.readOdd(in));
  }

  /**
   * Gives the error.
   *
   * @return it; null of an exception that was serialized, which errors can't be
   */
  public Odd error() {
    return error;
  }
}
