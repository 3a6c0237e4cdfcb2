package io.github.rustbridge;

/**
 * Makes typed clients: for containers, which know the client's class only. Each class that {@code
 * rustbridge gen} writes has one, {@code FACTORY}.
 *
 * @param <C> the client's class
 */
public interface TypedClientFactory<C> {
  /**
   * Makes a client that calls an instance of the plugin, which goes on to belong to the caller.
   *
   * @param plugin the instance
   * @return the client
   * @throws PluginException if it isn't the client's plugin
   */
  C of(Plugin plugin);

  /**
   * Adds what the plugin asks its host for to a configuration.
   *
   * @param config the configuration
   * @param services finds the implementations
   * @return the configuration with them
   */
  PluginConfig serving(PluginConfig config, TypedClientServices services);
}
