package io.github.rustbridge.streams;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A task that processes pending notifications, on any thread on which an executor runs it. No
 * notification is missed, and only one thread at a time processes them. This holds even if an
 * executor runs the task twice, for example because it accepted the task before it threw.
 */
public final class Work {
  private static final int NOTED = 1;
  private static final int UNDER_WAY = 2;

  private final AtomicInteger state = new AtomicInteger();

  /** Notes a notification; true if the caller has to schedule the task. */
  public boolean note() {
    return state.getAndUpdate(before -> before | NOTED) == 0;
  }

  /**
   * Reports whether the running task has to process notifications; false if another run does, or
   * did.
   */
  public boolean begins() {
    return state.compareAndSet(NOTED, UNDER_WAY);
  }

  /** Reports whether a notification was noted meanwhile, so that the task has to process again. */
  public boolean goesOn() {
    if (state.compareAndSet(UNDER_WAY, 0)) {
      return false;
    }
    // Not just a write: the read makes the writes of the notifying thread visible.
    state.getAndSet(UNDER_WAY);
    return true;
  }
}
