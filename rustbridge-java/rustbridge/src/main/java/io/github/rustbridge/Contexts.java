package io.github.rustbridge;

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
final class Contexts {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final ContextPropagation propagation;

  /** By number; null for a context whose stream was dropped. */
  private final Map<Long, Supplier<ContextSnapshot>> open = new ConcurrentHashMap<>();

  /**
   * Makes a table for an instance.
   *
   * @param propagation captures the contexts; null if only calls' options do
   */
  Contexts(ContextPropagation propagation) {
    this.propagation = propagation;
  }

  /**
   * Captures the context of a call that begins.
   *
   * @param own the propagation that the call's options have; null for none
   * @return a number, which {@link #end} takes; 0 if there's nothing to propagate
   */
  long begin(ContextPropagation own) {
    ContextSnapshot snapshot = capture(own).snapshot();
    if (snapshot == null) {
      return 0;
    }
    long number = NUMBERS.incrementAndGet();
    open.put(number, () -> snapshot);
    return number;
  }

  /**
   * Captures the context of a call that another thread will begin, with the result in place of the
   * options' propagation.
   */
  Early capture(ContextPropagation own) {
    if (own instanceof Early early) {
      return early;
    }
    return new Early(both(captured(propagation), captured(own)));
  }

  /** Captured before the call begins, also what the instance's propagation does. */
  record Early(ContextSnapshot snapshot) implements ContextPropagation {
    @Override
    public ContextSnapshot capture() {
      return snapshot;
    }
  }

  /** Captures both contexts; the second one is inside the first. */
  static ContextPropagation inside(ContextPropagation outer, ContextPropagation inner) {
    return outer == null ? inner : () -> both(outer.capture(), inner.capture());
  }

  private static ContextSnapshot captured(ContextPropagation from) {
    return from == null ? null : from.capture();
  }

  private static ContextSnapshot both(ContextSnapshot outer, ContextSnapshot inner) {
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
  ContextSnapshot moved(long number) {
    Supplier<ContextSnapshot> kept = number == 0 ? null : open.get(number);
    ContextSnapshot snapshot = kept == null ? null : kept.get();
    if (snapshot != null) {
      WeakReference<ContextSnapshot> weak = new WeakReference<>(snapshot);
      open.replace(number, weak::get);
    }
    return snapshot;
  }

  /** Removes the context of a call that has ended; does nothing for 0. */
  void end(long number) {
    if (number != 0) {
      open.remove(number);
    }
  }

  /** Runs a service's function in the context with a number; as it is if there's none. */
  Object run(long number, Callable<Object> function) throws Exception {
    Supplier<ContextSnapshot> kept = number == 0 ? null : open.get(number);
    ContextSnapshot context = kept == null ? null : kept.get();
    return (context == null ? function : context.wrap(function)).call();
  }

  /** How many there are. */
  int size() {
    return open.size();
  }
}
