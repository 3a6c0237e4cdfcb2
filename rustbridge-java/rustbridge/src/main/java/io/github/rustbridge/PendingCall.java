package io.github.rustbridge;

import io.github.rustbridge.internal.Loggers;
import java.lang.ref.Reference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The future of a call. Completing it from outside, by cancelling or a timeout, abandons the call.
 *
 * <p>The drainer only stores the response. The executor decodes it and completes the future, so
 * dependent stages run there. A waiting thread is woken by the drainer and decodes the response
 * itself, so it receives the response even if all threads of the executor are busy with dependent
 * stages of other calls.
 *
 * @param <R> what the answer becomes
 */
final class PendingCall<R> extends CompletableFuture<R> implements Runnable {
  private final Method method;
  private final CallOptions options;
  private final Reading<R> reading;
  final Operation told = new QueuedOperation();
  private final Outgoing outgoing;
  private final Runnable cancel = this::cancelFromElsewhere;

  /** How it has ended; null while it's pending. */
  private volatile Answer answer;

  /** What the answer was read as. Written once. */
  private volatile Settled<R> settled;

  /** Made by the first who waits. */
  private volatile CompletableFuture<Void> waiters;

  /** Who has the value before this is complete: one who waited, or nobody, and it was closed. */
  private boolean given;

  private boolean discarded;

  /** Whether one has set out to complete this with the value. */
  private boolean hasRun;

  /** Passes headers and trailers to the options' functions, once. Null without any. */
  private final Headers headers;

  private record Settled<R>(R value, Throwable failure) {}

  /**
   * Tells of headers and trailers. Its lock is its own, since it's held while an application's code
   * runs.
   */
  private static final class Headers {
    private final CallOptions options;
    private boolean told;
    private Throwable thrown;

    Headers(CallOptions options) {
      this.options = options;
    }

    /** Tells of them, if nobody has; gives what was thrown, or null. */
    synchronized Throwable tell(Answer answer) {
      if (!told) {
        told = true;
        try {
          options.tell(answer);
        } catch (Throwable failure) {
          thrown = failure;
        }
      }
      return thrown;
    }
  }

  /** What the drainer knows. */
  private final class QueuedOperation extends Operation {
    @Override
    void done(Answer how) {
      // The first is what counts: it's told again where telling has failed.
      if (answer == null) {
        answer = how;
      }
    }

    @Override
    boolean awakensLater() {
      return true;
    }

    @Override
    void awaken() {
      wake();
      execute(options.executor(), PendingCall.this);
    }

    @Override
    void demand(long items, long bytes) {
      if (outgoing != null) {
        outgoing.demand(number, items, bytes);
      } else {
        super.demand(items, bytes);
      }
    }
  }

  PendingCall(Method method, CallOptions options, Reading<R> reading, Outgoing outgoing) {
    this.method = method;
    this.options = options;
    this.reading = reading;
    this.outgoing = outgoing;
    headers = options.headers == null && options.trailers == null ? null : new Headers(options);
  }

  void begin(byte[] request) {
    if (options.cancellation != null && options.cancellation.isCancelled()) {
      super.cancel(false);
      return;
    }
    Answer atOnce = start(request);
    if (atOnce != null) {
      answer = atOnce;
      complete(settle());
      ended();
    } else if (options.cancellation != null) {
      options.cancellation.register(cancel);
      if (answer != null || isDone()) {
        // It may have ended before there was something to forget.
        options.cancellation.forget(cancel);
      }
    }
  }

  private Answer start(byte[] request) {
    try {
      CallData carried = options.carried(reading.takesObjects());
      return Operations.begin(method.target(), request, carried, told, 0, 0);
    } finally {
      // Objects that are lent are nobody's to collect before the core has them.
      Reference.reachabilityFence(options);
    }
  }

  private void cancelFromElsewhere() {
    cancel(true);
  }

  /**
   * Runs on the executor when the answer is there. Possibly twice, and at once: an executor that
   * throws may have taken it all the same, and then it's run elsewhere as well.
   */
  @Override
  public void run() {
    if (headers != null && Drainer.isFetching()) {
      // An executor that runs in place, on the thread that must run no application's code.
      CallOptions.ELSEWHERE.execute(this);
      return;
    }
    Settled<R> how = settle();
    if (how.value == null) {
      complete(how);
    } else if (isFirst() && !complete(how) && isNobodys()) {
      reading.discard(how.value);
    }
    ended();
  }

  /** The second one would find this complete, and close what the first has given. */
  private boolean isFirst() {
    synchronized (told) {
      boolean first = !hasRun;
      hasRun = true;
      return first;
    }
  }

  /** Decides that nobody gets the value, unless somebody has. */
  private boolean isNobodys() {
    synchronized (told) {
      discarded = !given;
      return discarded;
    }
  }

  private boolean complete(Settled<R> how) {
    return how.failure == null
        ? super.complete(how.value)
        : super.completeExceptionally(how.failure);
  }

  /** It has ended: nobody sends to it any more, nor cancels it. */
  private void ended() {
    if (options.cancellation != null) {
      options.cancellation.forget(cancel);
    }
    if (outgoing != null) {
      outgoing.stop();
    }
  }

  /** Reads the answer; the first one's result is everybody's. */
  private Settled<R> settle() {
    Settled<R> known = settled;
    if (known != null) {
      return known;
    }
    Throwable thrown = headers == null ? null : headers.tell(answer);
    if (answer.isFine() && answer.objects().length == 0) {
      return settled = thrown != null ? new Settled<>(null, thrown) : read();
    }
    // Objects must not be wrapped twice, and only one exception has what caused it. Nothing is
    // waited for inside, so what is to be released,
    // which runs code of the plugin's, is released outside.
    synchronized (told) {
      if (settled != null) {
        return settled;
      }
      settled = thrown != null ? new Settled<>(null, thrown) : read();
    }
    if (thrown != null || !answer.isFine()) {
      Calls.release(method.plugin().natives(), answer);
    }
    return settled;
  }

  private Settled<R> read() {
    try {
      if (answer.isFine()) {
        return new Settled<>(reading.read(method.plugin(), answer), null);
      }
      return new Settled<>(null, reading.failure(answer));
    } catch (Throwable unreadable) {
      return new Settled<>(null, unreadable);
    }
  }

  /** The call is no longer wanted, since the future is complete. */
  private void abandon() {
    if (Operations.abandon(method.plugin().natives(), told)) {
      ended();
    }
    wake();
  }

  private void wake() {
    CompletableFuture<Void> waiting = waiters;
    if (waiting != null) {
      waiting.complete(null);
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    abandon();
    return cancelled;
  }

  @Override
  public boolean complete(R value) {
    boolean completed = super.complete(value);
    abandon();
    return completed;
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    boolean completed = super.completeExceptionally(failure);
    abandon();
    return completed;
  }

  @Override
  public void obtrudeValue(R value) {
    super.obtrudeValue(value);
    abandon();
  }

  @Override
  public void obtrudeException(Throwable failure) {
    super.obtrudeException(failure);
    abandon();
  }

  @Override
  public Executor defaultExecutor() {
    return options.executor();
  }

  /** What one waits for outside of this future; null if there's nothing to wait for. */
  private CompletableFuture<Void> waiting() {
    if (isDone() || answer != null) {
      return null;
    }
    Drainer.checkMayWait();
    CompletableFuture<Void> shared;
    synchronized (told) {
      if (waiters == null) {
        waiters = new CompletableFuture<>();
      }
      shared = waiters;
    }
    // Whoever ends it from here on sees the waiters.
    return isDone() || answer != null ? null : shared;
  }

  /**
   * What it was read as, for who has waited when this isn't complete yet; null if this was
   * completed otherwise meanwhile, and the value closed.
   */
  private Settled<R> taken() {
    Settled<R> how = settle();
    synchronized (told) {
      if (discarded) {
        return null;
      }
      given = true;
    }
    return how;
  }

  private R value(Settled<R> how) throws ExecutionException {
    if (how.failure != null) {
      throw new ExecutionException(how.failure);
    }
    return how.value;
  }

  @Override
  public R join() {
    CompletableFuture<Void> waiting = waiting();
    if (waiting != null) {
      waiting.join();
    }
    Settled<R> how = isDone() ? null : taken();
    if (how == null) {
      return super.join();
    }
    if (how.failure != null) {
      throw new CompletionException(how.failure);
    }
    return how.value;
  }

  @Override
  public R get() throws InterruptedException, ExecutionException {
    CompletableFuture<Void> waiting = waiting();
    if (waiting != null) {
      waiting.get();
    }
    Settled<R> how = isDone() ? null : taken();
    return how == null ? super.get() : value(how);
  }

  @Override
  public R get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<Void> waiting = waiting();
    if (waiting != null) {
      try {
        waiting.get(timeout, unit);
      } catch (TimeoutException late) {
        // The answer comes a moment before those who wait are woken.
        if (answer == null && !isDone()) {
          throw late;
        }
      }
    }
    Settled<R> how = isDone() ? null : taken();
    return how == null ? super.get() : value(how);
  }

  /**
   * Runs something on an executor, or where that throws, elsewhere: nobody is left waiting. It runs
   * twice if the executor has taken it before it threw.
   */
  static void execute(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (Throwable refused) {
      // Before it's logged, which may fail as well.
      CallOptions.ELSEWHERE.execute(task);
      try {
        Loggers.of("rustbridge")
            .log(
                System.Logger.Level.WARNING,
                "an executor rejected a completed call, which runs in the common pool instead",
                refused);
      } catch (Throwable loggingIsBroken) {
        // It runs, which is what matters.
      }
    }
  }

  /** What a cancelled stream throws. */
  static CancellationException cancelled() {
    return new CancellationException("the stream was cancelled");
  }
}
