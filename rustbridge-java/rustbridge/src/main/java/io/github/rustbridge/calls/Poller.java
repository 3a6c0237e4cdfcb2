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
  /** How many events are fetched at once, and how many bytes of them without another copy. */
  private static final int EVENTS = 64;

  private static final int ARENA = 1 << 18;

  /** After so long without anything pending the thread ends. */
  private static final long IDLE_MILLIS = 5_000;

  /** Who gives way for longer than this has done so to a thread that is busy. */
  private static final long SLICE_NANOS = 500_000;

  /** For so long nobody is given way then. */
  private static final long BUSY_NANOS = 1_000_000_000;

  // Made beforehand, as they're for when there's no memory.
  private static final Answer OUT_OF_MEMORY =
      exhausted("{\"message\":\"the JVM has no memory for the response\"}");

  private static final Answer NOT_FETCHED =
      exhausted("{\"message\":\"the completion queue can't be polled\"}");

  // Static as a queue is for all instances; a class loader of its own has one of its own.
  private static volatile Poller one;

  public final Slots slots = new Slots();
  public final long queue;
  private final Natives natives;
  private final AtomicBoolean running = new AtomicBoolean();

  // Of the one that runs. Here, so that it can't fail for want of them.
  private final ByteBuffer events =
      ByteBuffer.allocateDirect(EVENTS * AbiLayout.SIZEOF_EVENT + Long.BYTES)
          .order(ByteOrder.nativeOrder());
  private final ByteBuffer arena = ByteBuffer.allocateDirect(ARENA);
  private final long eventsAddress;
  private final long arenaAddress;

  /** Those of which others are woken at a round's end: of what is fetched, and once more. */
  private final AsyncCall[] ended = new AsyncCall[2 * EVENTS];

  private int endedCount;
  private boolean hasFetched;

  /** When to give way again, by {@link System#nanoTime()}. */
  private long busyUntil = System.nanoTime();

  Poller(Natives natives, Failures failures) {
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
  public static Poller of(Natives natives, Failures failures) {
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

  private static synchronized Poller create(Natives natives, Failures failures) {
    if (one == null) {
      one = new Poller(natives, failures);
    }
    return one;
  }

  /** To be called when something is pending. */
  public void ensureRunning() {
    // Whoever ends looks once more for what is pending when this says that it doesn't run.
    if (!running.get() && running.compareAndSet(false, true)) {
      try {
        new PollerThread(this).start();
      } catch (Throwable refused) {
        lose(NOT_FETCHED, refused);
      }
    }
  }

  /**
   * To be called before waiting for what the drainer tells.
   *
   * @throws IllegalStateException if it's the drainer that would wait
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
        lose(
            new Answer(status, NOT_FETCHED.bytes()),
            new IllegalStateException("polling for events failed with status " + status));
      }
    } catch (Throwable failed) {
      lose(NOT_FETCHED, failed);
    }
  }

  /** Fetches events until nothing is pending; gives what the native library says if it's wrong. */
  private int drain() {
    boolean areMany = false;
    while (true) {
      int status;
      hasFetched = false;
      try {
        status = fetch(IDLE_MILLIS);
        if (status == 0 && (areMany && endedCount > 0 || endedCount > 1)) {
          // Many are in flight, so more have ended by the time that others have run.
          giveWay();
          status = fetch(0);
        }
      } finally {
        areMany = endedCount > 1;
        tellEnds();
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
   * Lets others run for a moment. Beside threads that are busy it takes a slice of each of them,
   * for which nobody should be kept waiting: then it's left out for a while.
   */
  private void giveWay() {
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

  /** Fetches events once and takes them; gives the native library's status. */
  private int fetch(long timeoutMillis) {
    int count = EVENTS * AbiLayout.SIZEOF_EVENT;
    // The first says how far apart they are, and is overwritten with what is known of it.
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
      tell(index * AbiLayout.SIZEOF_EVENT);
    }
    return 0;
  }

  /**
   * Wakes those who wait for what has ended. That's done when all of it is taken: who waits for
   * many would otherwise be woken for each, find the next one pending, and sleep again.
   */
  private void tellEnds() {
    int count = endedCount;
    endedCount = 0;
    for (int index = 0; index < count; index++) {
      AsyncCall operation = ended[index];
      ended[index] = null;
      awaken(operation);
    }
  }

  /** Wakes those who wait for one. Never throws. */
  private static void awaken(AsyncCall operation) {
    try {
      operation.awaken();
    } catch (Throwable thrown) {
      // Before it's logged, which may fail as well.
      try {
        operation.awaken();
      } catch (Throwable again) {
        warn("the completion of a call couldn't be delivered", again);
      }
      warn("an event of an asynchronous call was lost", thrown);
    }
  }

  /** Nobody fetches events: fails all that is pending, since it would wait for good. */
  private void lose(Answer how, Throwable why) {
    // Before looking: what is begun from here on tries anew. What is about to be has no number
    // yet, and asks for a thread when it has.
    running.set(false);
    slots.each(operation -> {
      if (operation.number != 0) {
        fail(operation, how);
      }
    });
    warn("the completion queue can't be polled", why);
  }

  /** Ends an operation that has lost something, unless it was given up or has ended. */
  private void fail(AsyncCall operation, Answer how) {
    try {
      if (slots.take(operation)) {
        try {
          NativeCalls.detach(natives, operation.number);
        } finally {
          operation.done(how);
          awaken(operation);
        }
      }
    } catch (Throwable thrown) {
      warn("the failure of a call couldn't be delivered", thrown);
    }
  }

  private void tell(int at) {
    // Outside, so that it's told of what goes wrong.
    AsyncCall told = null;
    boolean ends = false;
    try {
      AsyncCall operation = slots.find(events.getLong(at + AbiLayout.EVENT_USER_DATA));
      int kind = events.getInt(at + AbiLayout.EVENT_KIND);
      if (operation != null && operation.number == 0) {
        operation.number = events.getLong(at + AbiLayout.EVENT_OP);
      }
      if (kind == AbiLayout.RB_EVENT_DEMAND) {
        // One whose demand was lost would wait for it with what it sends.
        told = operation;
        if (told != null) {
          told.demand(
              most(events.getLong(at + AbiLayout.EVENT_ITEMS)),
              most(events.getLong(at + AbiLayout.EVENT_BYTES)));
        }
        return;
      }
      ends = kind == AbiLayout.RB_EVENT_DONE;
      // One that was given up meanwhile isn't told, and what it came with is released.
      told = operation != null && (!ends || slots.take(operation)) ? operation : null;
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
        tellEnd(told, answer);
      } else if (kind == AbiLayout.RB_EVENT_HEADERS) {
        tellHeaders(told, answer);
      } else {
        tellItems(told, answer, events, at);
      }
    } catch (Throwable thrown) {
      lost(told, ends);
      warn("an event of an asynchronous call was lost", thrown);
    }
  }

  /** A number without a sign as one that has one. */
  private static long most(long number) {
    return number < 0 ? Long.MAX_VALUE : number;
  }

  /** An event couldn't be told: a call must not wait for it, nor a stream pass for whole. */
  private void lost(AsyncCall told, boolean ends) {
    if (told == null) {
      return;
    }
    if (!ends) {
      fail(told, OUT_OF_MEMORY);
      return;
    }
    try {
      end(told, OUT_OF_MEMORY);
    } catch (Throwable again) {
      warn("the completion of a call couldn't be delivered", again);
    }
  }

  private static Answer exhausted(String payload) {
    return new Answer(AbiLayout.RB_RESOURCE_EXHAUSTED, payload.getBytes(StandardCharsets.UTF_8));
  }

  private void tellEnd(AsyncCall told, Answer answer) {
    if (told != null) {
      byte[] headers = told.headers;
      end(told, headers == null ? answer : answer.after(headers));
    } else {
      ObjectRelease.release(natives, answer.objects());
    }
  }

  private void end(AsyncCall operation, Answer how) {
    operation.done(how);
    if (operation.awakensLater()) {
      ended[endedCount++] = operation;
    }
  }

  private void tellHeaders(AsyncCall told, Answer answer) {
    if (told == null) {
      return;
    }
    if (answer.isFine()) {
      told.headers(answer.bytes());
    } else {
      // There was no memory for them, and none said isn't what some lost are.
      fail(told, answer);
    }
  }

  private void tellItems(AsyncCall told, Answer answer, ByteBuffer events, int at) {
    Batch batch =
        new Batch(
            natives,
            answer.bytes(),
            events.getInt(at + AbiLayout.EVENT_COUNT),
            events.getInt(at + AbiLayout.EVENT_FLAGS),
            answer.objects());
    if (told == null) {
      batch.discard();
    } else if (!answer.isFine()) {
      // There was no memory for it, and a stream with a gap would pass for whole.
      fail(told, answer);
    } else {
      told.items(batch);
    }
  }

  private static void warn(String what, Throwable thrown) {
    try {
      Loggers.of("rustbridge").log(System.Logger.Level.ERROR, what, thrown);
    } catch (Throwable loggingIsBroken) {
      // There is nobody left to tell.
    }
  }
}
