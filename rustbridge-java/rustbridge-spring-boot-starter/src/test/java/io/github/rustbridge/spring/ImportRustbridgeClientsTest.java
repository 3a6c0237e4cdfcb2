package io.github.rustbridge.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.ContextPropagation;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import io.github.rustbridge.spring.contacts.Contacts;
import io.github.rustbridge.spring.contacts.ContactsApi;
import io.github.rustbridge.spring.contacts.Place;
import io.github.rustbridge.spring.contacts.Registry;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ImportRustbridgeClientsTest {
  private static final String LIBRARY =
      Path.of(System.getenv("RUSTBRIDGE_PLUGIN_DIR")).resolve("contacts_plugin").toString();

  /** An application that knows the interface alone. */
  record Service(ContactsApi contacts, List<String> ends) implements AutoCloseable {
    @Override
    public void close() {
      // The plugin still takes calls, and asks.
      ends.add("service " + contacts.distance("Ada", new Place(0, 0)));
    }
  }

  static class Homes implements Registry, AutoCloseable {
    private final List<String> ends;

    Homes(List<String> ends) {
      this.ends = ends;
    }

    @Override
    public Place home(String name) {
      return name.equals("Ada") ? new Place(3, 4) : null;
    }

    @Override
    public void close() {
      ends.add("homes");
    }
  }

  @Configuration
  @ImportRustbridgeClients(Contacts.class)
  static class Plain {}

  @Configuration
  @ImportRustbridgeClients(Contacts.class)
  static class Application {
    @Bean
    List<String> ends() {
      return new ArrayList<>();
    }

    @Bean
    Service service(ContactsApi contacts, List<String> ends) {
      return new Service(contacts, ends);
    }

    @Bean
    Homes homes(List<String> ends) {
      return new Homes(ends);
    }
  }

  private static ConfigurableApplicationContext run(Class<?> configuration, String... properties) {
    SpringApplication application = new SpringApplication(configuration);
    application.setBannerMode(Banner.Mode.OFF);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setRegisterShutdownHook(false);
    return application.run(properties);
  }

  @Test
  void a_client_is_a_bean_that_asks_beans_and_ends_between_them() {
    Plugin plugin;
    List<String> ends;
    try (ConfigurableApplicationContext context =
        run(
            Application.class,
            "--rustbridge.clients.contacts.library=" + LIBRARY,
            "--rustbridge.clients.contacts.name=people",
            "--rustbridge.clients.contacts.log-level=warn",
            "--rustbridge.clients.contacts.poison-on-panic=true",
            "--rustbridge.clients.contacts.close-timeout=3s")) {
      plugin = context.getBean("contactsPlugin", Plugin.class);
      Contacts contacts = context.getBean("contacts", Contacts.class);
      assertSame(plugin, contacts.plugin());
      assertSame(contacts, context.getBean(ContactsApi.class));
      assertSame(contacts, context.getBean(Service.class).contacts());
      assertEquals("people", plugin.name());
      assertEquals(5.0, contacts.distance("Ada", new Place(0, 0)));
      ends = context.getBean(Application.class).ends();
      assertEquals(List.of(), ends);
    }
    assertEquals(List.of("service 5.0", "homes"), ends);
    PluginException closed =
        assertThrows(PluginException.class, () -> plugin.call("find", "{\"tag\":\"\"}"));
    assertEquals(Status.UNAVAILABLE, closed.status());
  }

  @Test
  void a_library_may_be_a_resource() throws IOException, URISyntaxException {
    Path classes =
        Path.of(Contacts.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path resource = classes.resolve("contacts-as-resource");
    try {
      String name = System.mapLibraryName("contacts_plugin");
      Files.copy(Path.of(LIBRARY).resolveSibling(name), resource);
      try (ConfigurableApplicationContext context =
          run(
              Plain.class,
              "--rustbridge.clients.contacts.library=classpath:contacts-as-resource")) {
        assertEquals(0, context.getBean(Contacts.class).find(query()).size());
      }
    } finally {
      Files.deleteIfExists(resource);
    }
  }

  private static io.github.rustbridge.spring.contacts.Query query() {
    return new io.github.rustbridge.spring.contacts.Query("");
  }

  private static String refused(Class<?> configuration, String... properties) {
    Throwable failed = assertThrows(RuntimeException.class, () -> run(configuration, properties));
    // Spring's own are around it, and what it was caused by inside.
    while (!(failed instanceof IllegalStateException) && failed.getCause() != null) {
      failed = failed.getCause();
    }
    return failed.getMessage();
  }

  @Test
  void a_context_whose_plugin_cannot_be_loaded_does_not_start() {
    assertTrue(
        refused(Plain.class)
            .startsWith("the property rustbridge.clients.contacts.library isn't set"));
    String misspelled = refused(Plain.class, "--rustbridge.clients.contact.library=" + LIBRARY);
    assertTrue(
        misspelled.endsWith("Properties below rustbridge.clients are set for: contact"),
        misspelled);
    String missing = refused(Plain.class, "--rustbridge.clients.contacts.library=/no/such/plugin");
    assertTrue(
        missing.startsWith(
            "the plugin of the property rustbridge.clients.contacts.library, `/no/such/plugin`, can't be loaded: "),
        missing);
    String other = Path.of(LIBRARY).resolveSibling("hello_plugin").toString();
    String wrong = refused(Plain.class, "--rustbridge.clients.contacts.library=" + other);
    assertTrue(
        wrong.startsWith(
            "the plugin `hello` of the property rustbridge.clients.contacts.library doesn't match the client "
                + Contacts.class.getName()
                + ": "),
        wrong);
    String config =
        refused(
            Plain.class,
            "--rustbridge.clients.contacts.library=" + LIBRARY,
            "--rustbridge.clients.contacts.config={\"currency\":");
    assertTrue(
        config.startsWith("the plugin rejected the property rustbridge.clients.contacts.config: "),
        config);
  }

  @Test
  void a_property_that_is_none_and_a_config_of_keys_are_refused() {
    String library = "--rustbridge.clients.contacts.library=" + LIBRARY;
    for (String wrong : List.of("close-timeot=2s", "config.currency=USD")) {
      String message = refused(Plain.class, library, "--rustbridge.clients.contacts." + wrong);
      String key = wrong.substring(0, wrong.indexOf('='));
      assertTrue(
          message.startsWith(
              "unknown properties of the plugin's client `contacts`: rustbridge.clients.contacts."
                  + key
                  + "; the known ones are backtraces, cancel-after, close-timeout, config, library, "
                  + "log-capacity, log-level, name, own-copy, poison-on-panic"),
          message);
    }
  }

  @Configuration
  @ImportRustbridgeClients(Contacts.class)
  static class Propagating {
    static final ThreadLocal<String> USER = new ThreadLocal<>();

    @Bean
    ContextPropagation users() {
      return () -> {
        String user = USER.get();
        return function ->
            () -> {
              USER.set(user);
              try {
                return function.call();
              } finally {
                USER.remove();
              }
            };
      };
    }

    @Bean
    Registry homes() {
      return name -> name.equals(USER.get()) ? new Place(3, 4) : null;
    }
  }

  @Test
  void a_bean_propagates_the_context_of_calls_to_the_beans_that_are_asked() throws Exception {
    try (ConfigurableApplicationContext context =
        run(Propagating.class, "--rustbridge.clients.contacts.library=" + LIBRARY)) {
      Plugin plugin = context.getBean(Plugin.class);
      CallOptions offloaded = CallOptions.defaults().offloaded();
      String request = "{\"name\":\"Ada\",\"from\":{\"x\":0,\"y\":0}}";
      Propagating.USER.set("Ada");
      CompletableFuture<String> known = plugin.method("distance").callAsync(request, offloaded);
      Propagating.USER.remove();
      assertEquals("5.0", known.get(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void what_the_plugin_needs_is_one_bean() {
    try (ConfigurableApplicationContext context =
        run(Plain.class, "--rustbridge.clients.contacts.library=" + LIBRARY)) {
      PluginFactoryBean finder = context.getBean("&contactsPlugin", PluginFactoryBean.class);
      IllegalStateException none =
          assertThrows(IllegalStateException.class, () -> finder.find(Registry.class, true));
      assertTrue(none.getMessage().contains(Registry.class.getName()), none.getMessage());
    }
  }
}
