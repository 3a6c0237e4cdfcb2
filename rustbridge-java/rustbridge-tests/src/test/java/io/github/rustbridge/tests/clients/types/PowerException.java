// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.PluginException;
import io.github.rustbridge.wire.WireReader;

/** Whether there's power. */
public final class PowerException extends PluginException {
  private static final long serialVersionUID = 1L;

  private final transient PowerError error;

  private PowerException(PluginException failed, PowerError error) {
    super(failed);
    this.error = error;
  }

  static PowerException read(PluginException failed, WireReader in) {
    return new PowerException(failed, TypesCodec.readPowerError(in));
  }

  /**
   * Gives the error.
   *
   * @return it; null of an exception that was serialized, which errors can't be
   */
  public PowerError error() {
    return error;
  }
}
