package io.github.rustbridge.calls;

import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.internal.Threads;
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
public final class PendingCall<R> extends CompletableFuture<R> implements Runnable {
  private final Callee callee;
  private final CallSettings settings;
  private final ResponseReader<R> reader;
  public final AsyncCall told = new QueuedOperation();
  private final SentItems sent;
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
  private final MetadataFunctions headers;

  private record Settled<R>(R value, Throwable failure) {}

  /**
   * Tells of headers and trailers. Its lock is its own, since it's held while an application's code
   * runs.
   */
  private static final class MetadataFunctions {
    private final CallSettings settings;
    private boolean told;
    private Throwable thrown;

    MetadataFunctions(CallSettings settings) {
      this.settings = settings;
    }

    /** Tells of them, if nobody has; gives what was thrown, or null. */
    synchronized Throwable tell(Answer answer) {
      if (!told) {
        told = true;
        try {
          settings.passMetadata(answer);
        } catch (Throwable failure) {
          thrown = failure;
        }
      }
      return thrown;
    }
  }

  /** What the drainer knows. */
  private final class QueuedOperation extends AsyncCall {
    @Override
    public void done(Answer how) {
      // The first is what counts: it's told again where telling has failed.
      if (answer == null) {
        answer = how;
      }
    }

    @Override
    public boolean awakensLater() {
      return true;
    }

    @Override
    public void awaken() {
      wake();
      execute(settings.executor, PendingCall.this);
    }

    @Override
    public void demand(long items, long bytes) {
      if (sent != null) {
        sent.demand(number, items, bytes);
      } else {
        super.demand(items, bytes);
      }
    }
  }

  public PendingCall(
      Callee callee, CallSettings settings, ResponseReader<R> reader, SentItems sent) {
    this.callee = callee;
    this.settings = settings;
    this.reader = reader;
    this.sent = sent;
    headers = settings.passesMetadata() ? new MetadataFunctions(settings) : null;
  }

  void start(byte[] request) {
    if (settings.cancellation != null && settings.cancellation.isCancelled()) {
      super.cancel(false);
      return;
    }
    Answer atOnce = submit(request);
    if (atOnce != null) {
      answer = atOnce;
      complete(settle());
      ended();
    } else if (settings.cancellation != null) {
      settings.cancellation.register(cancel);
      if (answer != null || isDone()) {
        // It may have ended before there was something to forget.
        settings.cancellation.remove(cancel);
      }
    }
  }

  private Answer submit(byte[] request) {
    try {
      CallData data = settings.data(reader.takesObjects());
      return Submission.submit(callee, request, data, told, 0, 0);
    } finally {
      // Objects that are lent are nobody's to collect before the core has them.
      Reference.reachabilityFence(settings);
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
    if (headers != null && PollerThread.isCurrent()) {
      // An executor that runs in place, on the thread that must run no application's code.
      Threads.DEFAULT_EXECUTOR.execute(this);
      return;
    }
    Settled<R> how = settle();
    if (how.value == null) {
      complete(how);
    } else if (isFirst() && !complete(how) && isNobodys()) {
      reader.discard(how.value);
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
    if (settings.cancellation != null) {
      settings.cancellation.remove(cancel);
    }
    if (sent != null) {
      sent.stop();
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
      ObjectRelease.release(callee.natives(), answer.objects());
    }
    return settled;
  }

  private Settled<R> read() {
    try {
      if (answer.isFine()) {
        return new Settled<>(reader.read(answer), null);
      }
      return new Settled<>(null, reader.failure(answer));
    } catch (Throwable unreadable) {
      return new Settled<>(null, unreadable);
    }
  }

  /** The call is no longer wanted, since the future is complete. */
  private void abandon() {
    if (Submission.abandon(callee.natives(), told)) {
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
    return settings.executor;
  }

  /** What one waits for outside of this future; null if there's nothing to wait for. */
  private CompletableFuture<Void> waiting() {
    if (isDone() || answer != null) {
      return null;
    }
    Poller.checkMayWait();
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
  public static void execute(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (Throwable refused) {
      // Before it's logged, which may fail as well.
      Threads.DEFAULT_EXECUTOR.execute(task);
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
  public static CancellationException cancelled() {
    return new CancellationException("the stream was cancelled");
  }
}
