package io.github.rustbridge;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The host's objects that an instance of a plugin refers to, by number: implementations of
 * callbacks. A number isn't reused.
 */
final class HostObjects {
  private final Set<String> callbacks;
  private final Map<Long, Object> objects = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();
  private final Map<String, List<WeakReference<Crossing>>> crossings = new ConcurrentHashMap<>();

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

  /** Adds the methods for a function of a callback. Only the client keeps them. */
  void cross(String function, Crossing crossing) {
    List<WeakReference<Crossing>> all =
        crossings.computeIfAbsent(function, name -> new CopyOnWriteArrayList<>());
    all.removeIf(one -> one.refersTo(null));
    all.add(new WeakReference<>(crossing));
  }

  /** Returns the methods for a function of a callback, of any client. */
  Crossing crossing(String function) {
    for (WeakReference<Crossing> one : crossings.getOrDefault(function, List.of())) {
      Crossing crossing = one.get();
      if (crossing != null) {
        return crossing;
      }
    }
    throw new PluginException(
        Status.FAILED_PRECONDITION,
        "rustbridge.InstanceClosed",
        function + ": the client of this callback no longer exists",
        Map.of(),
        null);
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
