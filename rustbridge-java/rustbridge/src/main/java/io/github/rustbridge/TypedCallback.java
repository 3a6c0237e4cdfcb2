package io.github.rustbridge;

import java.util.function.Function;

/**
 * A callback of a typed client: a trait of the plugin that the host implements. Clients that {@code
 * rustbridge gen} writes receive its objects by it; {@link TypedClient#preparedCallback} creates
 * it.
 *
 * @param <T> the callback's interface
 */
public final class TypedCallback<T> {
  private final HostObjects objects;
  private final TypedMethod<Void, Long> number;
  private final Function<PluginObject, T> wrap;

  TypedCallback(
      HostObjects objects, TypedMethod<Void, Long> number, Function<PluginObject, T> wrap) {
    this.objects = objects;
    this.number = number;
    this.wrap = wrap;
  }

  /**
   * Converts an object that the plugin has returned.
   *
   * @param object the object; it's released if it stands for an object of the host
   * @return the host's object, or else an object that calls the plugin
   * @throws PluginException if the object's number can't be requested
   */
  @SuppressWarnings("unchecked") // The host has passed it as an implementation of the interface.
  public T received(PluginObject object) {
    long own = number.call(null, object.receiving(CallOptions.defaults()));
    // The plugin keeps the host's object for as long as this object isn't released.
    Object known = own == 0 || objects == null ? null : objects.get(own);
    if (known == null) {
      return wrap.apply(object);
    }
    object.close();
    return (T) known;
  }
}
