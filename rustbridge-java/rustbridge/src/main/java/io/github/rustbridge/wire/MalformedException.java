package io.github.rustbridge.wire;

/** Bytes are no value of their type. */
public final class MalformedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedException(int at, String what) {
    super("byte " + at + ": " + what);
  }
}
