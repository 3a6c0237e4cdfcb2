package io.github.rustbridge.spring;

import io.github.rustbridge.Plugin;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;

/** Makes a client of a plugin that is a bean itself. */
class ClientFactoryBean implements FactoryBean<Object>, InitializingBean {
  private final Class<?> type;
  private final Plugin plugin;
  private Object client;

  ClientFactoryBean(Class<?> type, Plugin plugin) {
    this.type = type;
    this.plugin = plugin;
  }

  /** When the context starts, so that a plugin which isn't the client's stops it. */
  @Override
  public void afterPropertiesSet() {
    client = Factories.of(type).of(plugin);
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
