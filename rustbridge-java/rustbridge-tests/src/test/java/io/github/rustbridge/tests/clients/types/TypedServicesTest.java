package io.github.rustbridge.tests.clients.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import io.github.rustbridge.TypedClientServices;
import io.github.rustbridge.TypedServices;
import io.github.rustbridge.tests.Plugins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interfaces of the typed client's, which the plugin calls. */
@Timeout(60)
class TypedServicesTest {
  private static final PluginConfig QUIET = PluginConfig.defaults().logLevel(LogLevel.OFF);
  private static final Person ADA = new Person("Ada", 36, null);

  private static Types load(Directory directory, Ages ages) {
    return Types.load(Plugins.path("types-plugin"), QUIET, directory, ages);
  }

  /** Knows one. */
  private static class Ada implements Directory {
    @Override
    public Person find(String request) {
      return request.equals("Ada") ? ADA : null;
    }

    @Override
    public Person fetch(String request) throws IOException {
      if (request.isEmpty()) {
        throw new IOException("the line is dead");
      }
      if (!request.equals("Ada")) {
        throw new PluginException(
            Status.NOT_FOUND, "Nobody", "nobody is " + request, Map.of(), null);
      }
      return ADA;
    }

    @Override
    public long count() {
      return -1;
    }
  }

  private static Map<String, Long> ages(List<Person> people) {
    Map<String, Long> ages = new HashMap<>();
    people.forEach(person -> ages.put(person.name(), person.age()));
    return ages;
  }

  @Test
  void implementations_answer() throws Exception {
    try (Types types = load(new Ada(), TypedServicesTest::ages)) {
      assertEquals(ADA, types.ask("Ada"));
      assertNull(types.ask("Eve"));
      assertEquals(ADA, types.askLater("Ada"));
      assertEquals(ADA, types.askLaterAsync("Ada").get(60, TimeUnit.SECONDS));
      assertEquals(-1, types.askCount());
      assertEquals(Map.of("Ada", 36L), types.askAges(List.of(ADA)));
      assertEquals(Map.of(), types.askAges(List.of()));
    }
  }

  @Test
  void a_client_is_loaded_from_bytes_and_resources_with_its_services() throws Exception {
    byte[] image = Files.readAllBytes(Plugins.path("types-plugin"));
    try (Types types = Types.load(image, QUIET, new Ada(), null)) {
      assertEquals(ADA, types.ask("Ada"));
    }
    Class<?> anchor = TypedServicesTest.class;
    Path classes = Path.of(anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path resource = classes.resolve("typed-plugin-at-the-top");
    try {
      Files.write(resource, image);
      try (Types types =
          Types.loadResource(anchor, "/typed-plugin-at-the-top", QUIET, new Ada(), null)) {
        assertEquals(ADA, types.ask("Ada"));
      }
    } finally {
      Files.deleteIfExists(resource);
    }
    PluginException none =
        assertThrows(
            PluginException.class,
            () -> Types.loadResource(anchor, "/no-such-resource", QUIET, new Ada(), null));
    assertEquals(Status.NOT_FOUND, none.status());
  }

  @Test
  void a_container_makes_a_client_with_what_it_has() {
    TypedClientServices container =
        new TypedClientServices() {
          @Override
          public <S> S find(Class<S> service, boolean required) {
            assertFalse(required, service.getName());
            return service == Directory.class ? service.cast(new Ada()) : null;
          }
        };
    PluginConfig config = Types.FACTORY.serving(QUIET, container);
    try (Plugin plugin = Plugin.load(Plugins.path("types-plugin"), config);
        Types types = Types.FACTORY.of(plugin)) {
      TypesApi api = types;
      assertEquals(ADA, api.ask("Ada"));
    }
  }

  @Test
  void what_is_thrown_becomes_a_status() {
    try (Types types = load(new Ada(), null)) {
      PluginException nobody = assertThrows(PluginException.class, () -> types.askLater("Eve"));
      assertEquals(Status.NOT_FOUND, nobody.status());
      assertEquals("Nobody", nobody.type());
      PluginException dead = assertThrows(PluginException.class, () -> types.askLater(""));
      assertEquals(Status.INTERNAL, dead.status());
      assertEquals("java.io.IOException", dead.type());
      assertTrue(dead.getMessage().contains("the line is dead"), dead.getMessage());
    }
  }

  @Test
  void an_answer_that_does_not_fit_says_where() {
    Directory wrong =
        new Ada() {
          @Override
          public Person find(String request) {
            return new Person("Ada", -1, null);
          }

          @Override
          public Person fetch(String request) {
            return null;
          }
        };
    try (Types types = load(wrong, people -> Map.of("Ada", 1L << 32))) {
      PluginException record = assertThrows(PluginException.class, () -> types.ask("Ada"));
      assertEquals(Status.INTERNAL, record.status());
      String message = record.getMessage();
      assertTrue(message.contains("directory.find: Person.age"), message);
      PluginException missing = assertThrows(PluginException.class, () -> types.askLater("Ada"));
      assertEquals(Status.INTERNAL, missing.status());
      message = missing.getMessage();
      assertTrue(message.contains("directory.fetch: the response contains null"), message);
      PluginException map = assertThrows(PluginException.class, () -> types.askAges(List.of()));
      message = map.getMessage();
      assertTrue(message.contains("ages.of: response"), message);
    }
  }

  @Test
  void what_is_not_given_is_not_there() {
    try (Types types = load(new Ada(), null)) {
      assertEquals(ADA, types.ask("Ada"));
      PluginException absent = assertThrows(PluginException.class, () -> types.askAges(List.of()));
      assertEquals(Status.NOT_FOUND, absent.status());
      assertTrue(absent.getMessage().contains("ages.of"), absent.getMessage());
    }
    try (Types types = Types.load(Plugins.path("types-plugin"), QUIET)) {
      PluginException absent = assertThrows(PluginException.class, () -> types.ask("Ada"));
      assertEquals(Status.NOT_FOUND, absent.status());
    }
  }

  /** Answers when the test does. */
  private static final class Slow extends Ada {
    private final CompletableFuture<String> asked = new CompletableFuture<>();
    private final CompletableFuture<Person> answer = new CompletableFuture<>();

    @Override
    public CompletionStage<Person> fetchAsync(String request) {
      asked.complete(request);
      return answer;
    }
  }

  @Test
  void answers_may_come_later() throws Exception {
    Slow slow = new Slow();
    try (Types types = load(slow, null)) {
      CompletableFuture<Person> asked = types.askLaterAsync("Ada");
      assertEquals("Ada", slow.asked.get(60, TimeUnit.SECONDS));
      slow.answer.complete(ADA);
      assertEquals(ADA, asked.get(60, TimeUnit.SECONDS));
    }
    Slow failing = new Slow();
    try (Types types = load(failing, null)) {
      CompletableFuture<Person> asked = types.askLaterAsync("Ada");
      assertEquals("Ada", failing.asked.get(60, TimeUnit.SECONDS));
      failing.answer.completeExceptionally(new IllegalStateException("later"));
      CompletionException failed = assertThrows(CompletionException.class, asked::join);
      assertEquals("java.lang.IllegalStateException", ((PluginException) failed.getCause()).type());
    }
  }

  @Test
  void an_answer_that_nobody_waits_for_is_cancelled() throws Exception {
    Slow slow = new Slow();
    try (Types types = load(slow, null)) {
      CompletableFuture<Person> asked = types.askLaterAsync("Ada");
      assertEquals("Ada", slow.asked.get(60, TimeUnit.SECONDS));
      asked.cancel(true);
      assertThrows(CancellationException.class, () -> slow.answer.get(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void a_stage_that_is_null_is_told() {
    Directory none =
        new Ada() {
          @Override
          public CompletionStage<Person> findAsync(String request) {
            return null;
          }
        };
    try (Types types = load(none, null)) {
      PluginException told = assertThrows(PluginException.class, () -> types.ask("Ada"));
      assertEquals(Status.INTERNAL, told.status());
      assertTrue(told.getMessage().contains("directory.find"), told.getMessage());
    }
  }

  /** How a client would load that was written from this. */
  private static PluginConfig written(String services) {
    TypedServices all =
        new TypedServices(QUIET, "{\"name\":\"types\",\"services\":[" + services + "]}");
    all.add(
        "directory.count",
        in -> null,
        (out, value) -> out.i64(value),
        none -> CompletableFuture.completedFuture(7L));
    return all.config();
  }

  private static String service(String name, String response) {
    return String.format(
        "{\"name\":\"%s\",\"encoding\":\"wire\",\"response\":{\"type\":\"%s\"}}", name, response);
  }

  @Test
  void services_of_other_types_are_refused_when_the_plugin_is_loaded() {
    PluginConfig differs = written(service("directory.count", "string"));
    PluginException refused =
        assertThrows(
            PluginException.class, () -> Types.load(Plugins.path("types-plugin"), differs));
    assertEquals(Status.FAILED_PRECONDITION, refused.status());
    assertEquals("rustbridge.TypesDiffer", refused.type());
    String message = refused.getMessage();
    assertTrue(message.contains("`directory.count`"), message);
    assertTrue(message.contains("the client has String, and the plugin u64"), message);
    String same = service("directory.count", "u64");
    // Nothing is registered under the other name.
    String other = service("directory.fetch", "string");
    try (Types types = Types.load(Plugins.path("types-plugin"), written(same + "," + other))) {
      assertEquals(7, types.askCount());
    }
  }

  @Test
  void the_services_without_types_answer_the_same_plugin() {
    PluginConfig untyped =
        QUIET.rawService(
            "directory.count",
            Encoding.WIRE,
            (request, call) -> new byte[] {7, 0, 0, 0, 0, 0, 0, 0});
    try (Types types = Types.load(Plugins.path("types-plugin"), untyped)) {
      assertEquals(7, types.askCount());
    }
  }
}
