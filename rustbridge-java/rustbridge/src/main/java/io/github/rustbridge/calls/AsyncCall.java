package io.github.rustbridge.calls;

/**
 * An asynchronous call, as the drainer sees it. The methods that the drainer calls must neither
 * block nor run application code.
 */
public abstract class AsyncCall {
  /** What the native library's events say: place and generation in the {@link Slots}. */
  public long key;

  /**
   * Its {@code rb_op}; 0 until it's known. The first who hears of it writes it: who has begun it,
   * or the drainer, whose event may be faster.
   */
  public volatile long number;

  /**
   * What headers it has said, as the boundary has them; null for none. Written before anything else
   * of it is told.
   */
  public volatile byte[] headers;

  /** Where its context is; null without any. Written before it begins. */
  public Contexts contexts;

  /** The number of its context; 0 for none. */
  public long context;

  /** Removes its context: no services are called for it any more. */
  public final void endContext() {
    if (context != 0) {
      contexts.end(context);
    }
  }

  /** It has said headers, and nothing else came before. */
  public void headers(byte[] said) {
    headers = said;
  }

  /** It has ended, and nothing comes after. Who waits for it alone is woken here. */
  public abstract void done(Answer answer);

  /** Whether there are some to be woken by {@link #awaken()}, besides. */
  public boolean awakensLater() {
    return false;
  }

  /**
   * Wakes those who wait for its end among others', and has go on what depends on it. Comes after
   * {@link #done}, once that was told of all that has ended with it, and a second time where it has
   * failed.
   */
  public void awaken() {}

  /** Items of its stream have come. */
  public void items(Batch batch) {
    batch.discard();
  }

  /** So many items and bytes may be sent from now on. */
  public void demand(long items, long bytes) {}
}
