package io.github.rustbridge;

/** The native library wasn't found. The message lists the places that were searched. */
public final class LibraryNotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the name of the library, and the result for each place that was searched
   * @param cause the last failure of the system's loader, or null
   */
  public LibraryNotFoundException(String message, Throwable cause) {
    super(message, cause);
  }
}
