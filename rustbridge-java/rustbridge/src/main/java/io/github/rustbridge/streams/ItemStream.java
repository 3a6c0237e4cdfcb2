package io.github.rustbridge.streams;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.Callee;
import io.github.rustbridge.calls.ObjectRelease;
import io.github.rustbridge.calls.Poller;
import io.github.rustbridge.calls.SentItems;
import io.github.rustbridge.internal.Loggers;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A stream whose consumer waits for items. It doesn't refer to the consumer, so that the garbage
 * collector can find that one unreachable, and run this.
 */
final class ItemStream extends ItemReceiver implements Runnable {
  private volatile Thread waiter;
  private volatile boolean closed;

  /**
   * An item with objects that the consumer is about to take. The thread that removes it owns the
   * objects.
   */
  private final AtomicReference<Answer> fetched = new AtomicReference<>();

  ItemStream(Callee callee, SentItems sent) {
    super(callee, sent);
  }

  @Override
  void arrived() {
    if (closed) {
      // It has arrived while the stream was abandoned.
      discardWaiting();
    }
    LockSupport.unpark(waiter);
  }

  @Override
  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    abandon();
    LockSupport.unpark(waiter);
  }

  /** Keeps an item with objects for the consumer; false if the stream was closed meanwhile. */
  boolean keep(Answer item) {
    if (item.objects().length == 0) {
      return true;
    }
    fetched.set(item);
    // In this order: the closing thread sets `closed` before it looks for the item.
    if (closed) {
      releaseFetched();
      return false;
    }
    return true;
  }

  private void releaseFetched() {
    Answer unwanted = fetched.getAndSet(null);
    if (unwanted != null) {
      ObjectRelease.release(natives, unwanted.objects());
    }
  }

  /** Passes the kept item to the consumer; false if the stream was closed meanwhile. */
  boolean takeOut(Answer item) {
    return item.objects().length == 0 || fetched.compareAndSet(item, null);
  }

  /** Waits until something has arrived, or the stream is closed. */
  void await() {
    Poller.checkMayWait();
    waiter = Thread.currentThread();
    while (!hasNews() && !closed) {
      LockSupport.park(this);
      if (Thread.currentThread().isInterrupted()) {
        close();
      }
    }
    waiter = null;
  }

  /** Releases everything after the consumer has closed the stream, or became unreachable. */
  @Override
  public void run() {
    if (end() == null && !closed) {
      close();
      Loggers.of("rustbridge")
          .log(
              System.Logger.Level.WARNING,
              "a stream of " + callee.name() + " was dropped without close()");
    }
    discard();
    releaseFetched();
  }
}
