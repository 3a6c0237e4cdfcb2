package io.github.rustbridge.streams;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.AsyncCall;
import io.github.rustbridge.calls.Batch;
import io.github.rustbridge.calls.CallData;
import io.github.rustbridge.calls.CallSettings;
import io.github.rustbridge.calls.Callee;
import io.github.rustbridge.calls.SentItems;
import io.github.rustbridge.calls.Submission;
import io.github.rustbridge.interop.Natives;
import java.lang.ref.Reference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A stream from a plugin. Batches come from the poller; one consumer at a time reads items and
 * reports how many it has consumed. The native library sends no more than the demand, so the memory
 * is bounded.
 */
public abstract class ItemReceiver extends AsyncCall {
  final Callee callee;
  final Natives natives;
  private final SentItems sent;
  private final Queue<Batch> batches = new ConcurrentLinkedQueue<>();
  private volatile Answer end;

  /** The consumer's batch. Other threads may discard the rest of it. */
  private volatile Batch current;

  ItemReceiver(Callee callee, SentItems sent) {
    this.callee = callee;
    this.sent = sent;
    natives = callee.natives();
  }

  /** Called by the poller when items, initial metadata or the end have arrived. */
  abstract void arrived();

  /** Starts the call. Its settings aren't kept: their context may refer to the consumer. */
  final void begin(byte[] request, CallSettings settings, CallData data, long items) {
    Answer atOnce = submit(request, settings, data, items);
    if (atOnce != null) {
      if (atOnce.headers().length != 0) {
        super.headers(atOnce.headers());
      }
      done(atOnce);
    }
  }

  private Answer submit(byte[] request, CallSettings settings, CallData data, long items) {
    try {
      return Submission.submit(callee, request, data, this, items, settings.windowBytes);
    } finally {
      // The garbage collector must not release borrowed objects before the core has them.
      Reference.reachabilityFence(settings);
    }
  }

  @Override
  public final void headers(byte[] said) {
    super.headers(said);
    arrived();
  }

  @Override
  public final void items(Batch batch) {
    batches.add(batch);
    arrived();
  }

  @Override
  public final void done(Answer answer) {
    // The first result counts: the poller reports it again if the first report has failed.
    if (end == null) {
      end = answer;
    }
    stopSending();
    arrived();
  }

  @Override
  public final void demand(long items, long bytes) {
    if (sent != null) {
      sent.demand(number, items, bytes);
    }
  }

  /** Returns the next item; null if none has arrived. Only the consumer may call it. */
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
        // The closing thread may have discarded the previous batch.
        batch.discard();
      }
    }
  }

  /** Reports whether the consumer needs no more items. */
  boolean isClosed() {
    return false;
  }

  /** Returns the result of the call; null if it's pending. Items may be waiting even after that. */
  public final Answer end() {
    return end;
  }

  /** Reports whether no item is waiting. Only the consumer may call it. */
  final boolean isDrained() {
    Batch batch = current;
    return (batch == null || batch.isEmpty()) && batches.isEmpty();
  }

  /** Reports whether items or the end have arrived. */
  final boolean hasNews() {
    return end != null || !batches.isEmpty();
  }

  /** Abandons the call. Items that have arrived wait for {@link #discard}. */
  final void abandon() {
    if (Submission.abandon(natives, this)) {
      stopSending();
    }
  }

  /** Discards all waiting items, after the last one has arrived. Any thread may call it. */
  final void discard() {
    Batch batch = current;
    if (batch != null) {
      batch.discard();
    }
    discardWaiting();
  }

  /** Discards the batches that the consumer hasn't begun. Any thread may call it. */
  final void discardWaiting() {
    for (Batch batch = batches.poll(); batch != null; batch = batches.poll()) {
      batch.discard();
    }
  }

  private void stopSending() {
    if (sent != null) {
      sent.stop();
    }
  }
}
