package io.github.rustbridge.streams;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.Callee;
import io.github.rustbridge.calls.Failures;
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
  private final Failures failures;
  private final Executor executor;
  final Function<Object, byte[]> writing;
  private final Work work = new Work();

  /** What the plugin has said last that it takes; null if that was looked at. */
  private final AtomicReference<Credit> told = new AtomicReference<>();

  private volatile boolean stopped;

  // What follows is of the one that runs.
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

  /** The plugin takes so much from now on. On the drainer. */
  @Override
  public final void demand(long number, long items, long bytes) {
    told.set(new Credit(number, items, bytes));
    schedule();
  }

  /** The call has ended: nobody takes items any more. */
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
      // Also again, as a subscription may have come after the end.
      leave();
      return;
    }
    // At once, as the next one may come between looking and forgetting, and isn't said again.
    Credit latest = told.getAndSet(null);
    if (latest != null) {
      number = latest.number;
      items = latest.items;
      bytes = latest.bytes;
    }
    if (number != 0) {
      send();
    }
  }

  /** How many items the plugin takes now, 0 if its bytes are used up. */
  final long room() {
    return stopped || ended || bytes <= 0 ? 0 : items;
  }

  /** Sends what there is, as long as there's room. */
  abstract void send();

  /** The source is no longer wanted. Possibly more than once. */
  abstract void close();

  /** Closes the source, which must not keep anybody from the rest. */
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
      // There is nobody left to tell.
    }
  }

  /** Sends items; false if the plugin didn't take them, and will say when it does. */
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
    // The call has ended, or is about to, and its answer says why.
    ended = true;
    leave();
    return true;
  }

  /** As many of what is ready as the plugin takes: only the last may go beyond the bytes. */
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

  /** All was sent. */
  final void end() {
    if (!ended) {
      // In this order: if that throws, the plugin is still to be told something.
      NativeCalls.end(natives, number, AbiLayout.RB_OK, Answer.NO_BYTES);
      ended = true;
    }
  }

  /** What was sent isn't all, since the source has failed. Never throws. */
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
      // No memory for the payload, say. The plugin must not wait for more items.
      try {
        NativeCalls.end(natives, number, AbiLayout.RB_INTERNAL, Answer.NO_BYTES);
      } catch (Throwable again) {
        warn("a plugin couldn't be notified that a stream has failed", again);
      }
    }
  }

  /** From a collection, a file, whatever can be iterated over. */
  public static final class FromIterable extends ItemSender {
    private static final int MOST = 64;

    private final Iterator<?> source;

    /** Why there is none; told as what an iterator throws is. */
    private final RuntimeException failure;

    private final boolean gathers;
    private final ArrayDeque<byte[]> ready = new ArrayDeque<>();

    public FromIterable(
        Callee callee, Executor executor, Function<Object, byte[]> writing, Iterable<?> source) {
      super(callee, executor, writing);
      // Here, on the thread that calls.
      Iterator<?> items = null;
      RuntimeException problem = null;
      try {
        items = source.iterator();
      } catch (RuntimeException thrown) {
        problem = thrown;
      }
      this.source = items;
      this.failure = problem;
      // Others may take their time for an item, which those before it wouldn't wait for.
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

  /** From a publisher, which is asked for what the plugin asks for. */
  public static final class FromPublisher extends ItemSender implements Flow.Subscriber<Object> {
    private static final int MOST = 256;

    private final Flow.Publisher<?> source;
    private final Queue<byte[]> ready = new ConcurrentLinkedQueue<>();
    private volatile Flow.Subscription subscription;
    private volatile boolean complete;
    private volatile Throwable failure;
    private boolean subscribed;
    private boolean cancelled;

    /** Whether the publisher has said that nothing more comes. */
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
      // In this order, as what is complete has sent everything before.
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
        // One was lost, and what is behind it isn't to be sent.
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
