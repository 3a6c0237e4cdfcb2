package io.github.rustbridge;

import java.nio.ByteBuffer;

/**
 * A response that stays in the plugin's memory: nothing is copied, whatever its size.
 *
 * <p>Close it, best by try-with-resources: that gives the memory back to the plugin. Any use
 * afterwards throws {@link IllegalStateException}. It outlives its plugin. One that is dropped
 * without being closed is freed by the garbage collector some time, with a warning that says where
 * it came from.
 *
 * <p>It may be used and closed by any thread.
 */
public abstract class RawResponse implements AutoCloseable {
  /** Creates a method. For backends only. */
  protected RawResponse() {}

  /**
   * Gives the number of bytes.
   *
   * @return the response's length
   * @throws IllegalStateException if it's closed
   */
  public abstract long length();

  /**
   * Gives the bytes where they are.
   *
   * <p>A buffer can't know that the response was closed, so the memory is given back only when the
   * collector finds the buffer gone, and what was made of it; until then it reads as before. A
   * response that nobody closes stays open as long as its buffer is reachable.
   *
   * @return a read-only direct buffer, position 0, limit {@link #length()}, in the machine's byte
   *     order
   * @throws IllegalStateException if it's closed
   */
  public abstract ByteBuffer buffer();

  /**
   * Copies the bytes.
   *
   * @return a new array
   * @throws IllegalStateException if it's closed
   */
  public abstract byte[] toByteArray();

  /**
   * Tells whether the memory was given back.
   *
   * @return whether {@link #close()} was called
   */
  public abstract boolean isClosed();

  /** Gives the memory back to the plugin. Does nothing the second time. */
  @Override
  public abstract void close();
}
