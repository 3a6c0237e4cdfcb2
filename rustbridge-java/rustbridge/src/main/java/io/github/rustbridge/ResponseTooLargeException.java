package io.github.rustbridge;

/**
 * The response of a call doesn't fit into the memory that the caller offered. The call has
 * completed, and this exception holds the response.
 */
public final class ResponseTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** All of the response. */
  private final byte[] response;

  /**
   * Creates an exception.
   *
   * @param response the complete response
   * @param capacity the size of the caller's memory in bytes
   */
  public ResponseTooLargeException(byte[] response, int capacity) {
    super("the response has " + response.length + " bytes, but there is room for " + capacity);
    this.response = response;
  }

  /**
   * Returns the response.
   *
   * @return the complete response
   */
  public byte[] response() {
    return response;
  }
}
