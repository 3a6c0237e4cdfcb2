package io.github.rustbridge.calls;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The pending asynchronous calls, by a number that contains an index and a generation. So the
 * native library holds no Java reference, and an event of an abandoned call finds nothing.
 *
 * <p>It uses locks only to grow. Free places are a stack of indexes. A counter next to the stack's
 * top detects a place that was taken and returned in the meantime.
 */
public final class Slots {
  private static final int FIRST = 256;
  private static final VarHandle OCCUPANT;

  static {
    try {
      OCCUPANT = MethodHandles.lookup().findVarHandle(Slot.class, "occupant", AsyncCall.class);
    } catch (NoSuchFieldException | IllegalAccessException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private static final class Slot {
    private volatile AsyncCall occupant;

    /** Written only by the thread that has taken the place. */
    private int generation;

    /** The next index in the stack, plus one; 0 at its end. */
    private volatile int next;
  }

  private volatile Slot[] slots = {};

  /** Counter in the upper half, index of the top plus one in the lower. */
  private final AtomicLong top = new AtomicLong();

  /** Assigns a key to a call, by which {@link #find} finds it from now on. */
  public void put(AsyncCall call) {
    int index = pop();
    while (index < 0) {
      grow();
      index = pop();
    }
    Slot slot = slots[index];
    slot.generation++;
    call.key = (long) slot.generation << 32 | index;
    slot.occupant = call;
  }

  /** Finds the call with a key; null if it has ended or was abandoned. */
  public AsyncCall find(long key) {
    Slot[] all = slots;
    int index = (int) key;
    if (index < 0 || index >= all.length) {
      return null;
    }
    AsyncCall call = all[index].occupant;
    return call != null && call.key == key ? call : null;
  }

  /** Removes a call; only one caller gets true. */
  public boolean take(AsyncCall call) {
    int index = (int) call.key;
    Slot[] all = slots;
    if (index >= all.length) {
      // Neither this call nor another one was ever put here.
      return false;
    }
    Slot slot = all[index];
    if (slot.occupant != call || !OCCUPANT.compareAndSet(slot, call, null)) {
      return false;
    }
    push(slot, index);
    call.endContext();
    return true;
  }

  /** Reports whether no call is pending. It checks all places, so it isn't for every call. */
  public boolean isEmpty() {
    for (Slot slot : slots) {
      if (slot.occupant != null) {
        return false;
      }
    }
    return true;
  }

  /** Passes all pending calls to a function. */
  public void each(Consumer<AsyncCall> look) {
    for (Slot slot : slots) {
      AsyncCall call = slot.occupant;
      if (call != null) {
        look.accept(call);
      }
    }
  }

  private int pop() {
    while (true) {
      long seen = top.get();
      int first = (int) seen;
      if (first == 0) {
        return -1;
      }
      int next = slots[first - 1].next;
      if (top.compareAndSet(seen, counted(seen, next))) {
        return first - 1;
      }
    }
  }

  private void push(Slot slot, int index) {
    while (true) {
      long seen = top.get();
      slot.next = (int) seen;
      if (top.compareAndSet(seen, counted(seen, index + 1))) {
        return;
      }
    }
  }

  private static long counted(long seen, int first) {
    return ((seen >>> 32) + 1) << 32 | first;
  }

  private synchronized void grow() {
    if ((int) top.get() != 0) {
      return;
    }
    Slot[] old = slots;
    int size = Math.max(FIRST, Math.multiplyExact(old.length, 2));
    Slot[] all = new Slot[size];
    System.arraycopy(old, 0, all, 0, old.length);
    for (int index = old.length; index < size; index++) {
      all[index] = new Slot();
    }
    slots = all;
    for (int index = size - 1; index >= old.length; index--) {
      push(all[index], index);
    }
  }
}
