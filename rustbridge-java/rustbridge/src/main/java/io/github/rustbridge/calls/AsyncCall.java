package io.github.rustbridge.calls;

/**
 * An asynchronous call, which receives its events from the poller. The methods that the poller
 * calls must neither block nor run application code.
 */
public abstract class AsyncCall {
  /** The number in the native library's events: index and generation in the {@link Slots}. */
  public long key;

  /**
   * Its {@code rb_op}; 0 until it's known. The submitting thread writes it, or the poller, if an
   * event arrives before the submission returns.
   */
  public volatile long number;

  /**
   * The initial metadata in the layout of the host ABI; null for none. Written before any other
   * event is reported.
   */
  public volatile byte[] headers;

  /** The table with its context; null without any. Written before the submission. */
  public Contexts contexts;

  /** The number of its context; 0 for none. */
  public long context;

  /** Removes its context, since it calls no more services. */
  public final void endContext() {
    if (context != 0) {
      contexts.end(context);
    }
  }

  /** Called when its initial metadata has arrived, before any other event. */
  public void headers(byte[] said) {
    headers = said;
  }

  /**
   * Called when it has ended, after all other events. Wakes a thread that waits for this call only.
   */
  public abstract void done(Answer answer);

  /** Reports whether {@link #awaken()} has to be called as well. */
  public boolean awakensLater() {
    return false;
  }

  /**
   * Wakes the threads that may wait for other calls, too, and starts dependent stages. Called after
   * {@link #done} was called for all calls that have ended at the same time, and again if it
   * throws.
   */
  public void awaken() {}

  /** Called when items of its stream have arrived. */
  public void items(Batch batch) {
    batch.discard();
  }

  /** Called when the plugin has granted credit for items to be sent. */
  public void demand(long items, long bytes) {}
}
