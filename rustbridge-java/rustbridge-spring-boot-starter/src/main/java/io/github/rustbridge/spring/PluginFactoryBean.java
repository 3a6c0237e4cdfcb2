package io.github.rustbridge.spring;

import io.github.rustbridge.ContextPropagation;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.TypedClientServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.ResourceLoaderAware;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/** Loads a client's plugin when the context starts, and closes it when the context is closed. */
class PluginFactoryBean
    implements FactoryBean<Plugin>,
        InitializingBean,
        DisposableBean,
        BeanNameAware,
        BeanFactoryAware,
        EnvironmentAware,
        ResourceLoaderAware,
        TypedClientServices {
  private static final String CLIENTS = "rustbridge.clients";
  private static final String CLASSPATH = ResourceLoader.CLASSPATH_URL_PREFIX;

  private final String client;
  private final Class<?> type;
  private String name;
  private ConfigurableListableBeanFactory beans;
  private Environment environment;
  private ResourceLoader resources;
  private ClientProperties properties;
  private Plugin plugin;

  /** Finds the loggers of the application's logging framework; null for the JDK's choice. */
  private System.LoggerFinder loggers;

  PluginFactoryBean(String client, Class<?> type) {
    this.client = client;
    this.type = type;
  }

  @Override
  public void setBeanName(String name) {
    this.name = name;
  }

  @Override
  public void setBeanFactory(BeanFactory beans) {
    this.beans = (ConfigurableListableBeanFactory) beans;
  }

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void setResourceLoader(ResourceLoader resources) {
    this.resources = resources;
  }

  @Override
  public void afterPropertiesSet() {
    String prefix = prefix(client);
    properties = bound(prefix);
    String library = properties.getLibrary();
    if (library == null || library.isBlank()) {
      throw new IllegalStateException(
          "the property "
              + prefix
              + ".library isn't set: it names the plugin's library, a file or a resource such as classpath:plugins/libpricing.so. "
              + others());
    }
    // An executable jar has the logging framework inside, where the JDK doesn't find it.
    loggers =
        ServiceLoader.load(System.LoggerFinder.class, resources.getClassLoader())
            .findFirst()
            .orElse(null);
    PluginConfig config = properties.toConfig();
    config =
        Factories.of(type).serving(loggers == null ? config : config.loggers(this::logger), this);
    ContextPropagation contexts = beans.getBeanProvider(ContextPropagation.class).getIfUnique();
    if (contexts != null) {
      config = config.contextPropagation(contexts);
    }
    try {
      plugin =
          library.startsWith(CLASSPATH)
              ? Plugin.load(image(prefix, library), config)
              : Plugin.load(Path.of(library), config);
    } catch (PluginException | InvalidPathException failed) {
      throw new IllegalStateException(refusal(prefix, failed), failed);
    }
  }

  /** Reads the properties. An unknown key, or a map in place of the config's text, is an error. */
  private ClientProperties bound(String prefix) {
    try {
      return Binder.get(environment)
          .bindOrCreate(
              prefix,
              Bindable.of(ClientProperties.class),
              new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
    } catch (BindException failed) {
      if (!(failed.getCause() instanceof UnboundConfigurationPropertiesException unbound)) {
        throw failed;
      }
      String unknown =
          unbound.getUnboundProperties().stream()
              .map(property -> property.getName().toString())
              .collect(Collectors.joining(", "));
      throw new IllegalStateException(
          "unknown properties of the plugin's client `"
              + client
              + "`: "
              + unknown
              + "; the known ones are "
              + known()
              + ", and config is one JSON text",
          failed);
    }
  }

  private static String known() {
    return Stream.of(ClientProperties.class.getMethods())
        .map(Method::getName)
        .filter(method -> method.startsWith("set"))
        .map(method -> kebab(method.substring("set".length())))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** Names the clients that have properties, in case that one is misspelled. */
  private String others() {
    Set<String> found =
        Binder.get(environment)
            .bind(CLIENTS, Bindable.mapOf(String.class, Object.class))
            .map(Map::keySet)
            .orElse(Set.of());
    return found.isEmpty()
        ? "No properties below " + CLIENTS + " are set"
        : "Properties below " + CLIENTS + " are set for: " + String.join(", ", found);
  }

  private String refusal(String prefix, RuntimeException failed) {
    boolean isConfig =
        failed instanceof PluginException plugins
            && plugins.type().equals("rustbridge.InvalidConfig");
    return isConfig
        ? "the plugin rejected the property " + prefix + ".config: " + failed.getMessage()
        : "the plugin of the property "
            + prefix
            + ".library, `"
            + properties.getLibrary()
            + "`, can't be loaded: "
            + failed.getMessage();
  }

  private System.Logger logger(String name) {
    return loggers == null
        ? System.getLogger(name)
        : loggers.getLogger(name, PluginFactoryBean.class.getModule());
  }

  private byte[] image(String prefix, String library) {
    try {
      return resources.getResource(library).getContentAsByteArray();
    } catch (IOException failed) {
      throw new UncheckedIOException(
          "the library of the property " + prefix + ".library, `" + library + "`, can't be read",
          failed);
    }
  }

  /**
   * Finds a bean that serves the plugin's calls. The bean is destroyed after the plugin is closed.
   */
  @Override
  public <S> S find(Class<S> service, boolean required) {
    if (!required && beans.getBeanNamesForType(service).length == 0) {
      return null;
    }
    try {
      NamedBeanHolder<S> found = beans.resolveNamedBean(service);
      beans.registerDependentBean(found.getBeanName(), name);
      return found.getBeanInstance();
    } catch (NoSuchBeanDefinitionException none) {
      // None, or several without a primary one, which its own message tells apart.
      throw new IllegalStateException(
          "the plugin of "
              + type.getName()
              + " requires the service "
              + service.getName()
              + " from its host: define one bean that implements it",
          none);
    }
  }

  @Override
  public Plugin getObject() {
    return plugin;
  }

  @Override
  public Class<?> getObjectType() {
    return Plugin.class;
  }

  @Override
  public void destroy() {
    if (plugin == null) {
      return;
    }
    try {
      plugin.close(properties.getCloseTimeout(), properties.cancelsAfter());
    } catch (PluginException late) {
      logger("rustbridge")
          .log(
              System.Logger.Level.ERROR,
              "the plugin of the bean " + client + " isn't closed",
              late);
    }
  }

  /** Returns what the names of a client's properties begin with. */
  static String prefix(String client) {
    return CLIENTS + "." + kebab(client);
  }

  /** As properties are written: {@code price-list} for {@code priceList}. */
  private static String kebab(String name) {
    StringBuilder kebab = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char letter = name.charAt(i);
      boolean begins = i > 0 && Character.isUpperCase(letter);
      kebab.append(begins && !Character.isUpperCase(name.charAt(i - 1)) ? "-" : "");
      kebab.append(Character.toLowerCase(letter));
    }
    return kebab.toString();
  }
}
