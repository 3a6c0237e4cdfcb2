package io.github.rustbridge.interop;

/**
 * A response in an array that is reused from call to call. Only one thread at a time may use it.
 */
public final class ResponseBuffer {
  private static final int MEMORY = 512;

  /**
   * The backend's own memory for its calls. It's kept here so that it's found without another
   * look-up of a thread local. A backend that finds another backend's memory creates its own.
   */
  public Object beside;

  private byte[] bytes = new byte[MEMORY];
  private int length;

  /** Creates an empty response. */
  public ResponseBuffer() {}

  /**
   * Allocates the array for a response.
   *
   * @param length the response's length
   * @return an array that receives the response at its start
   */
  public byte[] room(int length) {
    if (length > bytes.length) {
      bytes = new byte[Sizes.rounded(length)];
    }
    this.length = length;
    return bytes;
  }

  /**
   * Sets a response that has its own array.
   *
   * @param response the complete response
   */
  public void take(byte[] response) {
    bytes = response;
    length = response.length;
  }

  /**
   * Returns the array that contains the response at its start.
   *
   * @return the array
   */
  public byte[] array() {
    return bytes;
  }

  /**
   * Returns the length of the response.
   *
   * @return the length in bytes
   */
  public int length() {
    return length;
  }

  /**
   * Releases large memory.
   *
   * @param kept the largest size to keep, in bytes
   */
  public void trim(int kept) {
    if (bytes.length > kept) {
      bytes = new byte[MEMORY];
    }
  }
}
