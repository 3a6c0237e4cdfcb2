package io.github.rustbridge.interop;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/**
 * Scratch memory that calls borrow: one for each platform thread, and a small pool for virtual
 * threads, so that a million of them don't need a million.
 *
 * <p>A nested call, for example from a logger, gets another scratch, which isn't kept. If a scratch
 * isn't returned, for example because the stack overflowed, it isn't kept either, and the thread
 * gets a new one. The memory of a scratch that becomes unreachable is left to the garbage
 * collector. So {@code make} has to allocate memory that the collector frees, such as memory of an
 * automatic arena or a direct buffer.
 *
 * <pre>{@code
 * Buffers buffers = SCRATCHES.take();
 * try {
 *   // call
 * } finally {
 *   SCRATCHES.give(buffers);
 * }
 * }</pre>
 *
 * @param <T> the type of the scratch
 */
public final class Scratches<T extends Scratches.Scratch> {
  /** Memory that one call at a time may use. */
  public abstract static class Scratch {
    /** Whether it is a platform thread's own. Set before anyone else sees it. */
    private boolean owned;

    /**
     * Whether a virtual thread made it, so that it may go to the pool. Set before anyone else sees
     * it.
     */
    private boolean pooled;

    /** Whether a call uses it. Only the platform thread that owns it looks. */
    private boolean taken;

    /** Whether the thread has got another one, as this was taken. Only that thread looks. */
    private boolean replaced;

    /** Creates scratch memory. For backends only. */
    protected Scratch() {}
  }

  /**
   * {@code Thread.isVirtual}, without naming a method that JDK 17 doesn't have; there it's a
   * constant.
   */
  private static final MethodHandle IS_VIRTUAL = isVirtual();

  /**
   * Its arguments have to be of type Object to the compiler, else it converts them at each call.
   */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  /**
   * Slots of the pool lie this many references apart: 64 bytes at least, so that threads on
   * different cores don't pull cache lines from each other.
   */
  private static final int STRIDE = 16;

  /**
   * How many slots there are: a power of two, as many as twice the virtual threads that can run at
   * once.
   */
  private static final int SLOTS =
      Integer.highestOneBit(Math.max(4, Runtime.getRuntime().availableProcessors() * 4 - 1));

  /**
   * Weakly, since a thread may outlive the class loader of these classes, as a container's does: it
   * would keep the loader by what it's got of it. What holds a scratch is the map below.
   */
  @SuppressWarnings("ThreadLocalUsage") // There are few sets, each held by a static.
  private final ThreadLocal<WeakReference<T>> own = new ThreadLocal<>();

  /**
   * Whose scratch it is. Asked when a scratch is made or replaced, never on the way of a call. What
   * a thread that has ended leaves here goes when another one makes its own.
   */
  private final Map<Thread, T> owners = Collections.synchronizedMap(new WeakHashMap<>());

  private final Supplier<T> make;

  /**
   * Free scratches; a slot holds one or null. Whoever swaps one out owns it until it's swapped in
   * again.
   */
  private final Object[] pool = new Object[(SLOTS + 1) * STRIDE];

  /**
   * Creates a set of scratches.
   *
   * @param make creates a scratch
   */
  public Scratches(Supplier<T> make) {
    this.make = make;
  }

  private T makeOwn(Thread thread) {
    T scratch = make.get();
    ((Scratch) scratch).owned = true;
    keep(thread, scratch);
    return scratch;
  }

  private void keep(Thread thread, T scratch) {
    owners.put(thread, scratch);
    own.set(new WeakReference<>(scratch));
  }

  private static MethodHandle isVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException | IllegalAccessException old) {
      return MethodHandles.dropArguments(
          MethodHandles.constant(boolean.class, false), 0, Thread.class);
    }
  }

  private static boolean isVirtual(Thread thread) {
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /**
   * Borrows a scratch. Return it in a {@code finally} block, on the same thread.
   *
   * @return a scratch that no other call uses
   */
  public T take() {
    Thread thread = Thread.currentThread();
    if (isVirtual(thread)) {
      return takePooled(thread);
    }
    WeakReference<T> kept = own.get();
    T scratch = kept == null ? null : kept.get();
    if (scratch == null) {
      scratch = makeOwn(thread);
    } else if (((Scratch) scratch).taken) {
      // Only this thread uses it, so it's this thread that is in a call already; or that was, and
      // had no stack left for giving it back. Then what replaces it is the thread's from now on.
      ((Scratch) scratch).replaced = true;
      scratch = makeOwn(thread);
    }
    ((Scratch) scratch).taken = true;
    return scratch;
  }

  /**
   * Returns a borrowed scratch.
   *
   * @param scratch the scratch that {@link #take} returned
   */
  public void give(T scratch) {
    Scratch plain = scratch;
    if (plain.owned) {
      plain.taken = false;
      if (plain.replaced) {
        plain.replaced = false;
        keep(Thread.currentThread(), scratch);
      }
    } else if (plain.pooled) {
      givePooled(scratch);
    }
  }

  @SuppressWarnings("unchecked")
  private T takePooled(Thread thread) {
    int first = slot(thread);
    for (int i = 0; i < SLOTS; i++) {
      int slot = index(first + i);
      // Looking first leaves the cache line with its owner if there's nothing to take.
      if (SLOT.getOpaque(pool, slot) != null) {
        // Acquires what the giver released, so its writes to the scratch are seen.
        T scratch = (T) SLOT.getAndSetAcquire(pool, slot, (Object) null);
        if (scratch != null) {
          return scratch;
        }
      }
    }
    T scratch = make.get();
    ((Scratch) scratch).pooled = true;
    return scratch;
  }

  private void givePooled(T scratch) {
    int first = slot(Thread.currentThread());
    for (int i = 0; i < SLOTS; i++) {
      int slot = index(first + i);
      if (SLOT.getOpaque(pool, slot) == null
          && SLOT.weakCompareAndSetRelease(pool, slot, (Object) null, (Object) scratch)) {
        return;
      }
    }
    // All are full, so there are more than enough: this one is left to the garbage collector.
  }

  private static int slot(Thread thread) {
    // Virtual threads that run at the same time are made one after the other, mostly, so their
    // numbers spread well.
    return (int) thread.getId();
  }

  private static int index(int slot) {
    return (slot & SLOTS - 1) * STRIDE + STRIDE;
  }
}
