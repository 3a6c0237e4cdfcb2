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
 * <p>The poller only stores the response. The executor decodes it and completes the future, so
 * dependent stages run there. A waiting thread is woken by the poller and decodes the response
 * itself, so it receives the response even if all threads of the executor are busy with dependent
 * stages of other calls.
 *
 * @param <R> the type of the decoded response
 */
public final class PendingCall<R> extends CompletableFuture<R> implements Runnable {
  private final Callee callee;
  private final CallSettings settings;
  private final ResponseReader<R> reader;
  public final AsyncCall events = new EventReceiver();
  private final SentItems sent;
  private final Runnable cancel = this::cancelFromElsewhere;

  /** The result; null while the call is pending. */
  private volatile Answer answer;

  /** The decoded result. Written once. */
  private volatile Settled<R> settled;

  /** Created by the first waiting thread. */
  private volatile CompletableFuture<Void> waiters;

  /**
   * Whether a waiting thread has received the value before this was completed, and whether the
   * value was released because no thread receives it.
   */
  private boolean given;

  private boolean discarded;

  /** Whether a run has begun to complete this with the value. */
  private boolean hasRun;

  /** Passes metadata to the options' functions once. Null without such functions. */
  private final MetadataFunctions headers;

  private record Settled<R>(R value, Throwable failure) {}

  /**
   * Passes on initial and trailing metadata. It has its own lock, since application code runs
   * inside it.
   */
  private static final class MetadataFunctions {
    private final CallSettings settings;
    private boolean hasRun;
    private Throwable thrown;

    MetadataFunctions(CallSettings settings) {
      this.settings = settings;
    }

    /**
     * Passes on the metadata, if that wasn't done yet; returns the exception of the function, or
     * null.
     */
    synchronized Throwable pass(Answer answer) {
      if (!hasRun) {
        hasRun = true;
        try {
          settings.passMetadata(answer);
        } catch (Throwable failure) {
          thrown = failure;
        }
      }
      return thrown;
    }
  }

  /** The poller's view of the call. */
  private final class EventReceiver extends AsyncCall {
    @Override
    public void done(Answer how) {
      // The first result counts: the poller reports it again if the first report has failed.
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
        // It may have ended before the task was registered.
        settings.cancellation.remove(cancel);
      }
    }
  }

  private Answer submit(byte[] request) {
    try {
      CallData data = settings.data(reader.takesObjects());
      return Submission.submit(callee, request, data, events, 0, 0);
    } finally {
      // The garbage collector must not release borrowed objects before the core has them.
      Reference.reachabilityFence(settings);
    }
  }

  private void cancelFromElsewhere() {
    cancel(true);
  }

  /**
   * Runs on the executor when the result has arrived. It may run twice, at the same time: an
   * executor that throws may have accepted the task all the same, and then it runs in the common
   * pool as well.
   */
  @Override
  public void run() {
    if (headers != null && PollerThread.isCurrent()) {
      // The executor runs tasks in place, on the poller, which must run no application code.
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

  /**
   * Reports whether this is the first run: a second one would find this complete, and release the
   * value.
   */
  private boolean isFirst() {
    synchronized (events) {
      boolean first = !hasRun;
      hasRun = true;
      return first;
    }
  }

  /** Decides that no thread receives the value, unless one already has. */
  private boolean isNobodys() {
    synchronized (events) {
      discarded = !given;
      return discarded;
    }
  }

  private boolean complete(Settled<R> how) {
    return how.failure == null
        ? super.complete(how.value)
        : super.completeExceptionally(how.failure);
  }

  /** Stops sending items to the call, and no longer registers for its cancellation. */
  private void ended() {
    if (settings.cancellation != null) {
      settings.cancellation.remove(cancel);
    }
    if (sent != null) {
      sent.stop();
    }
  }

  /** Decodes the result. All callers get the value of the first one. */
  private Settled<R> settle() {
    Settled<R> known = settled;
    if (known != null) {
      return known;
    }
    Throwable thrown = headers == null ? null : headers.pass(answer);
    if (answer.isFine() && answer.objects().length == 0) {
      return settled = thrown != null ? new Settled<>(null, thrown) : read();
    }
    // Objects must not be wrapped twice, and only one exception gets the cause. Objects are
    // released outside of the lock, since that runs code of the plugin.
    synchronized (events) {
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
    if (Submission.abandon(callee.natives(), events)) {
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

  /** Returns the future that a thread has to wait for; null if the result has arrived. */
  private CompletableFuture<Void> waiting() {
    if (isDone() || answer != null) {
      return null;
    }
    Poller.checkMayWait();
    CompletableFuture<Void> shared;
    synchronized (events) {
      if (waiters == null) {
        waiters = new CompletableFuture<>();
      }
      shared = waiters;
    }
    // A thread that completes the call from here on sees the waiters.
    return isDone() || answer != null ? null : shared;
  }

  /**
   * Returns the decoded result for a thread that has waited, before this is complete; null if this
   * was completed with another result meanwhile, and the value was released.
   */
  private Settled<R> taken() {
    Settled<R> how = settle();
    synchronized (events) {
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
        // The result arrives shortly before the waiting threads are woken.
        if (answer == null && !isDone()) {
          throw late;
        }
      }
    }
    Settled<R> how = isDone() ? null : taken();
    return how == null ? super.get() : value(how);
  }

  /**
   * Runs a task on an executor, or in the common pool if the executor throws, so that no thread
   * waits forever. It runs twice if the executor accepted the task before it threw.
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
        // The task runs, which is more important.
      }
    }
  }

  /** Creates the exception of a cancelled stream. */
  public static CancellationException cancelled() {
    return new CancellationException("the stream was cancelled");
  }
}
