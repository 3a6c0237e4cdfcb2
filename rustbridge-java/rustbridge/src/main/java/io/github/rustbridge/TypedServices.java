package io.github.rustbridge;

import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.Encode;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * The typed services that a plugin may call. Clients that {@code rustbridge gen} writes register
 * them when they load a plugin.
 */
public final class TypedServices {
  private final byte[] clientSchema;
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
    config = config.clientSchema(clientSchema).typedService(name, decode, encode, function::answer);
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
