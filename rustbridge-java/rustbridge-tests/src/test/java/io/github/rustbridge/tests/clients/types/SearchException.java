// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.PluginException;
import io.github.rustbridge.wire.WireReader;

/** Why nobody was found. */
public final class SearchException extends PluginException {
  private static final long serialVersionUID = 1L;

  private final transient SearchError error;

  private SearchException(PluginException failed, SearchError error) {
    super(failed);
    this.error = error;
  }

  static SearchException read(PluginException failed, WireReader in) {
    return new SearchException(failed, TypesCodec.readSearchError(in));
  }

  /**
   * Gives the error.
   *
   * @return it; null of an exception that was serialized, which errors can't be
   */
  public SearchError error() {
    return error;
  }
}
