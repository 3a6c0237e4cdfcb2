package io.github.rustbridge;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The contexts of an instance's pending calls, by numbers that calls pass in their headers and the
 * core passes on to services. A number isn't used again.
 */
final class Contexts {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final ContextPropagation propagation;
  private final Map<Long, ContextSnapshot> open = new ConcurrentHashMap<>();

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
    open.put(number, snapshot);
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

  /** Removes the context of a call that has ended; does nothing for 0. */
  void end(long number) {
    if (number != 0) {
      open.remove(number);
    }
  }

  /** Runs a service's function in the context with a number; as it is if there's none. */
  Object run(long number, Callable<Object> function) throws Exception {
    ContextSnapshot context = number == 0 ? null : open.get(number);
    return (context == null ? function : context.wrap(function)).call();
  }

  /** How many there are. */
  int size() {
    return open.size();
  }
}
