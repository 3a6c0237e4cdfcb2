package io.github.rustbridge.tests.clients.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import io.github.rustbridge.tests.Plugins;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exceptions of the typed client: one for each type of error, with the error in it. */
@Timeout(60)
class TypedErrorsTest {
  private static final Types TYPES =
      Types.load(Plugins.path("types-plugin"), PluginConfig.defaults().logLevel(LogLevel.OFF));

  private static final Person ADA = new Person("Ada", 36, null);
  private static final Person ALAN = new Person("Alan", 41, null);
  private static final Person EVE = new Person("Eve", 7, null);

  private static final CallOptions OPTIONS = CallOptions.timeout(Duration.ofSeconds(30));

  @AfterAll
  static void close() {
    TYPES.close();
  }

  @Test
  void an_error_has_its_fields() {
    List<Person> people = List.of(ADA, ALAN, EVE);
    List<SearchException> both =
        List.of(
            assertThrows(SearchException.class, () -> TYPES.search("Ann", people)),
            assertThrows(SearchException.class, () -> TYPES.search("Ann", people, OPTIONS)));
    for (SearchException thrown : both) {
      assertEquals(new SearchError.Nobody("Ann", List.of(ADA, ALAN)), thrown.error());
      assertEquals(Status.NOT_FOUND, thrown.status());
      assertEquals("SearchError.Nobody", thrown.type());
      assertEquals("nobody is called \"Ann\"", thrown.getMessage());
      assertNull(thrown.getCause());
    }
    assertEquals(EVE, TYPES.search("Eve", people));
  }

  @Test
  void variants_and_records_of_every_shape_come() {
    SearchException hidden = assertThrows(SearchException.class, () -> TYPES.search("", List.of()));
    assertEquals(new SearchError.Hidden(), hidden.error());
    SearchException crowd =
        assertThrows(SearchException.class, () -> TYPES.search("Ada", List.of(ADA, EVE, ADA)));
    SearchError.Crowd there = assertInstanceOf(SearchError.Crowd.class, crowd.error());
    assertEquals(new SearchError.Crowd(2, new double[] {36, 7, 36}), there);
    RefusedException refused =
        assertThrows(RefusedException.class, () -> TYPES.paint(Color.RED, Color.GREEN));
    assertEquals(new Refused(Color.RED, Color.GREEN), refused.error());
    PowerException dark = assertThrows(PowerException.class, () -> TYPES.power(false));
    assertEquals(PowerError.OUT, dark.error());
    TYPES.power(true);
  }

  @Test
  void details_are_those_of_calls_without_types() {
    for (String name : List.of("Ann", "", "Ada")) {
      SearchException typed =
          assertThrows(SearchException.class, () -> TYPES.search(name, List.of(ADA, ALAN, ADA)));
      PluginException untyped =
          assertThrows(
              PluginException.class,
              () ->
                  TYPES
                      .plugin()
                      .call(
                          "search",
                          Map.of("name", name, "people", List.of(json(ADA), json(ALAN), json(ADA))),
                          Object.class));
      assertEquals(untyped.details(), typed.details());
      assertEquals(untyped.type(), typed.type());
    }
    RefusedException refused =
        assertThrows(RefusedException.class, () -> TYPES.paint(Color.RED, Color.GREEN));
    assertEquals(Map.of("color", "red", "better", "green"), refused.details());
    OddException odd;
    try (Counter counter = TYPES.counter(7)) {
      odd = assertThrows(OddException.class, counter::half);
    }
    assertEquals(Map.of("count", 7L), odd.details());
    assertThrows(UnsupportedOperationException.class, () -> odd.details().clear());
  }

  private static Map<String, Object> json(Person person) {
    return Map.of("name", person.name(), "age", person.age());
  }

  @Test
  void fakes_throw_what_the_plugin_would() {
    List<Person> people = List.of(ADA, ALAN, EVE);
    PluginException[] real = {
      assertThrows(SearchException.class, () -> TYPES.search("Ann", people)),
      assertThrows(SearchException.class, () -> TYPES.search("", people)),
      assertThrows(RefusedException.class, () -> TYPES.paint(Color.RED, Color.GREEN)),
      assertThrows(PowerException.class, () -> TYPES.power(false)),
    };
    TYPES.power(true);
    PluginException[] made = {
      new SearchException(
          "nobody is called \"Ann\"", new SearchError.Nobody("Ann", List.of(ADA, ALAN))),
      new SearchException("they hide", new SearchError.Hidden()),
      new RefusedException("not in Red", new Refused(Color.RED, Color.GREEN)),
      new PowerException("it's dark", PowerError.OUT),
    };
    for (int each = 0; each < real.length; each++) {
      assertEquals(real[each].toString(), made[each].toString());
      assertEquals(real[each].status(), made[each].status());
      assertEquals(real[each].details(), made[each].details());
    }
    assertEquals(PowerError.OUT, ((PowerException) made[3]).error());
    assertThrows(NullPointerException.class, () -> new PowerException("it's dark", null));
  }

  @Test
  void what_comes_later_and_what_objects_do_fails_the_same_way() throws Exception {
    assertEquals(EVE, TYPES.searchLaterAsync("Eve", List.of(EVE)).get(60, TimeUnit.SECONDS));
    ExecutionException later =
        assertThrows(
            ExecutionException.class,
            () -> TYPES.searchLaterAsync("", List.of()).get(60, TimeUnit.SECONDS));
    SearchException hidden = assertInstanceOf(SearchException.class, later.getCause());
    assertEquals(new SearchError.Hidden(), hidden.error());
    try (Counter counter = TYPES.counter(7)) {
      OddException odd = assertThrows(OddException.class, counter::half);
      assertEquals(new Odd(7), odd.error());
      counter.add(1);
      assertEquals(4, counter.half());
    }
  }

  @Test
  void other_errors_stay_as_they_are() {
    PluginException old = assertThrows(PluginException.class, () -> TYPES.aged(ADA, 0xffff_ffffL));
    assertSame(PluginException.class, old.getClass());
    assertEquals("nobody gets so old", old.getMessage());
    PluginException untyped =
        assertThrows(
            PluginException.class,
            () -> TYPES.plugin().method("power", Encoding.WIRE).callRawBytes(new byte[1]));
    assertSame(PluginException.class, untyped.getClass());
    assertEquals("it's dark", untyped.getMessage());
    assertEquals("PowerError.Out", untyped.type());
    Types closed =
        Types.load(Plugins.path("types-plugin"), PluginConfig.defaults().logLevel(LogLevel.OFF));
    closed.close();
    PluginException gone = assertThrows(PluginException.class, () -> closed.power(false));
    assertEquals(Status.UNAVAILABLE, gone.status());
    assertSame(PluginException.class, gone.getClass());
  }

  @Test
  void what_is_serialized_says_the_same_without_the_error() throws Exception {
    RefusedException red =
        assertThrows(RefusedException.class, () -> TYPES.paint(Color.RED, Color.GREEN));
    RefusedException again = copied(red);
    assertEquals(red.toString(), again.toString());
    assertEquals(red.details(), again.details());
    assertNull(again.error());
  }

  private static RefusedException copied(RefusedException one)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(one);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (RefusedException) in.readObject();
    }
  }

  @Test
  void a_payload_that_is_cut_off_still_says_something() {
    byte[] whole = {1, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 'h', 'i', 1, 0, 0, 0, 'A', 0, 0, 0, 0, 0};
    PluginException read = PluginException.of(5, whole);
    assertEquals("hi", read.getMessage());
    assertEquals("A", read.type());
    for (int length = 1; length < 19; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      PluginException thrown = PluginException.of(5, cut);
      assertEquals(Status.NOT_FOUND, thrown.status());
      assertEquals(new String(cut, StandardCharsets.UTF_8), thrown.getMessage());
    }
    byte[] claiming = whole.clone();
    claiming[11] = (byte) 0xff;
    assertEquals("", PluginException.of(5, claiming).type());
  }
}
