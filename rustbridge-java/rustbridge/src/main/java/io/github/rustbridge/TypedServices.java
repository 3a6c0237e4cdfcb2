package io.github.rustbridge;

import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.Encode;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;

/**
 * The typed services that a plugin may call. Clients that {@code rustbridge gen} writes register
 * them when they load a plugin.
 */
public final class TypedServices {
  private final byte[] clientSchema;
  private final ServiceErrors errors;
  private PluginConfig config;

  /**
   * Creates an empty set of services.
   *
   * @param config the configuration to which the services are added
   * @param clientSchema the client schema, which the core compares with the plugin's services
   */
  public TypedServices(PluginConfig config, String clientSchema) {
    this.config = Objects.requireNonNull(config, "config");
    this.clientSchema = clientSchema.getBytes(StandardCharsets.UTF_8);
    errors = new ServiceErrors(clientSchema);
  }

  /**
   * A typed service function.
   *
   * @param <Q> the request's type
   * @param <A> the response's type
   */
  @FunctionalInterface
  public interface Function<Q, A> {
    /**
     * Starts to answer a call.
     *
     * @param request the request
     * @return a stage of the response
     * @throws Exception as in {@link RawService#answer}
     */
    CompletionStage<A> answer(Q request) throws Exception;
  }

  /**
   * Adds a service.
   *
   * @param name the name by which the plugin calls it
   * @param decode reads requests
   * @param encode writes responses
   * @param function the function
   * @param <Q> the request's type
   * @param <A> the response's type
   */
  public <Q, A> void add(String name, Decode<Q> decode, Encode<A> encode, Function<Q, A> function) {
    config =
        config
            .clientSchema(clientSchema)
            .typedService(name, decode, encode, errors, function::answer);
  }

  /**
   * A typed function of a callback.
   *
   * @param <T> the callback's interface
   * @param <Q> the request's type
   * @param <A> the response's type
   */
  @FunctionalInterface
  public interface CallbackFunction<T, Q, A> {
    /**
     * Starts to answer a call.
     *
     * @param object the host's object
     * @param request the request
     * @return a stage of the response
     * @throws Exception as in {@link RawService#answer}
     */
    CompletionStage<A> answer(T object, Q request) throws Exception;
  }

  /**
   * Adds a callback: the plugin releases the host's objects that implement it. Its functions are
   * added by {@link #addFunction}.
   *
   * @param name the callback's name
   */
  public void addCallback(String name) {
    config = config.clientSchema(clientSchema).callback(name);
  }

  /**
   * Adds a function of a callback.
   *
   * @param callback the callback's name
   * @param name the name by which the plugin calls the function
   * @param decode reads requests
   * @param encode writes responses
   * @param number returns the number of the host's object, which is part of the request
   * @param function the function
   * @param <T> the callback's interface
   * @param <Q> the request's type
   * @param <A> the response's type
   */
  public <T, Q, A> void addFunction(
      String callback,
      String name,
      Decode<Q> decode,
      Encode<A> encode,
      ToLongFunction<Q> number,
      CallbackFunction<T, Q, A> function) {
    config =
        config.callbackFunction(callback, name, decode, encode, errors, number, function::answer);
  }

  /**
   * Adds a function of a callback with objects among its arguments or in its result, which cross by
   * methods of the client: see {@link TypedClient#crossing}.
   *
   * @param callback the callback's name
   * @param name the name by which the plugin calls the function
   * @param encode writes the response; null if a method accepts the result
   * @param function the function
   * @param <T> the callback's interface
   * @param <Q> the type of the arguments
   * @param <A> the result's type
   */
  public <T, Q, A> void addCrossing(
      String callback, String name, Encode<A> encode, CallbackFunction<T, Q, A> function) {
    config = config.crossing(callback, name, encode, errors, function::answer);
  }

  /**
   * Returns the configuration with all added services.
   *
   * @return a changed copy
   */
  public PluginConfig config() {
    return config;
  }
}
