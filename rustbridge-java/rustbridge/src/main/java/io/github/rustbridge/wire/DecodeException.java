package io.github.rustbridge.wire;

/** The bytes aren't a value of the expected type. */
public final class DecodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DecodeException(int at, String what) {
    super("byte " + at + ": " + what);
  }
}
