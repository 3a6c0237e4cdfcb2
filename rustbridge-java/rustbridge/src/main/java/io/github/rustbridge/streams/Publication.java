package io.github.rustbridge.streams;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.CallData;
import io.github.rustbridge.calls.CallSettings;
import io.github.rustbridge.calls.Callee;
import io.github.rustbridge.calls.CancelSignal;
import io.github.rustbridge.calls.ContextCapture;
import io.github.rustbridge.calls.Contexts;
import io.github.rustbridge.calls.NativeCalls;
import io.github.rustbridge.calls.ObjectRelease;
import io.github.rustbridge.calls.PendingCall;
import io.github.rustbridge.calls.ResponseReader;
import io.github.rustbridge.calls.SentItems;
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
public final class Publication<T> implements Flow.Publisher<T> {
  private final Callee callee;
  private final byte[] request;
  private final CallSettings settings;
  private final ResponseReader<T> reader;
  private final Supplier<? extends SentItems> sent;

  public Publication(
      Callee callee,
      byte[] request,
      CallSettings settings,
      ResponseReader<T> reader,
      Supplier<? extends SentItems> sent) {
    this.callee = callee;
    this.request = request;
    this.settings = settings;
    this.reader = reader;
    this.sent = sent;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super T> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    Subscribed<T> subscribed = new Subscribed<>(this, subscriber);
    subscriber.onSubscribe(subscribed);
    subscribed.release();
  }

  /** One subscriber and its call. */
  private static final class Subscribed<T> extends ItemReceiver
      implements Flow.Subscription, Runnable {
    private final Publication<T> of;
    private Flow.Subscriber<? super T> subscriber;

    private final Work work = new Work();

    /** The subscriber's demand that isn't fulfilled yet. */
    private final AtomicLong requested = new AtomicLong();

    private final Runnable cancel = this::cancelFromElsewhere;
    private volatile boolean cancelled;
    private volatile boolean isCancelledFromElsewhere;
    private volatile Throwable wrong;

    /** Captured during the subscription, since the call starts on another thread. */
    private ContextCapture captured;

    // Only the running task uses the following fields.
    private boolean begun;
    private boolean isTold;
    private long asked;
    private long takenBytes;

    private Subscribed(Publication<T> of, Flow.Subscriber<? super T> subscriber) {
      super(of.callee, of.sent.get());
      this.of = of;
      this.subscriber = subscriber;
      try {
        Contexts contexts = of.callee.contexts();
        captured = contexts == null ? null : contexts.capture(of.settings.propagation);
      } catch (Throwable failed) {
        wrong = failed;
      }
      // No other thread schedules the task until it's released.
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
      PendingCall.execute(of.settings.executor, this);
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
                    + callee.name()
                    + " threw an exception and receives no more items",
                thrown);
      } catch (Throwable loggingIsBroken) {
        // Items that arrive late still have to be discarded.
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
      CancelSignal cancellation = of.settings.cancellation;
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
      long wanted = Math.min(requested.get(), of.settings.windowItems);
      asked = wanted;
      if (of.settings.cancellation != null) {
        of.settings.cancellation.register(cancel);
      }
      try {
        CallData data = of.settings.data(of.reader.takesObjects(), false, captured);
        begin(of.request, of.settings, data, wanted);
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
          value = of.reader.read(item);
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
      // A notification that changed the condition has been noted, so the task runs again.
    }

    /**
     * Passes on the initial metadata once, before the first item or the end.
     *
     * @return false if the function, and with it the stream, has failed
     */
    private boolean tellHeaders(Answer item) {
      byte[] said = headers;
      if (isTold || said == null) {
        return true;
      }
      isTold = true;
      try {
        of.settings.passHeaders(said);
        return true;
      } catch (Throwable thrown) {
        if (item != null) {
          ObjectRelease.release(natives, item.objects());
        }
        fail(thrown);
        return false;
      }
    }

    /** Grants credit for the subscriber's demand, when half of the window has been consumed. */
    private void ask() {
      long wanted = Math.min(requested.get(), of.settings.windowItems);
      boolean needsItems = asked < wanted && asked <= wanted / 2;
      if (needsItems || takenBytes >= Math.max(1, of.settings.windowBytes / 2)) {
        long more = Math.max(0, wanted - asked);
        NativeCalls.demand(natives, number, more, takenBytes);
        asked += more;
        takenBytes = 0;
      }
    }

    private void finish(Answer end) {
      Flow.Subscriber<? super T> last = over();
      Throwable failure = null;
      if (!end.isFine()) {
        ObjectRelease.release(natives, end.objects());
        failure = of.reader.failure(end);
      }
      try {
        of.settings.passTrailers(end.trailers());
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

    /** Ends the subscription. Only the caller may still signal the subscriber. */
    private Flow.Subscriber<? super T> over() {
      Flow.Subscriber<? super T> last = subscriber;
      subscriber = null;
      if (begun) {
        abandon();
        if (of.settings.cancellation != null) {
          of.settings.cancellation.remove(cancel);
        }
      }
      discard();
      return last;
    }
  }
}
