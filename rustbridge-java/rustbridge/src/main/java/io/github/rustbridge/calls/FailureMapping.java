package io.github.rustbridge.calls;

/**
 * Converts failures of calls to exceptions, and exceptions of the application to failures. The API
 * implements it with its own exception.
 */
public interface FailureMapping {
  /**
   * Creates the exception for a failed call.
   *
   * @param answer the result of the call, whose status isn't OK
   * @return the exception, for the caller to throw
   */
  RuntimeException exception(Answer answer);

  /**
   * Returns the status that a plugin receives for an exception of the application.
   *
   * @param thrown the exception
   * @return the status, as a number of the host ABI; never OK
   */
  int status(Throwable thrown);

  /**
   * Returns the error payload that a plugin receives for an exception of the application.
   *
   * @param thrown the exception
   * @return a JSON object in UTF-8
   */
  byte[] payload(Throwable thrown);
}
