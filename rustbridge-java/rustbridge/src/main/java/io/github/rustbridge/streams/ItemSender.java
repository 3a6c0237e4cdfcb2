package io.github.rustbridge.streams;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.Callee;
import io.github.rustbridge.calls.FailureMapping;
import io.github.rustbridge.calls.NativeCalls;
import io.github.rustbridge.calls.PendingCall;
import io.github.rustbridge.calls.SentItems;
import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * A stream into a plugin, as fast as the plugin accepts items. It runs on an executor, since the
 * items come from the application's code.
 */
public abstract class ItemSender implements Runnable, SentItems {
  private final Natives natives;
  private final FailureMapping failures;
  private final Executor executor;
  final Function<Object, byte[]> writing;
  private final Work work = new Work();

  /** The credit that the plugin granted last; null if it was processed. */
  private final AtomicReference<Credit> granted = new AtomicReference<>();

  private volatile boolean stopped;

  // Only the running task uses the following fields.
  private long number;
  private long items;
  private long bytes;
  private boolean ended;

  private record Credit(long number, long items, long bytes) {}

  ItemSender(Callee callee, Executor executor, Function<Object, byte[]> writing) {
    natives = callee.natives();
    failures = callee.failures();
    this.executor = executor;
    this.writing = writing;
  }

  /** Stores the plugin's credit. Called by the poller. */
  @Override
  public final void demand(long number, long items, long bytes) {
    granted.set(new Credit(number, items, bytes));
    schedule();
  }

  /** Stops sending, since the call has ended. */
  @Override
  public final void stop() {
    stopped = true;
    schedule();
  }

  final void schedule() {
    if (work.note()) {
      PendingCall.execute(executor, this);
    }
  }

  @Override
  public final void run() {
    if (!work.begins()) {
      return;
    }
    do {
      try {
        look();
      } catch (Throwable thrown) {
        end(thrown);
      }
    } while (work.goesOn());
  }

  private void look() {
    if (stopped || ended) {
      ended = true;
      // Possibly again: a subscription may have arrived after the end.
      leave();
      return;
    }
    // In one step: the next credit may arrive between a read and a write, and isn't reported again.
    Credit latest = granted.getAndSet(null);
    if (latest != null) {
      number = latest.number;
      items = latest.items;
      bytes = latest.bytes;
    }
    if (number != 0) {
      send();
    }
  }

  /** Returns how many items the plugin accepts now; 0 if its credit in bytes is used up. */
  final long room() {
    return stopped || ended || bytes <= 0 ? 0 : items;
  }

  /** Sends items as long as the plugin accepts them. */
  abstract void send();

  /** Closes the source. It may be called more than once. */
  abstract void close();

  /** Closes the source. An exception of the source is only logged. */
  private void leave() {
    try {
      close();
    } catch (Throwable thrown) {
      warn("the source of a stream can't be closed", thrown);
    }
  }

  private static void warn(String what, Throwable thrown) {
    try {
      Loggers.of("rustbridge").log(System.Logger.Level.WARNING, what, thrown);
    } catch (Throwable loggingIsBroken) {
      // There is no way left to report it.
    }
  }

  /** Sends items; false if the plugin didn't accept them, and will grant credit later. */
  final boolean write(byte[]... batch) {
    Answer answer = NativeCalls.write(natives, number, batch);
    if (answer.isFine()) {
      items -= batch.length;
      for (byte[] item : batch) {
        bytes -= item.length;
      }
      return true;
    }
    if (answer.status() == AbiLayout.RB_RESOURCE_EXHAUSTED) {
      items = 0;
      return false;
    }
    // The call has ended, or is about to end; its result contains the reason.
    ended = true;
    leave();
    return true;
  }

  /**
   * Returns as many ready items as the plugin accepts. Only the last one may exceed the credit in
   * bytes.
   */
  final byte[][] fitting(Queue<byte[]> ready, long most) {
    int count = 0;
    long before = 0;
    for (byte[] item : ready) {
      if (count == most || before >= bytes) {
        break;
      }
      before += item.length;
      count++;
    }
    byte[][] batch = new byte[count][];
    int index = 0;
    for (byte[] item : ready) {
      if (index == count) {
        break;
      }
      batch[index++] = item;
    }
    return batch;
  }

  /** Ends the stream after all items were sent. */
  final void end() {
    if (!ended) {
      // In this order: if that throws, the plugin still has to be notified.
      NativeCalls.end(natives, number, AbiLayout.RB_OK, Answer.NO_BYTES);
      ended = true;
    }
  }

  /** Ends the stream with a failure of the source. Never throws. */
  final void end(Throwable failure) {
    if (!ended) {
      ended = true;
      report(failure);
      leave();
    }
  }

  private void report(Throwable failure) {
    try {
      NativeCalls.end(natives, number, failures.status(failure), failures.payload(failure));
    } catch (Throwable unwritable) {
      // For example, there is no memory for the payload. The plugin must not wait for more items.
      try {
        NativeCalls.end(natives, number, AbiLayout.RB_INTERNAL, Answer.NO_BYTES);
      } catch (Throwable again) {
        warn("a plugin couldn't be notified that a stream has failed", again);
      }
    }
  }

  /** Sends the items of an iterable, such as a collection. */
  public static final class FromIterable extends ItemSender {
    private static final int MOST = 64;

    private final Iterator<?> source;

    /** The exception of {@code iterator()}; reported like an exception of the iterator. */
    private final RuntimeException failure;

    private final boolean gathers;
    private final ArrayDeque<byte[]> ready = new ArrayDeque<>();

    public FromIterable(
        Callee callee, Executor executor, Function<Object, byte[]> writing, Iterable<?> source) {
      super(callee, executor, writing);
      // Here, on the calling thread.
      Iterator<?> items = null;
      RuntimeException problem = null;
      try {
        items = source.iterator();
      } catch (RuntimeException thrown) {
        problem = thrown;
      }
      this.source = items;
      this.failure = problem;
      // Other sources may need time for an item, and the previous items shouldn't wait for it.
      gathers = source instanceof Collection;
    }

    @Override
    void send() {
      if (failure != null) {
        throw failure;
      }
      for (long room = room(); room > 0; room = room()) {
        long most = gathers ? Math.min(room, MOST) : 1;
        while (ready.size() < most && source.hasNext()) {
          ready.add(writing.apply(source.next()));
        }
        if (ready.isEmpty()) {
          end();
          return;
        }
        byte[][] batch = fitting(ready, most);
        if (!write(batch)) {
          return;
        }
        for (int index = 0; index < batch.length && !ready.isEmpty(); index++) {
          ready.remove();
        }
      }
    }

    @Override
    void close() {
      ready.clear();
    }
  }

  /** Sends the items of a publisher. The plugin's demand becomes the publisher's demand. */
  public static final class FromPublisher extends ItemSender implements Flow.Subscriber<Object> {
    private static final int MOST = 256;

    private final Flow.Publisher<?> source;
    private final Queue<byte[]> ready = new ConcurrentLinkedQueue<>();
    private volatile Flow.Subscription subscription;
    private volatile boolean complete;
    private volatile Throwable failure;
    private boolean subscribed;
    private boolean cancelled;

    /** Whether the publisher has signalled the end. */
    private volatile boolean over;

    private final AtomicInteger expected = new AtomicInteger();

    public FromPublisher(
        Callee callee,
        Executor executor,
        Function<Object, byte[]> writing,
        Flow.Publisher<?> source) {
      super(callee, executor, writing);
      this.source = source;
    }

    @Override
    @SuppressWarnings("unchecked")
    void send() {
      if (!subscribed) {
        subscribed = true;
        ((Flow.Publisher<Object>) source).subscribe(this);
      }
      while (room() > 0 && !ready.isEmpty()) {
        byte[][] batch = fitting(ready, Math.min(room(), MOST));
        if (!write(batch)) {
          return;
        }
        for (int index = 0; index < batch.length; index++) {
          ready.poll();
        }
      }
      if (ready.isEmpty() && failure != null) {
        end(failure);
        return;
      }
      // In this order: a complete publisher has published all its items before.
      if (complete && ready.isEmpty()) {
        end();
        return;
      }
      Flow.Subscription from = subscription;
      long more = Math.min(room(), MOST) - expected.get();
      if (from != null && more > 0 && ready.isEmpty()) {
        expected.addAndGet((int) more);
        from.request(more);
      }
    }

    @Override
    void close() {
      ready.clear();
      Flow.Subscription from = subscription;
      if (from != null && !over && !cancelled) {
        cancelled = true;
        from.cancel();
      }
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      if (subscription != null) {
        given.cancel();
        return;
      }
      subscription = given;
      schedule();
    }

    @Override
    public void onNext(Object item) {
      if (failure != null) {
        // An item was lost, so later items aren't sent.
        return;
      }
      byte[] bytes;
      try {
        bytes = writing.apply(item);
      } catch (Throwable unwritable) {
        failure = unwritable;
        schedule();
        return;
      }
      ready.add(bytes);
      expected.decrementAndGet();
      schedule();
    }

    @Override
    public void onError(Throwable thrown) {
      over = true;
      if (failure == null) {
        failure = thrown;
      }
      schedule();
    }

    @Override
    public void onComplete() {
      over = true;
      complete = true;
      schedule();
    }
  }
}
