package io.github.rustbridge;

import io.github.rustbridge.internal.DropCleaner;
import io.github.rustbridge.objects.ObjectHandle;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * An object of the plugin: a value that stays in the plugin. The object's methods are called on it;
 * other methods accept it by {@link CallOptions#withObjects}.
 *
 * <pre>{@code
 * try (PluginObject counter = open.call(7, PluginObject.class)) {
 *   long sum = counter.call("Counter.add", 3, Long.class);
 * }
 * }</pre>
 *
 * <p>Close it when it's no longer needed: the plugin drops it as soon as no call borrows it. If it
 * becomes unreachable without being closed, the garbage collector releases it at some later time,
 * and logs a warning. It ends with its instance. It keeps the instance reachable, and so open.
 *
 * <p>Safe for use from any thread.
 */
public final class PluginObject implements AutoCloseable {
  private final Plugin plugin;
  private final ObjectHandle handle;
  private final Cleaner.Cleanable dropped;

  private PluginObject(Plugin plugin, long number) {
    this.plugin = plugin;
    handle = new ObjectHandle(plugin.natives(), plugin.name(), number);
    dropped = DropCleaner.CLEANER.register(this, handle);
  }

  static List<PluginObject> all(Plugin plugin, long[] numbers) {
    if (numbers.length == 0) {
      return List.of();
    }
    List<PluginObject> objects = new ArrayList<>(numbers.length);
    for (long number : numbers) {
      objects.add(new PluginObject(plugin, number));
    }
    return List.copyOf(objects);
  }

  /** Lets it become unreachable without a warning: a function of the host has received it. */
  void mayBeDropped() {
    handle.mayBeDropped();
  }

  /** Returns its number, for a call. */
  long number() {
    if (handle.isReleased()) {
      throw new IllegalStateException("the object is closed");
    }
    return handle.number();
  }

  /**
   * Returns the instance that the object belongs to.
   *
   * @return the plugin
   */
  public Plugin plugin() {
    return plugin;
  }

  /**
   * Calls one of the object's methods with JSON text.
   *
   * @param method the method's name, e.g. {@code Counter.add}
   * @param json the request
   * @return the response
   * @throws PluginException if the call fails
   * @throws IllegalStateException if the object is closed
   */
  public String call(String method, String json) {
    return plugin.jsonMethod(method).call(json, receiving(CallOptions.defaults()));
  }

  /**
   * Calls one of the object's methods.
   *
   * @param method the method's name, e.g. {@code Counter.add}
   * @param request a value that the codec can write
   * @param type the class of the response
   * @param <R> the response's type
   * @return the response
   * @throws PluginException if the call fails
   * @throws IllegalStateException if the object is closed
   */
  public <R> R call(String method, Object request, Class<R> type) {
    return call(plugin.jsonMethod(method), request, type, CallOptions.defaults());
  }

  /**
   * Calls one of the object's methods.
   *
   * @param method the method
   * @param request a value that the codec can write
   * @param type the class of the response
   * @param options the call options; their objects come after this one
   * @param <R> the response's type
   * @return the response
   * @throws PluginException if the call fails
   * @throws IllegalStateException if the object is closed
   */
  public <R> R call(Method method, Object request, Class<R> type, CallOptions options) {
    try {
      return method.call(request, type, receiving(options));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Calls one of the object's methods with bytes.
   *
   * @param method the method
   * @param request the request
   * @param options the call options
   * @return the response
   * @throws PluginException if the call fails
   * @throws IllegalStateException if the object is closed
   */
  public byte[] callRawBytes(Method method, byte[] request, CallOptions options) {
    return method.callRawBytes(request, receiving(options));
  }

  /**
   * Starts an asynchronous call of one of the object's methods.
   *
   * @param method the method
   * @param request a value that the codec can write
   * @param type the class of the response
   * @param options the call options
   * @param <R> the response's type
   * @return a future of the response
   * @throws IllegalStateException if the object is closed
   */
  public <R> CompletableFuture<R> callAsync(
      Method method, Object request, Class<R> type, CallOptions options) {
    return method.callAsync(request, type, receiving(options));
  }

  /**
   * Calls one of the object's methods, and returns its items for a loop.
   *
   * @param method the method
   * @param request a value that the codec can write
   * @param type the class of an item
   * @param options the call options
   * @param <R> an item's type
   * @return the items; the caller must close them
   * @throws IllegalStateException if the object is closed
   */
  public <R> Items<R> iterate(Method method, Object request, Class<R> type, CallOptions options) {
    return method.iterate(request, type, receiving(options));
  }

  /**
   * Returns a publisher of the items of one of the object's methods.
   *
   * @param method the method
   * @param request a value that the codec can write
   * @param type the class of an item
   * @param options the call options
   * @param <R> an item's type
   * @return a publisher that makes one call for each subscriber
   * @throws IllegalStateException if the object is closed
   */
  public <R> Flow.Publisher<R> publish(
      Method method, Object request, Class<R> type, CallOptions options) {
    return method.publish(request, type, receiving(options));
  }

  CallOptions receiving(CallOptions options) {
    number();
    return Objects.requireNonNull(options, "options").withReceiver(this);
  }

  /**
   * Reports whether the object was closed.
   *
   * @return whether {@link #close()} was called
   */
  public boolean isClosed() {
    return handle.isReleased();
  }

  /** Releases the object. Further calls have no effect. */
  @Override
  public void close() {
    handle.release();
    dropped.clean();
  }

  @Override
  public String toString() {
    return "PluginObject[" + handle.number() + (isClosed() ? ", closed]" : "]");
  }
}
