package io.github.rustbridge;

import io.github.rustbridge.internal.Loggers;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A stream for subscribers, each of which makes its own call. A subscriber's demand, within the
 * window, becomes the plugin's demand.
 *
 * @param <T> an item's type
 */
final class Publication<T> implements Flow.Publisher<T> {
  private final Method method;
  private final byte[] request;
  private final CallOptions options;
  private final Reading<T> reading;
  private final Supplier<Outgoing> outgoing;

  Publication(
      Method method,
      byte[] request,
      CallOptions options,
      Reading<T> reading,
      Supplier<Outgoing> outgoing) {
    this.method = method;
    this.request = request;
    this.options = Objects.requireNonNull(options, "options");
    this.reading = reading;
    this.outgoing = outgoing;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super T> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    Subscribed<T> subscribed = new Subscribed<>(this, subscriber);
    subscriber.onSubscribe(subscribed);
    subscribed.release();
  }

  /** One subscriber and its call. */
  private static final class Subscribed<T> extends Incoming implements Flow.Subscription, Runnable {
    private final Publication<T> of;
    private Flow.Subscriber<? super T> subscriber;

    private final Work work = new Work();

    /** What was asked for and not given yet. */
    private final AtomicLong requested = new AtomicLong();

    private final Runnable cancel = this::cancelFromElsewhere;
    private volatile boolean cancelled;
    private volatile boolean isCancelledFromElsewhere;
    private volatile Throwable wrong;

    /** Captured when it's subscribed, as the call begins elsewhere. */
    private ContextPropagation captured;

    // What follows is of the one that runs.
    private boolean begun;
    private boolean isTold;
    private long asked;
    private long takenBytes;

    private Subscribed(Publication<T> of, Flow.Subscriber<? super T> subscriber) {
      super(of.method, of.outgoing.get());
      this.of = of;
      this.subscriber = subscriber;
      try {
        Contexts contexts = of.method.plugin().contexts();
        captured = contexts == null ? null : contexts.capture(of.options.propagation);
      } catch (Throwable failed) {
        wrong = failed;
      }
      // That keeps others from it until it's released.
      work.note();
    }

    @Override
    void arrived() {
      schedule();
    }

    @Override
    public void request(long count) {
      if (count <= 0) {
        wrong =
            new IllegalArgumentException("a subscriber must request at least 1 item, not " + count);
      } else {
        requested.accumulateAndGet(
            count, (known, more) -> known + more < 0 ? Long.MAX_VALUE : known + more);
      }
      schedule();
    }

    @Override
    public void cancel() {
      cancelled = true;
      schedule();
    }

    private void cancelFromElsewhere() {
      isCancelledFromElsewhere = true;
      schedule();
    }

    private void schedule() {
      if (work.note()) {
        release();
      }
    }

    private void release() {
      PendingCall.execute(of.options.executor(), this);
    }

    @Override
    public void run() {
      if (!work.begins()) {
        return;
      }
      do {
        try {
          look();
        } catch (Throwable thrown) {
          over();
          warn(thrown);
        }
      } while (work.goesOn());
    }

    private void warn(Throwable thrown) {
      try {
        Loggers.of("rustbridge")
            .log(
                System.Logger.Level.WARNING,
                "a subscriber of "
                    + method.name()
                    + " threw an exception and receives no more items",
                thrown);
      } catch (Throwable loggingIsBroken) {
        // What comes late is still to be thrown away.
      }
    }

    private void look() {
      if (subscriber == null) {
        discard();
        return;
      }
      if (cancelled) {
        over();
        return;
      }
      if (wrong != null) {
        fail(wrong);
        return;
      }
      Cancellation cancellation = of.options.cancellation;
      if (isCancelledFromElsewhere || cancellation != null && cancellation.isCancelled()) {
        fail(PendingCall.cancelled());
        return;
      }
      if (!begun && !start()) {
        return;
      }
      give();
    }

    private boolean start() {
      begun = true;
      long wanted = Math.min(requested.get(), of.options.windowItems);
      asked = wanted;
      if (of.options.cancellation != null) {
        of.options.cancellation.register(cancel);
      }
      try {
        CallData carried = of.options.carried(of.reading.takesObjects(), captured);
        begin(of.request, of.options, carried, wanted);
        return true;
      } catch (Throwable refused) {
        fail(refused);
        return false;
      }
    }

    private void give() {
      while (!cancelled && wrong == null && !isCancelledFromElsewhere) {
        Answer end = end();
        Answer item = requested.get() > 0 ? poll() : null;
        if (!tellHeaders(item)) {
          return;
        }
        if (item == null) {
          if (end != null && isDrained()) {
            finish(end);
          } else if (end == null) {
            ask();
          }
          return;
        }
        T value;
        try {
          value = of.reading.read(method.plugin(), item);
        } catch (Throwable unreadable) {
          fail(unreadable);
          return;
        }
        asked--;
        takenBytes += item.bytes().length;
        if (requested.get() != Long.MAX_VALUE) {
          requested.decrementAndGet();
        }
        subscriber.onNext(value);
        if (end == null) {
          ask();
        }
      }
      // Somebody has said so meanwhile, and that it's to be looked at.
    }

    /**
     * Tells of headers, once, after it was seen what they come before.
     *
     * @return false if that has failed, and with it the stream
     */
    private boolean tellHeaders(Answer item) {
      byte[] said = headers;
      if (isTold || said == null) {
        return true;
      }
      isTold = true;
      try {
        of.options.tell(said);
        return true;
      } catch (Throwable thrown) {
        if (item != null) {
          Calls.release(natives, item);
        }
        fail(thrown);
        return false;
      }
    }

    /** Asks the plugin for what the subscriber wants, when half of that was given. */
    private void ask() {
      long wanted = Math.min(requested.get(), of.options.windowItems);
      boolean needsItems = asked < wanted && asked <= wanted / 2;
      if (needsItems || takenBytes >= Math.max(1, of.options.windowBytes / 2)) {
        long more = Math.max(0, wanted - asked);
        Operations.demand(natives, number, more, takenBytes);
        asked += more;
        takenBytes = 0;
      }
    }

    private void finish(Answer end) {
      Flow.Subscriber<? super T> last = over();
      Throwable failure = null;
      if (!end.isFine()) {
        Calls.release(natives, end);
        failure = end.failure();
      }
      try {
        of.options.tellTrailers(end);
      } catch (Throwable thrown) {
        failure = thrown;
      }
      if (failure == null) {
        last.onComplete();
      } else {
        last.onError(failure);
      }
    }

    private void fail(Throwable failure) {
      over().onError(failure);
    }

    /** Nothing is signalled from here on, but what the caller still does. */
    private Flow.Subscriber<? super T> over() {
      Flow.Subscriber<? super T> last = subscriber;
      subscriber = null;
      if (begun) {
        abandon();
        if (of.options.cancellation != null) {
          of.options.cancellation.forget(cancel);
        }
      }
      discard();
      return last;
    }
  }
}
