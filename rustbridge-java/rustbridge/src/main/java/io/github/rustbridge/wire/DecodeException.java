package io.github.rustbridge.wire;

/** Bytes are no value of their type. */
public final class DecodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DecodeException(int at, String what) {
    super("byte " + at + ": " + what);
  }
}
