package io.github.rustbridge.memory;

/** A response in an array that is kept from call to call. One thread at a time. */
public final class Received {
  private static final int MEMORY = 512;

  /**
   * What a backend keeps beside it for its calls, memory of its own: it's found without another
   * look at what belongs to the thread. Whoever finds another backend's makes a new one.
   */
  public Object beside;

  private byte[] bytes = new byte[MEMORY];
  private int length;

  /** Makes an empty one. */
  public Received() {}

  /**
   * Makes room for a response.
   *
   * @param length how long it is
   * @return an array, to whose start it belongs
   */
  public byte[] room(int length) {
    if (length > bytes.length) {
      bytes = new byte[Sizes.rounded(length)];
    }
    this.length = length;
    return bytes;
  }

  /**
   * Takes a response that has an array of its own.
   *
   * @param response all of it
   */
  public void take(byte[] response) {
    bytes = response;
    length = response.length;
  }

  /**
   * Gives the array that the response is at the start of.
   *
   * @return the array
   */
  public byte[] array() {
    return bytes;
  }

  /**
   * Tells how long the response is.
   *
   * @return its bytes
   */
  public int length() {
    return length;
  }

  /**
   * Lets go of much memory.
   *
   * @param kept how much may stay
   */
  public void trim(int kept) {
    if (bytes.length > kept) {
      bytes = new byte[MEMORY];
    }
  }
}
