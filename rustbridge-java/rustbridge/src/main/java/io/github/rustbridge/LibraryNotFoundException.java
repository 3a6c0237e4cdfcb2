package io.github.rustbridge;

/** The native library isn't in any of the places where it's looked for; the message lists them. */
public final class LibraryNotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes one.
   *
   * @param message what was looked for, and every place with what was found there
   * @param cause the last failure of the system's loader, or null
   */
  public LibraryNotFoundException(String message, Throwable cause) {
    super(message, cause);
  }
}
