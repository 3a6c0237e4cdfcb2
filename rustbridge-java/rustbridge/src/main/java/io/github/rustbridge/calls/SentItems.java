package io.github.rustbridge.calls;

/** The items that a call sends. The poller calls both methods, so they must not block. */
public interface SentItems {
  /**
   * Reports how much the plugin accepts from now on.
   *
   * @param number the asynchronous call's ID
   * @param items the number of items
   * @param bytes the number of bytes
   */
  void demand(long number, long items, long bytes);

  /** Reports that the call has ended, so that no items are accepted any more. */
  void stop();
}
