package io.github.rustbridge;

import io.github.rustbridge.interop.Natives;
import java.lang.ref.Reference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A stream from a plugin. Batches come from the drainer; one consumer at a time reads items and
 * reports how many it has consumed. The native library sends no more than the demand, so the memory
 * is bounded.
 */
abstract class Incoming extends Operation {
  final Method method;
  final Natives natives;
  private final Outgoing outgoing;
  private final Queue<Batch> batches = new ConcurrentLinkedQueue<>();
  private volatile Answer end;

  /** What the consumer is at. Others may discard what is left of it. */
  private volatile Batch current;

  Incoming(Method method, Outgoing outgoing) {
    this.method = method;
    this.outgoing = outgoing;
    natives = method.plugin().natives();
  }

  /** Something has come, or the end. On the drainer. */
  abstract void arrived();

  /** Begins the call. Its options aren't kept: their context may refer to who takes the items. */
  final void begin(byte[] request, CallOptions options, CallData carried, long items) {
    Answer atOnce = start(request, options, carried, items);
    if (atOnce != null) {
      if (atOnce.headers().length != 0) {
        super.headers(atOnce.headers());
      }
      done(atOnce);
    }
  }

  private Answer start(byte[] request, CallOptions options, CallData carried, long items) {
    try {
      return Operations.begin(method.target(), request, carried, this, items, options.windowBytes);
    } finally {
      // Objects that are lent are nobody's to collect before the core has them.
      Reference.reachabilityFence(options);
    }
  }

  @Override
  final void headers(byte[] said) {
    super.headers(said);
    arrived();
  }

  @Override
  final void items(Batch batch) {
    batches.add(batch);
    arrived();
  }

  @Override
  final void done(Answer answer) {
    // The first is what counts: it's told again where telling has failed.
    if (end == null) {
      end = answer;
    }
    stopSending();
    arrived();
  }

  @Override
  final void demand(long items, long bytes) {
    if (outgoing != null) {
      outgoing.demand(number, items, bytes);
    }
  }

  /** The next item; null if none is here. For the consumer alone. */
  final Answer poll() {
    Batch batch = current;
    while (true) {
      Answer item = batch == null ? null : batch.next();
      if (item != null) {
        return item;
      }
      batch = batches.poll();
      current = batch;
      if (batch == null) {
        return null;
      }
      if (isClosed()) {
        // Whoever closed it may have looked at the one before.
        batch.discard();
      }
    }
  }

  /** Whether nobody wants items any more. */
  boolean isClosed() {
    return false;
  }

  /** How it has ended; items may still wait when it has. */
  final Answer end() {
    return end;
  }

  /** Whether no item waits. For the consumer alone. */
  final boolean isDrained() {
    Batch batch = current;
    return (batch == null || batch.isEmpty()) && batches.isEmpty();
  }

  /** Whether there's something to look at. */
  final boolean hasNews() {
    return end != null || !batches.isEmpty();
  }

  /** Gives the stream up; what has come and wasn't taken stays for {@link #discard}. */
  final void abandon() {
    if (Operations.abandon(natives, this)) {
      stopSending();
    }
  }

  /** Throws away what wasn't taken, when nothing more comes. On any thread. */
  final void discard() {
    Batch batch = current;
    if (batch != null) {
      batch.discard();
    }
    discardWaiting();
  }

  /** Throws away what nobody has looked at. On any thread. */
  final void discardWaiting() {
    for (Batch batch = batches.poll(); batch != null; batch = batches.poll()) {
      batch.discard();
    }
  }

  private void stopSending() {
    if (outgoing != null) {
      outgoing.stop();
    }
  }
}
