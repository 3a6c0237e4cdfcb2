package io.github.rustbridge.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.PluginException;
import io.github.rustbridge.spring.contacts.Contacts;
import io.github.rustbridge.spring.contacts.Place;
import io.github.rustbridge.spring.contacts.Registry;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

/** The loggers of an application whose logging framework only its own class loader finds. */
class LoggersTest {
  private static final String LIBRARY =
      Path.of(System.getenv("RUSTBRIDGE_PLUGIN_DIR")).resolve("contacts_plugin").toString();

  private static final Queue<String> RECORDS = new ConcurrentLinkedQueue<>();

  /** A logging framework. */
  public static final class Finder extends System.LoggerFinder {
    /** Creates it; a service loader does. */
    public Finder() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
      return new Recording(name);
    }
  }

  private record Recording(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.compareTo(Level.INFO) >= 0;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      RECORDS.add(level + " " + name + " " + message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      RECORDS.add(level + " " + name + " " + format);
    }
  }

  /** Finds one framework and no other, as that of an executable jar, which the JDK doesn't ask. */
  private static final class Jar extends ClassLoader {
    private static final String SERVICE = "META-INF/services/java.lang.System$LoggerFinder";

    private final URL service;

    private Jar(Path directory) throws IOException {
      super(LoggersTest.class.getClassLoader());
      Path file = Files.writeString(directory.resolve("finder"), Finder.class.getName());
      service = file.toUri().toURL();
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals(SERVICE)
          ? Collections.enumeration(List.of(service))
          : super.getResources(name);
    }
  }

  @Configuration
  @ImportRustbridgeClients(Contacts.class)
  static class Application {
    @Bean
    Registry homes() {
      return name -> {
        throw new IllegalStateException("no one is at home");
      };
    }
  }

  @Test
  void records_go_to_the_framework_that_the_application_has(@TempDir Path directory)
      throws IOException {
    SpringApplication application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setRegisterShutdownHook(false);
    application.setResourceLoader(new DefaultResourceLoader(new Jar(directory)));
    try (ConfigurableApplicationContext context =
        application.run("--rustbridge.clients.contacts.library=" + LIBRARY)) {
      Contacts contacts = context.getBean(Contacts.class);
      assertThrows(PluginException.class, () -> contacts.distance("Ada", new Place(0, 0)));
    }
    assertEquals(
        List.of("ERROR rustbridge.contacts.rustbridge the service `registry.home` failed"),
        List.copyOf(RECORDS));
  }

  @Test
  void the_metadata_for_editors_names_the_class_of_the_properties() throws Exception {
    URL resource =
        ImportRustbridgeClients.class.getResource("/META-INF/spring-configuration-metadata.json");
    String text = Files.readString(Path.of(resource.toURI()));
    Map<String, Object> metadata = JsonParserFactory.getJsonParser().parseMap(text);
    Map<?, ?> clients = (Map<?, ?>) ((List<?>) metadata.get("properties")).get(0);
    assertEquals("rustbridge.clients", clients.get("name"));
    assertEquals(
        "java.util.Map<java.lang.String," + ClientProperties.class.getName() + ">",
        clients.get("type"));
    assertTrue(PluginFactoryBean.prefix("priceList").startsWith(clients.get("name") + "."));
  }
}
