package io.github.rustbridge.calls;

import io.github.rustbridge.internal.Threads;
import io.github.rustbridge.interop.AbiLayout;
import java.lang.ref.Reference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Calls with one response, blocking or with a future. */
public final class UnaryCalls {
  private UnaryCalls() {}

  /**
   * Calls a method, and waits for its response.
   *
   * @param callee the method, and its instance
   * @param request the request
   * @param settings the call options
   * @param reader decodes the response
   * @param <R> the response's type
   * @return the response
   */
  public static <R> R call(
      Callee callee, byte[] request, CallSettings settings, ResponseReader<R> reader) {
    Answer answer = answer(callee, request, settings, reader.takesObjects());
    try {
      settings.passMetadata(answer);
    } catch (Throwable thrown) {
      ObjectRelease.release(callee.natives(), answer.objects());
      throw thrown;
    }
    if (answer.isFine()) {
      return reader.read(answer);
    }
    ObjectRelease.release(callee.natives(), answer.objects());
    CancelSignal cancellation = settings.cancellation;
    if (cancellation != null
        && cancellation.isCancelled()
        && answer.status() == AbiLayout.RB_CANCELLED) {
      throw new CancellationException("the call was cancelled");
    }
    throw reader.failure(answer);
  }

  private static Answer answer(
      Callee callee, byte[] request, CallSettings settings, boolean wantsReply) {
    try {
      return start(callee, request, settings, wantsReply);
    } finally {
      // The garbage collector must not release borrowed objects before the core has them.
      Reference.reachabilityFence(settings);
    }
  }

  private static Answer start(
      Callee callee, byte[] request, CallSettings settings, boolean wantsReply) {
    CancelSignal cancellation = settings.cancellation;
    boolean interruptible = settings.cancelsOnInterrupt;
    if (cancellation == null && !interruptible) {
      boolean parks = callee.target().isAsync() && Threads.isVirtual(thread());
      return parks
          ? new WaitingCall(callee, false).answer(request, settings, wantsReply, false)
          : Submission.call(callee, request, settings.data(wantsReply));
    }
    if (cancellation != null && cancellation.isCancelled()) {
      throw new CancellationException("the call was cancelled before it began");
    }
    // Another thread needs the call's ID to cancel it, so a handler that blocks runs elsewhere.
    WaitingCall waiting = new WaitingCall(callee, interruptible);
    if (cancellation == null) {
      return waiting.answer(request, settings, wantsReply, true);
    }
    cancellation.register(waiting);
    try {
      return waiting.answer(request, settings, wantsReply, true);
    } finally {
      cancellation.remove(waiting);
    }
  }

  private static Thread thread() {
    return Thread.currentThread();
  }

  /**
   * A call whose thread parks outside of native code, so that a virtual thread releases its
   * carrier.
   */
  private static final class WaitingCall extends AsyncCall implements Runnable {
    private final Callee callee;
    private final boolean cancelsOnInterrupt;
    private final Thread thread = thread();
    private volatile Answer answer;
    private volatile boolean cancelled;

    WaitingCall(Callee callee, boolean cancelsOnInterrupt) {
      this.callee = callee;
      this.cancelsOnInterrupt = cancelsOnInterrupt;
    }

    Answer answer(byte[] request, CallSettings settings, boolean wantsReply, boolean offloads) {
      Poller.checkMayWait();
      try {
        CallData data = settings.data(wantsReply, offloads, settings.propagation);
        Answer atOnce = Submission.submit(callee, request, data, this, 0, 0);
        if (atOnce != null) {
          return atOnce;
        }
        if (cancelled) {
          NativeCalls.cancel(callee.natives(), number);
        }
        park();
        return answer;
      } finally {
        Reference.reachabilityFence(callee);
      }
    }

    private void park() {
      boolean interrupted = false;
      while (answer == null) {
        LockSupport.park(this);
        if (Thread.interrupted()) {
          if (cancelsOnInterrupt && !interrupted) {
            run();
          }
          interrupted = true;
        }
      }
      if (interrupted) {
        thread.interrupt();
      }
    }

    @Override
    public void done(Answer result) {
      if (answer == null) {
        answer = result;
      }
      LockSupport.unpark(thread);
    }

    /** Requests the cancellation of the call. */
    @Override
    public void run() {
      cancelled = true;
      if (number != 0) {
        NativeCalls.cancel(callee.natives(), number);
      }
    }
  }

  /**
   * Starts a call.
   *
   * @param callee the method, and its instance
   * @param request the request
   * @param settings the call options
   * @param reader decodes the response
   * @param items the items that the call sends; null for none
   * @param <R> the response's type
   * @return a future of the response
   */
  public static <R> CompletableFuture<R> start(
      Callee callee,
      byte[] request,
      CallSettings settings,
      ResponseReader<R> reader,
      SentItems items) {
    PendingCall<R> call = new PendingCall<>(callee, settings, reader, items);
    call.start(request);
    return call;
  }
}
