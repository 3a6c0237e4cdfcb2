package io.github.rustbridge;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The host's objects that an instance of a plugin refers to, by number: implementations of
 * callbacks. A number isn't reused.
 */
final class HostObjects {
  private final Set<String> callbacks;
  private final Map<Long, Object> objects = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();

  /**
   * Creates an empty table.
   *
   * @param callbacks the names of the callbacks whose services are registered
   */
  HostObjects(Set<String> callbacks) {
    this.callbacks = callbacks;
  }

  /** Reports whether the plugin can call and release objects of a callback. */
  boolean serves(String callback) {
    return callbacks.contains(callback);
  }

  /** Adds an object under a new number, which {@link #remove} takes. */
  long add(Object object) {
    long number = last.incrementAndGet();
    objects.put(number, object);
    return number;
  }

  /** Returns the object with a number; null if there is none. */
  Object get(long number) {
    return objects.get(number);
  }

  /** Removes the object with a number, if there is one. */
  void remove(long number) {
    objects.remove(number);
  }

  /** Removes all objects, after the instance was closed. */
  void clear() {
    objects.clear();
  }

  /** Returns the number of objects. */
  int size() {
    return objects.size();
  }
}
