package io.github.rustbridge.tests.clients.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.tests.Waiting;
import io.github.rustbridge.wire.WireReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The typed client against other versions of its plugin: one that it's resolved for, and one that
 * breaks it.
 */
@Timeout(60)
class TypedVersionsTest {
  private static final PluginConfig QUIET = PluginConfig.defaults().logLevel(LogLevel.OFF);
  private static final Types TYPES = Types.load(Plugins.path("types-plugin-next"), QUIET);

  private static final Person ADA = new Person("Ada", 36, "ada@example.org");
  private static final Person EMMY = new Person("Emmy", 53, null);
  private static final List<Shape> SHAPES =
      List.of(
          new Shape.Circle(2.5),
          new Shape.Polygon(List.of(new Point(0, 1), new Point(2, 3))),
          new Shape.Nothing());

  @AfterAll
  static void close() {
    TYPES.close();
  }

  private static <T> T got(CompletableFuture<T> call) throws Exception {
    return call.get(60, TimeUnit.SECONDS);
  }

  private static <T> List<T> all(Items<T> items) {
    try (items) {
      List<T> all = new ArrayList<>();
      items.forEach(all::add);
      return all;
    }
  }

  /** Adas, each two years older than the one before. */
  private static List<Person> older(int count) {
    return IntStream.range(0, count)
        .mapToObj(time -> new Person("Ada", 36 + 2 * time, "ada@example.org"))
        .toList();
  }

  @Test
  void records_lists_maps_and_enums_come_back_as_they_were() {
    assertEquals(Plugins.backend(), TYPES.plugin().backend());
    assertEquals(ADA, TYPES.person(ADA));
    PagePerson page = new PagePerson(List.of(ADA, EMMY), 1L << 40);
    assertEquals(page, TYPES.people(page));
    assertEquals(EMMY, TYPES.oldest(page));
    assertEquals(Map.of("a", ADA, "e", EMMY), TYPES.map(Map.of("a", ADA, "e", EMMY)));
    assertNull(TYPES.maybe(null));
    assertEquals(Color.DARK_BLUE, TYPES.color(Color.DARK_BLUE));
    SHAPES.forEach(shape -> assertEquals(shape, TYPES.shape(shape)));
    // Plain old data in another order, and what isn't plain old data any more.
    assertEquals(new Point(1, 2), TYPES.point(new Point(1, 2)));
    Sample sample = new Sample(Long.MIN_VALUE, 0.5f, 7, new byte[] {1, 2});
    List<Point> pair = List.of(new Point(1, 2), new Point(3, 4));
    Samples samples = new Samples("some", sample, Collections.nCopies(3, sample), pair);
    assertEquals(samples, TYPES.samples(samples));
    // A type with a name that has none any more, and one that has got one.
    assertEquals(new Celsius(21.5), TYPES.celsius(new Celsius(21.5)));
    assertEquals(5, TYPES.length("Grüße"));
    // A variant that the plugin has added to what it takes is nothing that this client sends.
    List<Point> triangle = List.of(new Point(0, 0), new Point(4, 0), new Point(0, 3));
    assertEquals(6, TYPES.area(new Shape.Polygon(triangle)));
  }

  @Test
  void random_values_of_every_type_come_back_as_they_were() {
    try (Types before = Types.load(Plugins.path("types-plugin"), QUIET)) {
      for (long seed = 0; seed < 20; seed++) {
        byte[] message = before.random(new Random("every", seed));
        Every every = new WireReader().read(message, message.length, TypesCodec::readEvery);
        assertEquals(every, TYPES.every(every));
      }
    }
  }

  @Test
  void parameters_have_other_places_and_others_beside_them() {
    assertEquals("rüß", TYPES.part("Grüße", 1, 3L));
    assertEquals("rüße", TYPES.part("Grüße", 1, null));
    double[] numbers = {1.5, 2.5};
    byte[] data = {1, 2, 3};
    var several = TYPES.several(ADA, List.of("A"), numbers, Color.RED, data, "any");
    assertEquals(new Tuple6<>(ADA, List.of("A"), numbers, Color.RED, data, "any"), several);
    // What was a record and is plain old data, and an answer with more in it.
    var cut = TYPES.cut(new Cut(1, 2), data);
    assertEquals(new Piece(4, 2), cut.item0());
    assertArrayEquals(new byte[] {2, 3, 2, 3}, cut.item1());
    PluginException skipped =
        assertThrows(PluginException.class, () -> TYPES.cut(new Cut(4, 2), data));
    assertEquals(Status.OUT_OF_RANGE, skipped.status());
  }

  @Test
  void open_enums_have_a_variant_for_those_that_are_not_known() {
    assertEquals(Mood.CALM, TYPES.mood(Mood.CALM));
    assertEquals(Mood.UNKNOWN, TYPES.mood(Mood.GLAD));
    List<Event> events =
        List.of(new Event.Came(), new Event.Met(List.of(ADA), Mood.GLAD), new Event.Said("hi"));
    assertEquals(
        List.of(
            new Event.Came(),
            new Event.Met(List.of(ADA), Mood.UNKNOWN),
            new Event.Said("hi"),
            new Event.Unknown()),
        TYPES.events(events));
  }

  @Test
  void async_calls_are_resolved() throws Exception {
    assertEquals(ADA, TYPES.later(ADA));
    for (CompletableFuture<Person> later : older(50).stream().map(TYPES::laterAsync).toList()) {
      assertEquals("Ada", got(later).name());
    }
    assertEquals(new Person("Ada", 40, "ada@example.org"), got(TYPES.agedAsync(ADA, 4)));
    var cut = got(TYPES.cutLaterAsync(new Cut(0, 2), new byte[] {5, 6}));
    assertEquals(new Piece(4, 5), cut.item0());
    ExecutionException nobody =
        assertThrows(
            ExecutionException.class, () -> got(TYPES.searchLaterAsync("Ann", List.of(ADA, EMMY))));
    SearchException search = assertInstanceOf(SearchException.class, nobody.getCause());
    assertEquals(new SearchError.Nobody("Ann", List.of(ADA)), search.error());
  }

  @Test
  void errors_have_the_fields_that_are_known() {
    SearchException nobody =
        assertThrows(SearchException.class, () -> TYPES.search("Ann", List.of(ADA, EMMY)));
    assertEquals(new SearchError.Nobody("Ann", List.of(ADA)), nobody.error());
    assertEquals(Status.NOT_FOUND, nobody.status());
    SearchException hidden = assertThrows(SearchException.class, () -> TYPES.search("", List.of()));
    assertEquals(new SearchError.Hidden(), hidden.error());
    RefusedException refused =
        assertThrows(RefusedException.class, () -> TYPES.paint(Color.RED, Color.GREEN));
    assertEquals(new Refused(Color.RED, Color.GREEN), refused.error());
    // A variant that the plugin has added has no type here.
    PluginException nameless =
        assertThrows(PluginException.class, () -> TYPES.search("?", List.of()));
    assertFalse(nameless instanceof SearchException);
    assertEquals(Status.INVALID_ARGUMENT, nameless.status());
    assertEquals("SearchError.Nameless", nameless.type());
  }

  @Test
  void items_are_resolved_both_ways() throws Exception {
    // How many years there are between two has a default in the plugin.
    List<Person> older = older(1000);
    assertEquals(older, all(TYPES.repeat(new Repeat(ADA, 1000))));
    assertEquals(new PagePerson(older, 1005), got(TYPES.collectAsync(5, older)));
    assertEquals(older.subList(2, 4), got(TYPES.betweenAsync(40, 43, older)));
    List<Shape> shapes = Collections.nCopies(100, SHAPES).stream().flatMap(List::stream).toList();
    assertEquals(shapes, all(TYPES.reshape(shapes)));
  }

  @Test
  void objects_keep_their_places_and_one_that_is_not_known_is_given_back() throws Exception {
    try (Counter one = TYPES.counter(40);
        Counter other = TYPES.counter(2)) {
      assertTrue(one.within(30, 50));
      assertEquals(20, one.half());
      assertEquals(43, got(one.admitAsync(List.of(ADA, ADA, ADA))));
      OddException odd = assertThrows(OddException.class, one::half);
      assertEquals(new Odd(43), odd.error());
      assertEquals(List.of(43L, 44L, 45L), all(one.upto(46)));
      assertEquals(new Tuple2<>(40L, 5L), TYPES.transfer(one, other, 3));
      assertEquals(50, TYPES.total(new Counters(one, List.of(other, other), "some")));
      assertEquals("2", TYPES.plugin().call("alive", "null"));
      Counters counters = TYPES.counters(new long[] {1, 20, 300});
      assertEquals(1, counters.first().get());
      assertEquals(List.of(20L, 300L), counters.others().stream().map(Counter::get).toList());
      // There's a fourth one in the answer, which is given back elsewhere.
      Waiting.until("it is given back", () -> TYPES.plugin().call("alive", "null").equals("5"));
      counters.first().close();
      counters.others().forEach(Counter::close);
      assertEquals("2", TYPES.plugin().call("alive", "null"));
    }
  }

  /** Knows Ada, whom it fetches later. */
  private static final class OnlyAda implements Directory {
    @Override
    public Person find(String request) {
      return request.equals("Ada") ? ADA : null;
    }

    @Override
    public Person fetch(String request) {
      Person found = find(request);
      if (found == null) {
        throw new PluginException(
            Status.NOT_FOUND, "Nobody", "nobody is " + request, Map.of(), null);
      }
      return found;
    }

    @Override
    public CompletableFuture<Person> fetchAsync(String request) {
      return CompletableFuture.supplyAsync(() -> fetch(request));
    }

    @Override
    public long count() {
      return 1;
    }
  }

  private static Map<String, Long> ages(List<Person> people) {
    return people.stream().collect(Collectors.toMap(Person::name, Person::age));
  }

  @Test
  void services_are_asked_and_answer_in_their_own_words() throws Exception {
    Path next = Plugins.path("types-plugin-next");
    try (Types types = Types.load(next, QUIET, new OnlyAda(), TypedVersionsTest::ages)) {
      assertEquals(ADA, types.ask("Ada"));
      assertNull(types.ask("Eve"));
      assertEquals(ADA, types.askLater("Ada"));
      assertEquals(ADA, got(types.askLaterAsync("Ada")));
      PluginException nobody = assertThrows(PluginException.class, () -> types.askLater("Eve"));
      assertEquals("Nobody", nobody.type());
      assertEquals(1, types.askCount());
      assertEquals(Map.of("Ada", 36L, "Emmy", 53L), types.askAges(List.of(ADA, EMMY)));
    }
  }

  @Test
  void what_an_older_plugin_lacks_fails_when_it_is_used() throws Exception {
    try (Types older = Types.load(Plugins.path("types-plugin-older"), QUIET)) {
      assertEquals(EMMY, older.person(EMMY));
      assertEquals(3, got(older.collectAsync(1, List.of(EMMY, EMMY))).total());
      PluginException lacking = assertThrows(PluginException.class, () -> older.person(ADA));
      // An item that can't be sent ends the call, which would wait for more otherwise.
      ExecutionException refused =
          assertThrows(
              ExecutionException.class, () -> got(older.collectAsync(1, List.of(EMMY, ADA))));
      for (Throwable error : new Throwable[] {lacking, refused.getCause()}) {
        PluginException failed = assertInstanceOf(PluginException.class, error);
        assertEquals(Status.UNIMPLEMENTED, failed.status(), failed.getMessage());
        assertEquals("rustbridge.NotInPlugin", failed.type());
        assertTrue(failed.getMessage().contains("email"), failed.getMessage());
      }
      PluginException absent =
          assertThrows(PluginException.class, () -> older.celsius(new Celsius(1)));
      assertEquals(Status.UNIMPLEMENTED, absent.status());
    }
  }

  @Test
  void what_breaks_is_told_when_the_client_is_made() {
    PluginException broken =
        assertThrows(
            PluginException.class, () -> Types.load(Plugins.path("types-plugin-broken"), QUIET));
    assertEquals(Status.FAILED_PRECONDITION, broken.status());
    assertEquals("rustbridge.TypesDiffer", broken.type());
    assertTrue(
        broken.getMessage().contains("the types of `every` are incompatible"), broken.getMessage());
    assertTrue(
        broken
            .getMessage()
            .contains("`request.numbers`: the client has Numbers, and the plugin u32"),
        broken.getMessage());

    PluginException served =
        assertThrows(
            PluginException.class,
            () ->
                Types.load(
                    Plugins.path("types-plugin-broken"), QUIET, null, TypedVersionsTest::ages));
    assertEquals("rustbridge.TypesDiffer", served.type());
    assertTrue(served.getMessage().contains("`ages.of`"), served.getMessage());
    assertTrue(
        served.getMessage().contains("the client has Person, and the plugin String"),
        served.getMessage());
  }
}
