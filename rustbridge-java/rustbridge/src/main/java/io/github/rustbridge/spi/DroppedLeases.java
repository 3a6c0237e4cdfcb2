package io.github.rustbridge.spi;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Releases the leases of dropped responses: a thread waits until the garbage collector finds them.
 *
 * <p>The thread exists while leases are open, and ends when there were none for a while. A
 * permanent thread would keep the class loader of these classes permanently, and each deployment of
 * a web application has another one.
 *
 * <p>The garbage collector knows only the size of a lease's Java objects, not of the native memory
 * that it keeps. So when open leases keep more memory than before, a collection is requested, as
 * {@code java.nio} does for direct buffers.
 */
final class DroppedLeases {
  /** Where the collector puts leases whose response is gone, and marks. */
  static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  /** How often the thread looks whether it's still needed. */
  private static final long PERIOD_MILLIS = 200;

  /** The longest wait for the thread to reach a collection's references, in milliseconds. */
  private static final long PATIENCE_MILLIS = 500;

  /** The longest wait if nothing shows that the requested collection ran, in milliseconds. */
  private static final long PATIENCE_IN_DOUBT_MILLIS = 200;

  /** The interval between checks whether leases are still being released, in milliseconds. */
  private static final long PAUSE_MILLIS = 2;

  /** Releases count as finished after this number of checks without any. */
  private static final int PAUSES = 10;

  /** How long after a request releases count as its result, in nanoseconds. */
  private static final long SETTLING_NANOS = 5_000_000_000L;

  /** With fewer bytes in open leases than this, no collection is requested. */
  private static final long LEAST = Math.max(32 << 20, Runtime.getRuntime().maxMemory() / 8);

  /** Whether the thread is there, or is just being started. */
  private static final AtomicBoolean WATCHING = new AtomicBoolean();

  /** Whether somebody waits for the collector. */
  private static final AtomicBoolean COLLECTING = new AtomicBoolean();

  private static volatile Thread watcher;

  /**
   * A collection is requested when open leases keep more bytes than this: twice what they kept
   * after the last requested one. So a program that needs much memory is delayed now and then, and
   * ever less often. Written under {@link #LOCK}.
   */
  private static volatile long limit = LEAST;

  /**
   * The end of the time in which releases count as the result of the last request, by {@link
   * System#nanoTime()}. The JVM enqueues references one by one and in no specified order, so the
   * last reference of a collection can't be recognised. Written under {@link #LOCK}.
   */
  private static volatile long settlingUntil = System.nanoTime();

  private static final Object LOCK = new Object();

  /** How many references the thread has handled. */
  private static final AtomicLong HANDLED = new AtomicLong();

  /** The bytes of the leases that the thread has closed. Only the thread uses it. */
  private static long closedBytes;

  private DroppedLeases() {}

  /** Makes sure that the thread is there. To be called after a lease was opened. */
  static void watch() {
    // One of two sees the other: this one that the thread ends, or the thread the lease.
    if (!WATCHING.get() && WATCHING.compareAndSet(false, true)) {
      try {
        start();
      } catch (Throwable noThread) {
        // There may be one when the next lease is opened.
        WATCHING.set(false);
      }
    }
  }

  private static void start() {
    // Threads inherit what thread-locals the first caller happens to have, unless told otherwise.
    Thread thread = new Thread(null, DroppedLeases::run, "rustbridge-leases", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  private static void run() {
    watcher = Thread.currentThread();
    int opened = Lease.opened();
    while (true) {
      try {
        Reference<?> found = QUEUE.remove(PERIOD_MILLIS);
        if (found != null) {
          long before = settlingUntil;
          closedBytes = 0;
          release(found);
          HANDLED.incrementAndGet();
          settle(closedBytes, before);
          continue;
        }
      } catch (InterruptedException nobodyShould) {
        // Whoever interrupts a thread that isn't theirs: leases go on being released.
        continue;
      }
      int now = Lease.opened();
      if (now == opened && !Lease.anyOpen() && mayEnd()) {
        return;
      }
      opened = now;
    }
  }

  private static boolean mayEnd() {
    watcher = null;
    WATCHING.set(false);
    if (!Lease.anyOpen() || !WATCHING.compareAndSet(false, true)) {
      return true;
    }
    watcher = Thread.currentThread();
    return false;
  }

  private static void release(Reference<?> found) {
    try {
      if (found instanceof Lease lease) {
        lease.drop();
      } else if (found instanceof Lease.View view) {
        view.drop();
      } else if (found instanceof Mark mark) {
        mark.reached.countDown();
      }
    } catch (Throwable thrown) {
      Lease.complain("a response that was dropped couldn't be released", thrown);
    }
  }

  /** Records that a counted lease was closed. Only leases that the thread closes matter. */
  static void closed(long bytes) {
    if (Thread.currentThread() == watcher) {
      closedBytes += bytes;
    }
  }

  /**
   * Lowers the limit after leases were closed that the last request counted as open, because its
   * wait had ended before.
   *
   * @param bytes the size of the closed leases
   * @param before {@link #settlingUntil} before they were closed. If a request has ended since, it
   *     didn't count them.
   */
  private static void settle(long bytes, long before) {
    if (bytes == 0 || limit == LEAST) {
      return;
    }
    synchronized (LOCK) {
      if (before == settlingUntil && System.nanoTime() - before < 0) {
        limit = Math.max(LEAST, limit - 2 * bytes);
      }
    }
  }

  /**
   * Requests a garbage collection if open leases keep more memory than before.
   *
   * @param bytes the size of the open leases
   */
  static void weigh(long bytes) {
    // A logger that the thread warns may open leases.
    if (bytes <= limit
        || Thread.currentThread() == watcher
        || !COLLECTING.compareAndSet(false, true)) {
      return;
    }
    try {
      Mark mark = new Mark();
      System.gc();
      // If explicit collections are disabled in the JVM, the next request follows when the leases
      // have doubled.
      boolean collected = mark.refersTo(null);
      awaitReleases(mark, collected ? PATIENCE_MILLIS : PATIENCE_IN_DOUBT_MILLIS);
    } catch (InterruptedException wanted) {
      Thread.currentThread().interrupt();
    } finally {
      synchronized (LOCK) {
        limit = Math.max(LEAST, 2 * Lease.openBytes());
        settlingUntil = System.nanoTime() + SETTLING_NANOS;
      }
      COLLECTING.set(false);
    }
  }

  /** Waits until the thread reaches the mark, and then until it handles no more references. */
  private static void awaitReleases(Mark mark, long millis) throws InterruptedException {
    // Without the thread, which the system may have refused, no wait would end.
    if (!WATCHING.get() || !mark.reached.await(millis, TimeUnit.MILLISECONDS)) {
      return;
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long before = HANDLED.get();
    int idle = 0;
    while (idle < PAUSES && Lease.openBytes() > LEAST / 2 && System.nanoTime() - end < 0) {
      Thread.sleep(PAUSE_MILLIS);
      long now = HANDLED.get();
      idle = now == before ? idle + 1 : 0;
      before = now;
    }
  }

  /** What a collection finds, to tell that it's over. */
  private static final class Mark extends PhantomReference<Object> {
    private final CountDownLatch reached = new CountDownLatch(1);

    Mark() {
      super(new Object(), QUEUE);
    }
  }
}
