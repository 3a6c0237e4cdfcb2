package io.github.rustbridge;

import io.github.rustbridge.internal.Threads;
import io.github.rustbridge.interop.Natives;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Calls with one response, blocking or with a future. */
final class Calls {
  private Calls() {}

  /**
   * Refuses, before the call, what would wait for good or lose something.
   *
   * @param streams whether it's for a stream that comes
   * @param sends whether there's a stream that goes
   */
  static void check(Method method, Reading<?> reading, boolean streams, boolean sends) {
    if (method.isStreamOut() != streams) {
      throw new IllegalStateException(
          streams
              ? method.name() + " returns one response: use call"
              : method.name() + " returns a stream: use publish or iterate");
    }
    if (method.isStreamIn() != sends) {
      throw new IllegalStateException(
          sends
              ? method.name() + " accepts no items"
              : method.name() + " accepts items: use sending");
    }
    if (!reading.takesObjects() && (method.target().flags() & Backend.Entry.OBJECTS) != 0) {
      throw new IllegalStateException(
          method.name()
              + " returns objects: request a Reply, or pass PluginObject.class as the type");
    }
  }

  /** Calls and waits. */
  static <R> R call(Method method, byte[] request, CallOptions options, Reading<R> reading) {
    Objects.requireNonNull(options, "options");
    Answer answer = answer(method, request, options, reading.takesObjects());
    try {
      options.tell(answer);
    } catch (Throwable thrown) {
      release(method.plugin().natives(), answer);
      throw thrown;
    }
    if (answer.isFine()) {
      return reading.read(method.plugin(), answer);
    }
    release(method.plugin().natives(), answer);
    if (options.cancellation != null
        && options.cancellation.isCancelled()
        && answer.status() == Status.CANCELLED.number()) {
      throw new CancellationException("the call was cancelled");
    }
    throw reading.failure(answer);
  }

  private static Answer answer(
      Method method, byte[] request, CallOptions options, boolean wantsReply) {
    try {
      return carrying(method, request, options, wantsReply);
    } finally {
      // Objects that are lent are nobody's to collect before the core has them.
      Reference.reachabilityFence(options);
    }
  }

  private static Answer carrying(
      Method method, byte[] request, CallOptions options, boolean wantsReply) {
    Cancellation cancellation = options.cancellation;
    if (options.endsOnInterrupt && thread().isInterrupted()) {
      throw PluginException.cancelled("the thread was interrupted before the call began");
    }
    if (cancellation == null && options.endsOnInterrupt) {
      return new WaitingCall(method, true).answer(request, options.offloaded().carried(wantsReply));
    }
    if (cancellation == null) {
      boolean parks = method.isAsync() && Threads.isVirtual(thread());
      CallData carried = options.carried(wantsReply);
      return parks
          ? new WaitingCall(method, false).answer(request, carried)
          : Operations.call(method.target(), request, carried);
    }
    if (cancellation.isCancelled()) {
      throw new CancellationException("the call was cancelled before it began");
    }
    // Another thread needs its number to cancel it, and a handler that blocks would keep that.
    WaitingCall waiting = new WaitingCall(method, options.endsOnInterrupt);
    cancellation.register(waiting);
    try {
      return waiting.answer(request, options.offloaded().carried(wantsReply));
    } finally {
      cancellation.forget(waiting);
    }
  }

  private static Thread thread() {
    return Thread.currentThread();
  }

  static void release(Natives natives, Answer answer) {
    Drainer.release(natives, answer.objects());
  }

  /** A call whose thread parks, outside of native code, so that a virtual one gives way. */
  private static final class WaitingCall extends Operation implements Runnable {
    private final Method method;
    private final boolean endsOnInterrupt;
    private final Thread thread = thread();
    private volatile Answer answer;
    private volatile boolean cancelled;

    WaitingCall(Method method, boolean endsOnInterrupt) {
      this.method = method;
      this.endsOnInterrupt = endsOnInterrupt;
    }

    Answer answer(byte[] request, CallData carried) {
      Drainer.checkMayWait();
      try {
        Answer atOnce = Operations.begin(method.target(), request, carried, this, 0, 0);
        if (atOnce != null) {
          return atOnce;
        }
        if (cancelled) {
          Operations.cancel(method.plugin().natives(), number);
        }
        park();
        return answer;
      } finally {
        Reference.reachabilityFence(method);
      }
    }

    private void park() {
      boolean interrupted = false;
      while (answer == null) {
        LockSupport.park(this);
        if (Thread.interrupted()) {
          if (endsOnInterrupt && !interrupted) {
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
    void done(Answer told) {
      if (answer == null) {
        answer = told;
      }
      LockSupport.unpark(thread);
    }

    /** It's to be cancelled. */
    @Override
    public void run() {
      cancelled = true;
      if (number != 0) {
        Operations.cancel(method.plugin().natives(), number);
      }
    }
  }

  /** Begins a call and gives its future. */
  static <R> CompletableFuture<R> begin(
      Method method, byte[] request, CallOptions options, Reading<R> reading, Outgoing outgoing) {
    Objects.requireNonNull(options, "options");
    PendingCall<R> call = new PendingCall<>(method, options, reading, outgoing);
    call.begin(request);
    return call;
  }
}
