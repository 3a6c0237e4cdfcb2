package io.github.rustbridge.spi;

import io.github.rustbridge.RawResponse;
import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.interop.CallTarget;
import java.lang.StackWalker.StackFrame;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks a response that the plugin still owns. If the response becomes unreachable without being
 * closed, the garbage collector releases it, and a warning with the place of its creation is
 * logged.
 *
 * <p>A backend's {@link RawResponse} has an instance of a subclass that implements the release. The
 * subclass must not refer to anything from which the response can be reached:
 *
 * <pre>{@code
 * final class OutcomeLease extends Lease {
 *   private final long outcome;
 *
 *   OutcomeLease(RawResponse response, CallTarget target, long length, long outcome) {
 *     super(response, target, length);
 *     this.outcome = outcome;
 *   }
 *
 *   protected void release() {
 *     // rb_call_result_release(outcome)
 *   }
 * }
 *
 * // In the constructor of the response, as its last act:
 * lease = new OutcomeLease(this, method, length, outcome);
 * lease.open();
 * }</pre>
 *
 * <p>Every method of the response that accesses the memory ends with {@code
 * Reference.reachabilityFence(this)} in a {@code finally} block. Otherwise the JVM may find the
 * response unreachable, and release it, while the last read is still running.
 *
 * <p>Finding the place where a response was created costs more than everything else, so by default
 * it's done for one response in 1,024. With {@code -Drustbridge.leases=trace}, and if assertions
 * are enabled for this class, it's done for all of them.
 */
public abstract class Lease extends PhantomReference<RawResponse> {
  /** The system property that, with the value {@code trace}, records the place of every lease. */
  public static final String PROPERTY = "rustbridge.leases";

  // How it's done. A phantom reference is told of only while it's reachable itself, so all open
  // leases have to be held by something that lives for good, and that must cost next to nothing.
  // It's an array of slots: opening swaps the lease into a free one, closing swaps it out, and who
  // swaps it out is the one who releases. So the only two atomic operations are also what makes a
  // double close harmless. Each thread begins its search in a row of its own, which is one cache
  // line. A row that is full, of a thread with many open leases, leads to a linked list with a
  // lock.
  //
  // Nothing is cleared on closing: a closed lease is held by nothing but its response, goes with
  // it, and so the collector never tells of it.

  /** Slots in a row. */
  private static final int ROW = 16;

  /** Longs in a cache line. */
  private static final int LONGS = 8;

  /** Rows: a power of two, as many as four for each core. */
  private static final int ROWS =
      Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 8 - 1);

  /**
   * The open leases; static since it's about the process's memory, whatever instance a lease is of.
   */
  private static final Object[] OPEN = new Object[ROWS * ROW];

  /**
   * Its arguments have to be of type Object to the compiler, else it converts them at each call.
   */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  /** The open leases that found their row full: a list for each row, its lock. */
  private static final Overflow[] OVERFLOWS = new Overflow[ROWS];

  /** Counts the leases of each row, for the sample. Lost updates only change which are in it. */
  private static final int[] COUNTS = new int[ROWS * ROW];

  /**
   * The bytes of each row's open leases, each on a cache line of its own. The collector sees of a
   * response no more than a small object, so somebody else has to know what hangs on it.
   */
  private static final long[] BYTES = new long[ROWS * LONGS];

  /** Counted are leases from this size on: what's smaller the objects of Java's outweigh. */
  private static final int COUNTED = 512;

  /** When a row's bytes have grown past a multiple of this, all rows are looked at. */
  private static final int WEIGHED = 1 << 20;

  private static final VarHandle BYTE_COUNT = MethodHandles.arrayElementVarHandle(long[].class);

  /** One in so many leases is asked where it was opened. */
  private static final int SAMPLE = 1024;

  private static final boolean TRACE =
      "trace".equals(System.getProperty(PROPERTY)) || assertionsEnabled();

  private static final VarHandle CLOSED;

  private static final StackWalker WALKER = StackWalker.getInstance();

  private static final String OWN_PACKAGE = "io.github.rustbridge.";

  static {
    try {
      CLOSED = MethodHandles.lookup().findVarHandle(Lease.class, "closed", boolean.class);
    } catch (NoSuchFieldException | IllegalAccessException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
    for (int i = 0; i < ROWS; i++) {
      OVERFLOWS[i] = new Overflow();
    }
  }

  private final String instance;
  private final String method;
  private final long bytes;

  /** Where a lease is held that isn't tracked. */
  private static final int NOWHERE = Integer.MIN_VALUE;

  /** Where it's held: an index of OPEN, or the complement of one of OVERFLOWS, or NOWHERE. */
  private int slot = NOWHERE;

  /** Whether its bytes are among those of its row. */
  private boolean counted;

  @SuppressWarnings("UnusedVariable") // CLOSED reads and writes it.
  private boolean closed;

  /** Its neighbours in the list of an overflow, guarded by that. */
  private Lease next;

  private Lease previous;

  /** Where it was opened: a Throwable if traced, a StackFrame if in the sample, else null. */
  private Object place;

  /** The list of one row's leases that found it full. */
  private static final class Overflow {
    private Lease first;

    synchronized void add(Lease lease) {
      lease.next = first;
      if (first != null) {
        first.previous = lease;
      }
      first = lease;
    }

    synchronized boolean isEmpty() {
      return first == null;
    }

    synchronized boolean remove(Lease lease) {
      if (lease.previous != null) {
        lease.previous.next = lease.next;
      } else if (first == lease) {
        first = lease.next;
      } else {
        return false;
      }
      if (lease.next != null) {
        lease.next.previous = lease.previous;
      }
      lease.next = null;
      lease.previous = null;
      return true;
    }
  }

  /** Says where a lease was opened, as the cause that a warning comes with. */
  private static final class Opened extends Throwable {
    private static final long serialVersionUID = 1L;

    Opened() {
      super("it was opened here");
    }
  }

  /**
   * Creates a lease that isn't tracked yet.
   *
   * @param response the object whose reachability is tracked
   * @param target the method that returned the response
   * @param bytes the size of the plugin's memory that the lease keeps, in bytes
   */
  protected Lease(RawResponse response, CallTarget target, long bytes) {
    super(response, DroppedLeases.QUEUE);
    // Not the target, which keeps the plugin reachable, so that it would never be found dropped.
    this.instance = target.instance().name();
    this.method = target.name();
    this.bytes = bytes;
  }

  /**
   * A reference to an object that reads a response's memory and can't be notified of the release,
   * such as a JNI backend's direct buffer. The thread that finds dropped leases finds these objects
   * as well.
   */
  public abstract static class View extends PhantomReference<Object> {
    /** Those whose object is reachable. Static as the leases are. */
    private static final Set<View> VIEWS = ConcurrentHashMap.newKeySet();

    /**
     * Creates a view that isn't held yet.
     *
     * @param object the object that reads the memory
     */
    protected View(Object object) {
      super(object, DroppedLeases.QUEUE);
    }

    /**
     * Keeps this view, and the objects that it refers to, until the tracked object is unreachable.
     * A lease must be open during that time.
     */
    public final void hold() {
      VIEWS.add(this);
    }

    /** Called once, when the tracked object and everything derived from it are unreachable. */
    protected abstract void gone();

    final void drop() {
      if (VIEWS.remove(this)) {
        gone();
      }
    }
  }

  private static boolean assertionsEnabled() {
    boolean enabled = false;
    assert enabled = true;
    return enabled;
  }

  /**
   * Returns the memory to the plugin. Called once, by the first thread that closes the lease, or by
   * the thread that finds the response dropped.
   */
  protected abstract void release();

  /**
   * Starts to track the response. It may be called once at most. A lease of a response that needs
   * no release doesn't need it.
   *
   * <p>If it throws, because memory or stack is exhausted, the lease isn't open, and the caller has
   * to release the response.
   */
  public final void open() {
    int row = (int) Thread.currentThread().getId() & ROWS - 1;
    hold(row);
    try {
      // Only now, as the thread that looks for dropped leases ends when it finds none open.
      DroppedLeases.watch();
      count(row);
    } catch (Throwable noStack) {
      // It's held, so the caller mustn't take it for refused: it would be released twice.
    }
  }

  private void count(int row) {
    if (bytes >= COUNTED) {
      long before = (long) BYTE_COUNT.getAndAdd(BYTES, row * LONGS, bytes);
      counted = true;
      if (before / WEIGHED != (before + bytes) / WEIGHED) {
        DroppedLeases.weigh(openBytes());
      }
    }
  }

  private void hold(int row) {
    int first = row * ROW;
    boolean sampled = (++COUNTS[first] & SAMPLE - 1) == 0;
    if (TRACE) {
      place = new Opened();
    } else if (sampled) {
      place = caller();
    }
    for (int i = first; i < first + ROW; i++) {
      if (SLOT.getOpaque(OPEN, i) == null) {
        slot = i;
        if (SLOT.compareAndSet(OPEN, i, (Object) null, (Object) this)) {
          return;
        }
      }
    }
    slot = ~row;
    OVERFLOWS[row].add(this);
  }

  /**
   * Reports whether the memory was returned, or is being returned. It's one plain read.
   *
   * @return whether it's closed
   */
  public final boolean isClosed() {
    return (boolean) CLOSED.getOpaque(this);
  }

  /**
   * Releases the response, if this is the first call.
   *
   * @return whether this call released it
   */
  public final boolean close() {
    int held = slot;
    boolean first;
    if (held >= 0) {
      first = SLOT.compareAndSet(OPEN, held, (Object) this, (Object) null);
    } else if (held != NOWHERE) {
      first = OVERFLOWS[~held].remove(this);
    } else {
      first = CLOSED.compareAndSet(this, false, true);
    }
    if (first) {
      // Before the memory goes, so that whoever asks from now on is refused.
      CLOSED.setOpaque(this, true);
      if (counted) {
        int row = held >= 0 ? held / ROW : ~held;
        BYTE_COUNT.getAndAdd(BYTES, row * LONGS, -bytes);
        DroppedLeases.closed(bytes);
      }
      release();
    }
    return first;
  }

  /** Whether any lease is open that was opened before. */
  static boolean anyOpen() {
    for (int i = 0; i < OPEN.length; i++) {
      if (SLOT.getVolatile(OPEN, i) != null) {
        return true;
      }
    }
    for (Overflow overflow : OVERFLOWS) {
      if (!overflow.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** How many leases were opened so far, roughly: it stands still while none is. */
  static int opened() {
    int sum = 0;
    for (int row = 0; row < ROWS; row++) {
      sum += COUNTS[row * ROW];
    }
    return sum;
  }

  /** How much memory the open leases keep, without the small ones. */
  static long openBytes() {
    long sum = 0;
    for (int row = 0; row < ROWS; row++) {
      sum += (long) BYTE_COUNT.getOpaque(BYTES, row * LONGS);
    }
    return sum;
  }

  /** Releases what was found dropped, with a warning. */
  final void drop() {
    // It's closed already if it was closed while the collector was looking.
    if (close()) {
      warn();
    }
  }

  private static StackFrame caller() {
    return WALKER.walk(frames ->
        frames
            .filter(frame -> !frame.getClassName().startsWith(OWN_PACKAGE))
            .findFirst()
            .orElse(null));
  }

  private void warn() {
    String what =
        "a RawResponse of method `"
            + method
            + "` of plugin instance `"
            + instance
            + "` was dropped without close(); it was opened ";
    if (place instanceof Throwable trace) {
      complain(what + "at the place of the stack trace", trace);
    } else if (place instanceof StackFrame frame) {
      complain(what + "at " + frame, null);
    } else {
      complain(what + "somewhere: -D" + PROPERTY + "=trace adds the place", null);
    }
  }

  static void complain(String what, Throwable thrown) {
    try {
      Loggers.of("rustbridge").log(System.Logger.Level.WARNING, what, thrown);
    } catch (Throwable loggingIsBroken) {
      // There is nobody left to tell.
    }
  }
}
