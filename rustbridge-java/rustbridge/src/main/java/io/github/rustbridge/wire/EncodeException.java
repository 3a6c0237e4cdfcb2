package io.github.rustbridge.wire;

/** A value can't be sent, as the plugin's type doesn't hold it. Nothing was sent. */
public final class EncodeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message where it's found and what was expected
   */
  public EncodeException(String message) {
    super(message);
  }
}
