package io.github.rustbridge;

import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.WireWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The base class of typed clients, which {@code rustbridge gen} writes: a plugin with a typed Java
 * method for each of the plugin's methods.
 *
 * <p>Safe for use from any number of threads at once.
 */
public abstract class TypedClient implements AutoCloseable {
  private final Plugin plugin;
  private final boolean owned;
  private final HostArguments hosts;

  /** Keeps the methods, which the plugin's services don't. */
  private final List<Crossing> crossings = new ArrayList<>();

  /**
   * Creates a client.
   *
   * @param plugin the instance
   * @param owned whether closing the client closes the instance
   */
  protected TypedClient(Plugin plugin, boolean owned) {
    this.plugin = Objects.requireNonNull(plugin, "plugin");
    this.owned = owned;
    hosts = new HostArguments(plugin);
  }

  /**
   * Loads a plugin for a client. If the client can't be created, the plugin is closed.
   *
   * @param library the plugin's library
   * @param config the plugin's configuration, and the options of the instance
   * @param client creates the client
   * @param <C> the client's class
   * @return the client
   * @throws PluginException if the plugin can't be loaded, or its types don't match the client's
   */
  protected static <C> C loaded(Path library, PluginConfig config, Function<Plugin, C> client) {
    return made(Plugin.load(library, config), client);
  }

  /**
   * Loads a plugin for a client from the bytes of its library. If the client can't be created, the
   * plugin is closed.
   *
   * @param image the bytes of the library
   * @param config the plugin's configuration, and the options of the instance
   * @param client creates the client
   * @param <C> the client's class
   * @return the client
   * @throws PluginException if the plugin can't be loaded, or its types don't match the client's
   */
  protected static <C> C loaded(byte[] image, PluginConfig config, Function<Plugin, C> client) {
    return made(Plugin.load(image, config), client);
  }

  /**
   * Loads a plugin for a client from a resource. If the client can't be created, the plugin is
   * closed.
   *
   * @param anchor a class of the jar or module that contains the resource
   * @param resource the resource's name, as {@link Class#getResource} accepts it
   * @param config the plugin's configuration, and the options of the instance
   * @param client creates the client
   * @param <C> the client's class
   * @return the client
   * @throws PluginException if the plugin can't be loaded, or its types don't match the client's
   */
  protected static <C> C loaded(
      Class<?> anchor, String resource, PluginConfig config, Function<Plugin, C> client) {
    return made(Plugin.loadResource(anchor, resource, config), client);
  }

  private static <C> C made(Plugin plugin, Function<Plugin, C> client) {
    try {
      return client.apply(plugin);
    } catch (Throwable refused) {
      try {
        plugin.close();
      } catch (PluginException failed) {
        refused.addSuppressed(failed);
      }
      throw refused;
    }
  }

  /**
   * Resolves a method, and compares the client's types with the plugin's.
   *
   * @param name the method's name
   * @param fingerprint the method's fingerprint, 32 hexadecimal digits
   * @param clientSchema the client schema
   * @param encode writes requests
   * @param decode reads responses, or the items of a stream
   * @param <Q> the request's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException with {@link Status#FAILED_PRECONDITION} if the plugin's types don't
   *     match; with {@link Status#NOT_FOUND} if it has no such method
   */
  protected final <Q, A> TypedMethod<Q, A> method(
      String name, String fingerprint, String clientSchema, Encode<Q> encode, Decode<A> decode) {
    return method(name, fingerprint, clientSchema, encode, decode, null);
  }

  /**
   * Resolves a method with its own error type, and compares the client's types with the plugin's.
   *
   * @param name the method's name
   * @param fingerprint the method's fingerprint, 32 hexadecimal digits
   * @param clientSchema the client schema
   * @param encode writes requests
   * @param decode reads responses, or the items of a stream
   * @param raise creates exceptions from the method's errors
   * @param <Q> the request's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException under the same conditions as the method without {@code raise}
   */
  protected final <Q, A> TypedMethod<Q, A> method(
      String name,
      String fingerprint,
      String clientSchema,
      Encode<Q> encode,
      Decode<A> decode,
      TypedMethod.Raise raise) {
    Method method = plugin.typedMethod(name, fingerprint, clientSchema);
    return new TypedMethod<>(this, hosts, method, 0, encode, decode, raise);
  }

  /**
   * Resolves a method of an object, and compares the client's types with the plugin's.
   *
   * @param name the method's name
   * @param fingerprint the method's fingerprint, 32 hexadecimal digits
   * @param clientSchema the client schema
   * @param encode writes requests
   * @param decode reads responses, or the items of a stream
   * @param <Q> the request's type
   * @param <A> the response's type
   * @return the method, whose calls pass the object as the first borrowed object
   * @throws PluginException under the same conditions as {@link #method}
   */
  protected final <Q, A> TypedMethod<Q, A> objectMethod(
      String name, String fingerprint, String clientSchema, Encode<Q> encode, Decode<A> decode) {
    return objectMethod(name, fingerprint, clientSchema, encode, decode, null);
  }

  /**
   * Resolves a method of an object with its own error type, and compares the client's types with
   * the plugin's.
   *
   * @param name the method's name
   * @param fingerprint the method's fingerprint, 32 hexadecimal digits
   * @param clientSchema the client schema
   * @param encode writes requests
   * @param decode reads responses, or the items of a stream
   * @param raise creates exceptions from the method's errors
   * @param <Q> the request's type
   * @param <A> the response's type
   * @return the method, whose calls pass the object as the first borrowed object
   * @throws PluginException under the same conditions as the method without {@code raise}
   */
  protected final <Q, A> TypedMethod<Q, A> objectMethod(
      String name,
      String fingerprint,
      String clientSchema,
      Encode<Q> encode,
      Decode<A> decode,
      TypedMethod.Raise raise) {
    Method method = plugin.typedMethod(name, fingerprint, clientSchema);
    return new TypedMethod<>(this, hosts, method, 1, encode, decode, raise);
  }

  /**
   * Resolves a method that accepts items, and compares the client's types with the plugin's.
   *
   * @param name the method's name
   * @param fingerprint the method's fingerprint, 32 hexadecimal digits
   * @param clientSchema the client schema
   * @param encode writes requests
   * @param encodeItem writes items
   * @param decode reads responses, or the items of a stream
   * @param <Q> the request's type
   * @param <I> an item's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException under the same conditions as {@link #method}
   */
  protected final <Q, I, A> TypedStreamingCall<Q, I, A> sending(
      String name,
      String fingerprint,
      String clientSchema,
      Encode<Q> encode,
      Encode<I> encodeItem,
      Decode<A> decode) {
    return sending(name, fingerprint, clientSchema, encode, encodeItem, decode, null);
  }

  /**
   * Resolves a method with its own error type that accepts items, and compares the client's types
   * with the plugin's.
   *
   * @param name the method's name
   * @param fingerprint the method's fingerprint, 32 hexadecimal digits
   * @param clientSchema the client schema
   * @param encode writes requests
   * @param encodeItem writes items
   * @param decode reads responses, or the items of a stream
   * @param raise creates exceptions from the method's errors
   * @param <Q> the request's type
   * @param <I> an item's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException under the same conditions as the method without {@code raise}
   */
  protected final <Q, I, A> TypedStreamingCall<Q, I, A> sending(
      String name,
      String fingerprint,
      String clientSchema,
      Encode<Q> encode,
      Encode<I> encodeItem,
      Decode<A> decode,
      TypedMethod.Raise raise) {
    return new TypedStreamingCall<>(
        method(name, fingerprint, clientSchema, encode, decode, raise), encodeItem);
  }

  /**
   * Resolves a method of an object that accepts items, and compares the client's types with the
   * plugin's.
   *
   * @param name the method's name
   * @param fingerprint the method's fingerprint, 32 hexadecimal digits
   * @param clientSchema the client schema
   * @param encode writes requests
   * @param encodeItem writes items
   * @param decode reads responses, or the items of a stream
   * @param <Q> the request's type
   * @param <I> an item's type
   * @param <A> the response's type
   * @return the method, whose calls pass the object as the first borrowed object
   * @throws PluginException under the same conditions as {@link #method}
   */
  protected final <Q, I, A> TypedStreamingCall<Q, I, A> objectSending(
      String name,
      String fingerprint,
      String clientSchema,
      Encode<Q> encode,
      Encode<I> encodeItem,
      Decode<A> decode) {
    return objectSending(name, fingerprint, clientSchema, encode, encodeItem, decode, null);
  }

  /**
   * Resolves a method of an object with its own error type that accepts items, and compares the
   * client's types with the plugin's.
   *
   * @param name the method's name
   * @param fingerprint the method's fingerprint, 32 hexadecimal digits
   * @param clientSchema the client schema
   * @param encode writes requests
   * @param encodeItem writes items
   * @param decode reads responses, or the items of a stream
   * @param raise creates exceptions from the method's errors
   * @param <Q> the request's type
   * @param <I> an item's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException under the same conditions as the method without {@code raise}
   */
  protected final <Q, I, A> TypedStreamingCall<Q, I, A> objectSending(
      String name,
      String fingerprint,
      String clientSchema,
      Encode<Q> encode,
      Encode<I> encodeItem,
      Decode<A> decode,
      TypedMethod.Raise raise) {
    return new TypedStreamingCall<>(
        objectMethod(name, fingerprint, clientSchema, encode, decode, raise), encodeItem);
  }

  /**
   * Prepares a callback whose objects the plugin only accepts.
   *
   * @param name the callback's name
   * @param create the fingerprint of the method that creates objects of the plugin for the host's
   *     objects
   * @param clientSchema the client schema
   * @throws PluginException under the same conditions as {@link #method}
   */
  protected final void preparedCallback(String name, String create, String clientSchema) {
    hosts.add(name, plugin.typedMethod(name + ":new", create, clientSchema));
  }

  /**
   * Prepares a callback whose objects the plugin accepts and returns.
   *
   * @param name the callback's name
   * @param create the fingerprint of the method that creates objects of the plugin for the host's
   *     objects
   * @param number the fingerprint of the method that returns the number of an object
   * @param clientSchema the client schema
   * @param wrap creates an implementation that calls an object of the plugin
   * @param <T> the callback's interface
   * @return the callback
   * @throws PluginException under the same conditions as {@link #method}
   */
  protected final <T> TypedCallback<T> preparedCallback(
      String name,
      String create,
      String number,
      String clientSchema,
      Function<PluginObject, T> wrap) {
    preparedCallback(name, create, clientSchema);
    TypedMethod<Void, Long> numbers =
        objectMethod(name + ":number", number, clientSchema, (out, none) -> {}, in -> in.i64());
    return new TypedCallback<>(plugin.hostObjects(), numbers, wrap);
  }

  /**
   * Prepares the methods by which the arguments and the result of a callback's function cross.
   *
   * @param function the function's name in the plugin
   * @param clientSchema the client schema
   * @param arguments the fingerprint of the method that returns the arguments; null without one
   * @param decode reads the arguments
   * @param result the fingerprint of the method that accepts the result; null without one
   * @param encode writes the result
   * @param <A> the type of the arguments
   * @param <R> the type of the result
   * @throws PluginException under the same conditions as {@link #method}
   */
  protected final <A, R> void crossing(
      String function,
      String clientSchema,
      String arguments,
      Decode<A> decode,
      String result,
      Encode<R> encode) {
    TypedMethod<Long, A> given =
        arguments == null
            ? null
            : this.<Long, A>method(
                    function + ":arguments",
                    arguments,
                    clientSchema,
                    (out, call) -> out.i64(call),
                    decode)
                .returningArguments();
    TypedMethod<Returned, Void> returned =
        result == null
            ? null
            : method(
                function + ":return",
                result,
                clientSchema,
                (out, of) -> writeReturned(out, function, of, encode),
                in -> null);
    Crossing crossing = new TypedCrossing(given, returned);
    crossings.add(crossing);
    if (plugin.hostObjects() != null) {
      plugin.hostObjects().cross(function, crossing);
    }
  }

  /** The result of a call. */
  private record Returned(long call, Object value) {}

  private record TypedCrossing(TypedMethod<Long, ?> given, TypedMethod<Returned, Void> returned)
      implements Crossing {
    @Override
    public Object arguments(long call) {
      return given == null ? null : given.call(call, CallOptions.defaults());
    }

    @Override
    public boolean returns() {
      return returned != null;
    }

    @Override
    public void result(long call, Object value) {
      returned.call(new Returned(call, value), CallOptions.defaults());
    }
  }

  @SuppressWarnings("unchecked") // The function has this result.
  private static <R> void writeReturned(
      WireWriter out, String function, Returned returned, Encode<R> encode) {
    out.i64(returned.call());
    ServiceDeclaration.encoded(out, function, (R) returned.value(), encode);
  }

  /**
   * Returns the instance that the client calls.
   *
   * @return the plugin
   */
  public final Plugin plugin() {
    return plugin;
  }

  /** Closes the plugin, if the client has loaded it. */
  @Override
  public final void close() {
    if (owned) {
      plugin.close();
    }
  }
}
