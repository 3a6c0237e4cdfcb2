package io.github.rustbridge;

/**
 * The response of a call doesn't fit into the memory that the caller offered. The call has been
 * made; nothing is lost: the response is in here.
 */
public final class ResponseTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** All of the response. */
  private final byte[] response;

  /**
   * Makes one.
   *
   * @param response all of the response
   * @param capacity the number of bytes that the caller had room for
   */
  public ResponseTooLargeException(byte[] response, int capacity) {
    super("the response has " + response.length + " bytes, but there is room for " + capacity);
    this.response = response;
  }

  /**
   * Gives the response.
   *
   * @return all its bytes
   */
  public byte[] response() {
    return response;
  }
}
