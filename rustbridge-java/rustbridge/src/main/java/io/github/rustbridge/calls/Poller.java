package io.github.rustbridge.calls;

import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The completion queue of this class loader's asynchronous calls, and the one daemon thread that
 * polls it. One crossing fetches many events.
 *
 * <p>The thread runs no application code: it copies data, passes work to executors, and wakes
 * waiting threads. It ends when no call was pending for a while, so that classes can be unloaded,
 * and is started again when needed.
 */
public final class Poller implements Runnable {
  /** The number of events in one native call, and of their bytes without another native call. */
  private static final int EVENTS = 64;

  private static final int ARENA = 1 << 18;

  /** The thread ends after this time without a pending call. */
  private static final long IDLE_MILLIS = 5_000;

  /** If yielding takes longer than this, another thread keeps the processor busy. */
  private static final long SLICE_NANOS = 500_000;

  /** The time for which the thread doesn't yield after that. */
  private static final long BUSY_NANOS = 1_000_000_000;

  // Created in advance, for use when there is no memory.
  private static final Answer OUT_OF_MEMORY =
      exhausted("{\"message\":\"the JVM has no memory for the response\"}");

  private static final Answer NOT_FETCHED =
      exhausted("{\"message\":\"the completion queue can't be polled\"}");

  // Static, since one queue serves all instances. Each class loader has its own.
  private static volatile Poller one;

  public final Slots slots = new Slots();
  public final long queue;
  private final Natives natives;
  private final AtomicBoolean running = new AtomicBoolean();

  // Used by the running thread. Allocated in advance, so that the thread can't fail without memory.
  private final ByteBuffer events =
      ByteBuffer.allocateDirect(EVENTS * AbiLayout.SIZEOF_EVENT + Long.BYTES)
          .order(ByteOrder.nativeOrder());
  private final ByteBuffer arena = ByteBuffer.allocateDirect(ARENA);
  private final long eventsAddress;
  private final long arenaAddress;

  /** Calls whose waiting threads are woken at the end of a round. A round polls up to two times. */
  private final AsyncCall[] ended = new AsyncCall[2 * EVENTS];

  private int endedCount;
  private boolean hasFetched;

  /** When to yield again, by {@link System#nanoTime()}. */
  private long busyUntil = System.nanoTime();

  Poller(Natives natives, FailureMapping failures) {
    this.natives = natives;
    eventsAddress = natives.address(events);
    arenaAddress = natives.address(arena);
    Block block = Block.take(natives);
    try {
      long error = block.clear(Block.ERROR);
      int status = natives.newQueue(block.address + Block.NUMBER, error);
      byte[] payload = block.taken(Block.ERROR);
      if (status != 0) {
        throw failures.exception(new Answer(status, payload));
      }
      queue = block.structs.getLong(Block.NUMBER);
    } finally {
      block.give();
    }
  }

  /** Returns the poller of this class loader, and creates it first if there is none. */
  public static Poller of(Natives natives, FailureMapping failures) {
    Poller known = one;
    return known != null ? known : create(natives, failures);
  }

  /** Returns the poller of this class loader; null if no asynchronous call was ever started. */
  public static Poller started() {
    return one;
  }

  /** Reports whether no asynchronous call of this class loader is pending. */
  public static boolean isIdle() {
    Poller known = one;
    return known == null || known.slots.isEmpty();
  }

  private static synchronized Poller create(Natives natives, FailureMapping failures) {
    if (one == null) {
      one = new Poller(natives, failures);
    }
    return one;
  }

  /** Starts the thread if it doesn't run. Called when a call is pending. */
  public void ensureRunning() {
    // The ending thread checks for pending calls again after it has reset this flag.
    if (!running.get() && running.compareAndSet(false, true)) {
      try {
        new PollerThread(this).start();
      } catch (Throwable refused) {
        failAll(NOT_FETCHED, refused);
      }
    }
  }

  /**
   * Checks that the current thread may wait for an event of the poller.
   *
   * @throws IllegalStateException if the current thread is the poller
   */
  public static void checkMayWait() {
    if (PollerThread.isCurrent()) {
      throw new IllegalStateException(
          "the thread that polls for results would wait for itself: pass withExecutor an executor that"
              + " neither runs tasks in place nor makes the caller run rejected ones");
    }
  }

  /** Reports whether the current thread polls the completion queue. */
  public static boolean isCurrentThread() {
    return PollerThread.isCurrent();
  }

  @Override
  public void run() {
    try {
      int status = drain();
      if (status != 0) {
        failAll(
            new Answer(status, NOT_FETCHED.bytes()),
            new IllegalStateException("polling for events failed with status " + status));
      }
    } catch (Throwable failed) {
      failAll(NOT_FETCHED, failed);
    }
  }

  /**
   * Polls for events until no call is pending; returns the native library's status if it isn't OK.
   */
  private int drain() {
    boolean areMany = false;
    while (true) {
      int status;
      hasFetched = false;
      try {
        status = fetch(IDLE_MILLIS);
        if (status == 0 && (areMany && endedCount > 0 || endedCount > 1)) {
          // Many calls are in flight, so more will have ended after other threads have run.
          yieldToOthers();
          status = fetch(0);
        }
      } finally {
        areMany = endedCount > 1;
        wakeEnded();
      }
      if (status != 0) {
        return status;
      }
      if (!hasFetched && slots.isEmpty()) {
        running.set(false);
        if (slots.isEmpty() || !running.compareAndSet(false, true)) {
          return 0;
        }
      }
    }
  }

  /**
   * Yields to other threads. Yielding to busy threads costs a time slice of each, so it's skipped
   * for a while if that happens.
   */
  private void yieldToOthers() {
    long begin = System.nanoTime();
    if (begin - busyUntil < 0) {
      return;
    }
    for (int times = 0; times < 2; times++) {
      Thread.yield();
      long now = System.nanoTime();
      if (now - begin > SLICE_NANOS) {
        busyUntil = now + BUSY_NANOS;
        return;
      }
    }
  }

  /** Polls for events once, and reports them; returns the native library's status. */
  private int fetch(long timeoutMillis) {
    int count = EVENTS * AbiLayout.SIZEOF_EVENT;
    // The first event has the distance between events. The native library overwrites it.
    events.putInt(0, AbiLayout.SIZEOF_EVENT);
    int status =
        natives.next(
            queue,
            eventsAddress,
            EVENTS,
            arenaAddress,
            ARENA,
            timeoutMillis,
            eventsAddress + count);
    if (status != 0) {
      return status;
    }
    int fetched = (int) events.getLong(count);
    hasFetched |= fetched > 0;
    for (int index = 0; index < fetched; index++) {
      report(index * AbiLayout.SIZEOF_EVENT);
    }
    return 0;
  }

  /**
   * Wakes the threads that wait for calls that have ended. That's done after all events were read.
   * Otherwise a thread that waits for many calls would be woken for each, find the next one
   * pending, and sleep again.
   */
  private void wakeEnded() {
    int count = endedCount;
    endedCount = 0;
    for (int index = 0; index < count; index++) {
      AsyncCall call = ended[index];
      ended[index] = null;
      awaken(call);
    }
  }

  /** Wakes the threads that wait for a call. Never throws. */
  private static void awaken(AsyncCall call) {
    try {
      call.awaken();
    } catch (Throwable thrown) {
      // Before logging, which may fail as well.
      try {
        call.awaken();
      } catch (Throwable again) {
        warn("the completion of a call couldn't be delivered", again);
      }
      warn("an event of an asynchronous call was lost", thrown);
    }
  }

  /** Fails all pending calls, since no thread polls for their events. */
  private void failAll(Answer how, Throwable why) {
    // First: calls that are submitted from now on start the thread again. A call that is being
    // submitted has no number yet, and starts the thread when it has one.
    running.set(false);
    slots.each(call -> {
      if (call.number != 0) {
        fail(call, how);
      }
    });
    warn("the completion queue can't be polled", why);
  }

  /** Fails a call that has lost an event, unless it was abandoned or has ended. */
  private void fail(AsyncCall call, Answer how) {
    try {
      if (slots.take(call)) {
        try {
          NativeCalls.detach(natives, call.number);
        } finally {
          call.done(how);
          awaken(call);
        }
      }
    } catch (Throwable thrown) {
      warn("the failure of a call couldn't be delivered", thrown);
    }
  }

  private void report(int at) {
    // Outside of the block, so that the call learns of a failure.
    AsyncCall call = null;
    boolean ends = false;
    try {
      AsyncCall found = slots.find(events.getLong(at + AbiLayout.EVENT_USER_DATA));
      int kind = events.getInt(at + AbiLayout.EVENT_KIND);
      if (found != null && found.number == 0) {
        found.number = events.getLong(at + AbiLayout.EVENT_OP);
      }
      if (kind == AbiLayout.RB_EVENT_DEMAND) {
        // If this event were lost, the call would wait for credit forever.
        call = found;
        if (call != null) {
          call.demand(
              most(events.getLong(at + AbiLayout.EVENT_ITEMS)),
              most(events.getLong(at + AbiLayout.EVENT_BYTES)));
        }
        return;
      }
      ends = kind == AbiLayout.RB_EVENT_DONE;
      // An abandoned call isn't notified, and the event's objects are released.
      call = found != null && (!ends || slots.take(found)) ? found : null;
      Answer answer;
      try {
        answer =
            Block.answer(
                natives,
                events.getInt(at + AbiLayout.EVENT_STATUS),
                events,
                eventsAddress,
                at + AbiLayout.EVENT_RESPONSE,
                at + AbiLayout.EVENT_REPLY,
                arena,
                arenaAddress);
      } catch (OutOfMemoryError full) {
        answer = OUT_OF_MEMORY;
      }
      if (ends) {
        reportEnd(call, answer);
      } else if (kind == AbiLayout.RB_EVENT_HEADERS) {
        reportHeaders(call, answer);
      } else {
        reportItems(call, answer, events, at);
      }
    } catch (Throwable thrown) {
      reportLoss(call, ends);
      warn("an event of an asynchronous call was lost", thrown);
    }
  }

  /** Converts an unsigned number to a signed one. */
  private static long most(long number) {
    return number < 0 ? Long.MAX_VALUE : number;
  }

  /**
   * Handles an event that couldn't be reported: the call must not wait for it, and its stream must
   * not appear complete.
   */
  private void reportLoss(AsyncCall call, boolean ends) {
    if (call == null) {
      return;
    }
    if (!ends) {
      fail(call, OUT_OF_MEMORY);
      return;
    }
    try {
      end(call, OUT_OF_MEMORY);
    } catch (Throwable again) {
      warn("the completion of a call couldn't be delivered", again);
    }
  }

  private static Answer exhausted(String payload) {
    return new Answer(AbiLayout.RB_RESOURCE_EXHAUSTED, payload.getBytes(StandardCharsets.UTF_8));
  }

  private void reportEnd(AsyncCall call, Answer answer) {
    if (call != null) {
      byte[] headers = call.headers;
      end(call, headers == null ? answer : answer.after(headers));
    } else {
      ObjectRelease.release(natives, answer.objects());
    }
  }

  private void end(AsyncCall call, Answer how) {
    call.done(how);
    if (call.awakensLater()) {
      ended[endedCount++] = call;
    }
  }

  private void reportHeaders(AsyncCall call, Answer answer) {
    if (call == null) {
      return;
    }
    if (answer.isFine()) {
      call.headers(answer.bytes());
    } else {
      // There was no memory for the metadata, and lost metadata differs from none.
      fail(call, answer);
    }
  }

  private void reportItems(AsyncCall call, Answer answer, ByteBuffer events, int at) {
    Batch batch =
        new Batch(
            natives,
            answer.bytes(),
            events.getInt(at + AbiLayout.EVENT_COUNT),
            events.getInt(at + AbiLayout.EVENT_FLAGS),
            answer.objects());
    if (call == null) {
      batch.discard();
    } else if (!answer.isFine()) {
      // There was no memory for the items, and a stream with a gap would appear complete.
      fail(call, answer);
    } else {
      call.items(batch);
    }
  }

  private static void warn(String what, Throwable thrown) {
    try {
      Loggers.of("rustbridge").log(System.Logger.Level.ERROR, what, thrown);
    } catch (Throwable loggingIsBroken) {
      // There is no way left to report it.
    }
  }
}
