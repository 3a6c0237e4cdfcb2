package io.github.rustbridge;

import java.nio.ByteBuffer;

/**
 * A response that stays in the plugin's memory. Nothing is copied, whatever its size.
 *
 * <p>Close it, preferably with try-with-resources. Closing returns the memory to the plugin; using
 * the response afterwards throws {@link IllegalStateException}. The response remains valid if its
 * plugin is closed.
 *
 * <p>If it becomes unreachable without being closed, the garbage collector releases it at some
 * later time, and logs a warning with the place where it was created.
 *
 * <p>Any thread may use and close it.
 */
public abstract class RawResponse implements AutoCloseable {
  /** Creates a response. For backends only. */
  protected RawResponse() {}

  /**
   * Returns the number of bytes.
   *
   * @return the response's length
   * @throws IllegalStateException if the response is closed
   */
  public abstract long length();

  /**
   * Returns the bytes without copying them.
   *
   * <p>A buffer doesn't notice that the response was closed. So the memory is returned to the
   * plugin only when the garbage collector finds that the buffer and its slices and duplicates are
   * unreachable; until then it can be read as before. A response that isn't closed stays open as
   * long as its buffer is reachable.
   *
   * @return a read-only direct buffer with position 0 and limit {@link #length()}, in the machine's
   *     byte order
   * @throws IllegalStateException if the response is closed
   */
  public abstract ByteBuffer buffer();

  /**
   * Copies the bytes.
   *
   * @return a new array
   * @throws IllegalStateException if the response is closed
   */
  public abstract byte[] toByteArray();

  /**
   * Reports whether the memory was returned to the plugin.
   *
   * @return whether {@link #close()} was called
   */
  public abstract boolean isClosed();

  /** Returns the memory to the plugin. Further calls have no effect. */
  @Override
  public abstract void close();
}
