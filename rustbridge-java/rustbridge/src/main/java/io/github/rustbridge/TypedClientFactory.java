package io.github.rustbridge;

/**
 * Creates typed clients, for containers that know only the client's class. Each class that {@code
 * rustbridge gen} writes has one in its constant {@code FACTORY}.
 *
 * @param <C> the client's class
 */
public interface TypedClientFactory<C> {
  /**
   * Creates a client that calls an instance of the plugin. The caller keeps the ownership of the
   * instance.
   *
   * @param plugin the instance
   * @return the client
   * @throws PluginException if the plugin doesn't match the client
   */
  C of(Plugin plugin);

  /**
   * Adds implementations of the plugin's services to a configuration.
   *
   * @param config the configuration
   * @param services finds the implementations
   * @return the configuration with the implementations
   */
  PluginConfig serving(PluginConfig config, TypedClientServices services);
}
