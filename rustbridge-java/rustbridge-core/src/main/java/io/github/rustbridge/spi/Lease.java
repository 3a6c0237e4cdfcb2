package io.github.rustbridge.spi;

/**
 * Keeps track of a response that the plugin still owns, so that one that is dropped without being closed is released by
 * the garbage collector, with a warning that says where it came from.
 *
 * <p>A backend's {@link io.github.rustbridge.RawResponse} holds one and releases through it.
 */
public final class Lease {
  /** Gives a response's memory back: {@code rb_response_release}. Holds no reference to the RawResponse. */
  @FunctionalInterface
  public interface Release {
    /** Releases. Called once. */
    void release();
  }

  private final Release release;
  private boolean released;

  private Lease(Release release) {
    this.release = release;
  }

  /**
   * Begins to track a response.
   *
   * @param response the object whose reachability decides
   * @param method where it came from
   * @param release what gives the memory back
   * @return the lease
   */
  public static Lease open(Object response, PreparedMethod method, Release release) {
    return new Lease(release);
  }

  /**
   * Releases once, whoever comes first.
   *
   * @return whether this call did it
   */
  public synchronized boolean close() {
    if (released) {
      return false;
    }
    released = true;
    release.release();
    return true;
  }
}
