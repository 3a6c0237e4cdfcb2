package io.github.rustbridge.calls;

import io.github.rustbridge.calls.ContextCapture.Context;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The contexts of an instance's pending calls, by number. Calls pass the number in their call
 * context, and the core passes it on to services. A number isn't reused.
 */
public final class Contexts {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final ContextCapture propagation;

  /** By number. The supplier returns null for a context whose stream was dropped. */
  private final Map<Long, Supplier<Context>> open = new ConcurrentHashMap<>();

  /**
   * Creates a table for an instance.
   *
   * @param propagation captures the contexts; null if only calls' options do
   */
  public Contexts(ContextCapture propagation) {
    this.propagation = propagation;
  }

  /**
   * Captures the context of a call that starts.
   *
   * @param own the propagation that the call's options have; null for none
   * @return a number, which {@link #end} takes; 0 if there's nothing to propagate
   */
  public long begin(ContextCapture own) {
    Context snapshot = capture(own).snapshot();
    if (snapshot == null) {
      return 0;
    }
    long number = NUMBERS.incrementAndGet();
    open.put(number, () -> snapshot);
    return number;
  }

  /**
   * Captures the context of a call that another thread will start. The result replaces the options'
   * propagation.
   */
  public Early capture(ContextCapture own) {
    if (own instanceof Early early) {
      return early;
    }
    return new Early(both(captured(propagation), captured(own)));
  }

  /** A context that was captured before the call starts, including the instance's propagation. */
  public record Early(Context snapshot) implements ContextCapture {
    @Override
    public Context capture() {
      return snapshot;
    }
  }

  /** Captures both contexts; the second one is inside the first. */
  public static ContextCapture inside(ContextCapture outer, ContextCapture inner) {
    return outer == null ? inner : () -> both(outer.capture(), inner.capture());
  }

  private static Context captured(ContextCapture from) {
    return from == null ? null : from.capture();
  }

  private static Context both(Context outer, Context inner) {
    if (outer == null || inner == null) {
      return outer == null ? inner : outer;
    }
    return function -> outer.wrap(inner.wrap(function));
  }

  /**
   * Returns a context, which the caller alone keeps from now on. So a stream that its own context
   * refers to can be collected.
   *
   * @param number the context's number, or 0
   * @return the context; null for 0, or if its call has ended
   */
  public Context moved(long number) {
    Supplier<Context> kept = number == 0 ? null : open.get(number);
    Context snapshot = kept == null ? null : kept.get();
    if (snapshot != null) {
      WeakReference<Context> weak = new WeakReference<>(snapshot);
      open.replace(number, weak::get);
    }
    return snapshot;
  }

  /** Removes the context of a call that has ended; does nothing for 0. */
  public void end(long number) {
    if (number != 0) {
      open.remove(number);
    }
  }

  /** Runs a service's function in the context with a number; without a context if there is none. */
  public Object run(long number, Callable<Object> function) throws Exception {
    Supplier<Context> kept = number == 0 ? null : open.get(number);
    Context context = kept == null ? null : kept.get();
    return (context == null ? function : context.wrap(function)).call();
  }

  /** Returns the number of contexts. */
  public int size() {
    return open.size();
  }
}
