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

  /** Notes that there's something to look at; true for the one who has the task run. */
  public boolean note() {
    return state.getAndUpdate(before -> before | NOTED) == 0;
  }

  /** Whether the task that runs is to look; false if another does, or has. */
  public boolean begins() {
    return state.compareAndSet(NOTED, UNDER_WAY);
  }

  /** Whether something was noted since the task has looked last, and it's to look again. */
  public boolean goesOn() {
    if (state.compareAndSet(UNDER_WAY, 0)) {
      return false;
    }
    // Not just set: reading it makes what was noted before visible.
    state.getAndSet(UNDER_WAY);
    return true;
  }
}
