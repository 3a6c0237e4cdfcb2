package io.github.rustbridge;

import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.Encode;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * The functions with types that a plugin may call: what clients that {@code rustbridge gen} writes
 * register when they load one.
 */
public final class TypedServices {
  private final byte[] contract;
  private PluginConfig config;

  /**
   * Begins with none.
   *
   * @param config how the plugin is loaded
   * @param contract what the client was written from, to be compared with what the plugin calls
   */
  public TypedServices(PluginConfig config, String contract) {
    this.config = Objects.requireNonNull(config, "config");
    this.contract = contract.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * A function with types.
   *
   * @param <Q> the request's type
   * @param <A> the answer's type
   */
  @FunctionalInterface
  public interface Function<Q, A> {
    /**
     * Begins to answer a call.
     *
     * @param request the request
     * @return a future of the response
     * @throws Exception as in {@link RawService#answer}
     */
    CompletionStage<A> answer(Q request) throws Exception;
  }

  /**
   * Adds a function.
   *
   * @param name the name by which the plugin calls it
   * @param decode reads requests
   * @param encode writes answers
   * @param function the function
   * @param <Q> the request's type
   * @param <A> the answer's type
   */
  public <Q, A> void add(String name, Decode<Q> decode, Encode<A> encode, Function<Q, A> function) {
    config = config.contract(contract).typedService(name, decode, encode, function);
  }

  /**
   * Gives how the plugin is loaded with all of them.
   *
   * @return a changed copy
   */
  public PluginConfig config() {
    return config;
  }
}
