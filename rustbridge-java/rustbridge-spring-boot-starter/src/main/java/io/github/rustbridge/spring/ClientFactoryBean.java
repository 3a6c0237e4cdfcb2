package io.github.rustbridge.spring;

import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;

/** Creates a client for a plugin that is a bean itself. */
class ClientFactoryBean implements FactoryBean<Object>, InitializingBean {
  private final String prefix;
  private final Class<?> type;
  private final Plugin plugin;
  private Object client;

  ClientFactoryBean(String prefix, Class<?> type, Plugin plugin) {
    this.prefix = prefix;
    this.type = type;
    this.plugin = plugin;
  }

  /**
   * Creates the client when the context starts, so that a plugin that doesn't match the client
   * prevents the start.
   */
  @Override
  public void afterPropertiesSet() {
    try {
      client = Factories.of(type).of(plugin);
    } catch (PluginException refused) {
      throw new IllegalStateException(
          "the plugin `"
              + plugin.name()
              + "` of the property "
              + prefix
              + ".library doesn't match the client "
              + type.getName()
              + ": "
              + refused.getMessage(),
          refused);
    }
  }

  @Override
  public Object getObject() {
    return client;
  }

  @Override
  public Class<?> getObjectType() {
    return type;
  }
}
