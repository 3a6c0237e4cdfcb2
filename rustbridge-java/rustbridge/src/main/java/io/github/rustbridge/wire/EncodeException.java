package io.github.rustbridge.wire;

/** A value doesn't fit the plugin's type. Nothing was sent. */
public final class EncodeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the place of the value, and the expected type
   */
  public EncodeException(String message) {
    super(message);
  }
}
