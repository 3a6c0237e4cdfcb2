package io.github.rustbridge;

import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.Encode;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;

/**
 * A plugin by methods with types: what the classes extend that {@code rustbridge gen} writes.
 *
 * <p>Safe for use from any number of threads at once.
 */
public abstract class TypedClient implements AutoCloseable {
  private final Plugin plugin;
  private final boolean owned;

  /**
   * Creates an exception.
   *
   * @param plugin the instance
   * @param owned whether it's closed with the client
   */
  protected TypedClient(Plugin plugin, boolean owned) {
    this.plugin = Objects.requireNonNull(plugin, "plugin");
    this.owned = owned;
  }

  /**
   * Loads a plugin for a client, and closes it again if that can't be made.
   *
   * @param library the plugin's library
   * @param config the plugin's configuration, and the options of the instance
   * @param client makes the client
   * @param <C> the client's class
   * @return the client
   * @throws PluginException if the plugin can't be loaded, or isn't the client's
   */
  protected static <C> C loaded(Path library, PluginConfig config, Function<Plugin, C> client) {
    return made(Plugin.load(library, config), client);
  }

  /**
   * Loads a plugin for a client from the bytes of its library.
   *
   * @param image the bytes of the library
   * @param config the plugin's configuration, and the options of the instance
   * @param client makes the client
   * @param <C> the client's class
   * @return the client
   * @throws PluginException if the plugin can't be loaded, or isn't the client's
   */
  protected static <C> C loaded(byte[] image, PluginConfig config, Function<Plugin, C> client) {
    return made(Plugin.load(image, config), client);
  }

  /**
   * Loads a plugin for a client from a resource.
   *
   * @param anchor a class of the jar or module that contains the resource
   * @param resource the resource's name, as {@link Class#getResource} accepts it
   * @param config the plugin's configuration, and the options of the instance
   * @param client makes the client
   * @param <C> the client's class
   * @return the client
   * @throws PluginException if the plugin can't be loaded, or isn't the client's
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
   * Resolves a method, and compares both sides' types.
   *
   * @param name the span's name
   * @param fingerprint its fingerprint, 32 hexadecimal digits
   * @param contract what the client was written from
   * @param encode writes requests
   * @param decode reads responses; of a stream, each item
   * @param <Q> the request's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException with {@link Status#FAILED_PRECONDITION} if the plugin's types are
   *     others; {@link Status#NOT_FOUND} if it has no such method
   */
  protected final <Q, A> TypedMethod<Q, A> method(
      String name, String fingerprint, String contract, Encode<Q> encode, Decode<A> decode) {
    return method(name, fingerprint, contract, encode, decode, null);
  }

  /**
   * Resolves a method that has errors of a type of their own.
   *
   * @param name the span's name
   * @param fingerprint its fingerprint, 32 hexadecimal digits
   * @param contract what the client was written from
   * @param encode writes requests
   * @param decode reads responses; of a stream, each item
   * @param raise makes exceptions of its errors
   * @param <Q> the request's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException as the other does
   */
  protected final <Q, A> TypedMethod<Q, A> method(
      String name,
      String fingerprint,
      String contract,
      Encode<Q> encode,
      Decode<A> decode,
      TypedMethod.Raise raise) {
    Method method = plugin.typedMethod(name, fingerprint, contract);
    return new TypedMethod<>(this, method, 0, encode, decode, raise);
  }

  /**
   * Resolves a method of an object's, and compares both sides' types.
   *
   * @param name the span's name
   * @param fingerprint its fingerprint, 32 hexadecimal digits
   * @param contract what the client was written from
   * @param encode writes requests
   * @param decode reads responses; of a stream, each item
   * @param <Q> the request's type
   * @param <A> the response's type
   * @return the method, whose calls lend the object first
   * @throws PluginException as {@link #method} does
   */
  protected final <Q, A> TypedMethod<Q, A> objectMethod(
      String name, String fingerprint, String contract, Encode<Q> encode, Decode<A> decode) {
    return objectMethod(name, fingerprint, contract, encode, decode, null);
  }

  /**
   * Resolves a method of an object's that has errors of a type of their own.
   *
   * @param name the span's name
   * @param fingerprint its fingerprint, 32 hexadecimal digits
   * @param contract what the client was written from
   * @param encode writes requests
   * @param decode reads responses; of a stream, each item
   * @param raise makes exceptions of its errors
   * @param <Q> the request's type
   * @param <A> the response's type
   * @return the method, whose calls lend the object first
   * @throws PluginException as the other does
   */
  protected final <Q, A> TypedMethod<Q, A> objectMethod(
      String name,
      String fingerprint,
      String contract,
      Encode<Q> encode,
      Decode<A> decode,
      TypedMethod.Raise raise) {
    Method method = plugin.typedMethod(name, fingerprint, contract);
    return new TypedMethod<>(this, method, 1, encode, decode, raise);
  }

  /**
   * Resolves a method that is sent items, and compares both sides' types.
   *
   * @param name the span's name
   * @param fingerprint its fingerprint, 32 hexadecimal digits
   * @param contract what the client was written from
   * @param encode writes requests
   * @param encodeItem writes items
   * @param decode reads responses; of a stream, each item
   * @param <Q> the request's type
   * @param <I> an item's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException as {@link #method} does
   */
  protected final <Q, I, A> TypedStreamingCall<Q, I, A> sending(
      String name,
      String fingerprint,
      String contract,
      Encode<Q> encode,
      Encode<I> encodeItem,
      Decode<A> decode) {
    return sending(name, fingerprint, contract, encode, encodeItem, decode, null);
  }

  /**
   * Resolves a method that is sent items, and has errors of a type of their own.
   *
   * @param name the span's name
   * @param fingerprint its fingerprint, 32 hexadecimal digits
   * @param contract what the client was written from
   * @param encode writes requests
   * @param encodeItem writes items
   * @param decode reads responses; of a stream, each item
   * @param raise makes exceptions of its errors
   * @param <Q> the request's type
   * @param <I> an item's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException as the other does
   */
  protected final <Q, I, A> TypedStreamingCall<Q, I, A> sending(
      String name,
      String fingerprint,
      String contract,
      Encode<Q> encode,
      Encode<I> encodeItem,
      Decode<A> decode,
      TypedMethod.Raise raise) {
    return new TypedStreamingCall<>(
        method(name, fingerprint, contract, encode, decode, raise), encodeItem);
  }

  /**
   * Resolves a method of an object's that is sent items, and compares both sides' types.
   *
   * @param name the span's name
   * @param fingerprint its fingerprint, 32 hexadecimal digits
   * @param contract what the client was written from
   * @param encode writes requests
   * @param encodeItem writes items
   * @param decode reads responses; of a stream, each item
   * @param <Q> the request's type
   * @param <I> an item's type
   * @param <A> the response's type
   * @return the method, whose calls lend the object first
   * @throws PluginException as {@link #method} does
   */
  protected final <Q, I, A> TypedStreamingCall<Q, I, A> objectSending(
      String name,
      String fingerprint,
      String contract,
      Encode<Q> encode,
      Encode<I> encodeItem,
      Decode<A> decode) {
    return objectSending(name, fingerprint, contract, encode, encodeItem, decode, null);
  }

  /**
   * Resolves a method of an object's that is sent items, and has errors of a type of their own.
   *
   * @param name the span's name
   * @param fingerprint its fingerprint, 32 hexadecimal digits
   * @param contract what the client was written from
   * @param encode writes requests
   * @param encodeItem writes items
   * @param decode reads responses; of a stream, each item
   * @param raise makes exceptions of its errors
   * @param <Q> the request's type
   * @param <I> an item's type
   * @param <A> the response's type
   * @return the method
   * @throws PluginException as the other does
   */
  protected final <Q, I, A> TypedStreamingCall<Q, I, A> objectSending(
      String name,
      String fingerprint,
      String contract,
      Encode<Q> encode,
      Encode<I> encodeItem,
      Decode<A> decode,
      TypedMethod.Raise raise) {
    return new TypedStreamingCall<>(
        objectMethod(name, fingerprint, contract, encode, decode, raise), encodeItem);
  }

  /**
   * Gives the instance that is called.
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
