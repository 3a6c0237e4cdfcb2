package io.github.rustbridge.calls;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Runs registered tasks once it's cancelled. Safe for use from any thread. */
public final class CancelSignal {
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private volatile boolean cancelled;

  /** Creates a signal that isn't cancelled. */
  public CancelSignal() {}

  /** Runs all tasks that are registered. Tasks that are registered later run at once. */
  public void cancel() {
    cancelled = true;
    runTasks();
  }

  /** Reports whether {@link #cancel()} was called. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Registers a task that must not block. It runs at once if this is already cancelled. */
  public void register(Runnable task) {
    tasks.add(task);
    if (cancelled) {
      runTasks();
    }
  }

  /** Removes a task that needn't run any more. */
  public void remove(Runnable task) {
    tasks.remove(task);
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
