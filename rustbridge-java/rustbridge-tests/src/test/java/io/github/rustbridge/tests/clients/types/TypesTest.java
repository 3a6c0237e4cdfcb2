package io.github.rustbridge.tests.clients.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.DecodeException;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.EncodeException;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The typed client as {@code rustbridge gen} writes it, to the plugin and back. */
class TypesTest {
  /** How many random values each method gets. */
  private static final long VALUES =
      100L * Integer.parseInt(System.getenv().getOrDefault("RUSTBRIDGE_SOAK", "1"));

  private static final Types TYPES =
      Types.load(Plugins.path("types-plugin"), PluginConfig.defaults().logLevel(LogLevel.OFF));

  @AfterAll
  static void close() {
    TYPES.close();
  }

  /** The methods whose values have come back. */
  private static final List<String> WALKED = new ArrayList<>();

  private static <T> void comesBack(
      String method, Encode<T> encode, Decode<T> decode, UnaryOperator<T> echo) {
    Method json = TYPES.plugin().method(method);
    for (long seed = 0; seed < VALUES; seed++) {
      String which = method + " " + seed;
      byte[] message = TYPES.random(new Random(method, seed));
      T value = read(message, decode);
      WireWriter out = new WireWriter();
      encode.write(out, value);
      assertArrayEquals(message, out.toByteArray(), which);
      same(value, echo.apply(value), which);
      // The same as JSON, called without types, where JSON has a form for it.
      String text = TYPES.asJson(method, message);
      if (text != null) {
        same(value, read(TYPES.asMessage(method, text), decode), which);
        same(value, read(TYPES.asMessage(method, json.call(text)), decode), which);
      }
    }
    WALKED.add(method);
  }

  private static <T> T read(byte[] message, Decode<T> decode) {
    return new WireReader().read(message, message.length, decode);
  }

  private static void same(Object value, Object back, String which) {
    assertTrue(Objects.deepEquals(value, back), () -> which + ": " + back + " instead of " + value);
  }

  @Test
  void random_values_come_back_as_they_were() {
    assertEquals(Plugins.backend(), TYPES.plugin().backend());
    comesBack("every", TypesCodec::writeEvery, TypesCodec::readEvery, TYPES::every);
    comesBack("pairs", TypesCodec::writePairs, TypesCodec::readPairs, TYPES::pairs);
    comesBack(
        "map",
        (out, value) -> TypesCodec.writeMapOfStringToPerson(out, value, "map"),
        TypesCodec::readMapOfStringToPerson,
        TYPES::map);
    comesBack(
        "maybe", TypesCodec::writeOptionOfPerson, TypesCodec::readOptionOfPerson, TYPES::maybe);
    comesBack(
        "tuple",
        (out, value) -> TypesCodec.writeTupleOfU8AndStringAndOptionOfBool(out, value, "tuple"),
        TypesCodec::readTupleOfU8AndStringAndOptionOfBool,
        TYPES::tuple);
    comesBack("any", (out, value) -> out.any(value, "any"), WireReader::any, TYPES::any);
    comesBack("numbers", TypesCodec::writeNumbers, TypesCodec::readNumbers, TYPES::numbers);
    comesBack("texts", TypesCodec::writeTexts, TypesCodec::readTexts, TYPES::texts);
    comesBack("times", TypesCodec::writeTimes, TypesCodec::readTimes, TYPES::times);
    comesBack("lists", TypesCodec::writeLists, TypesCodec::readLists, TYPES::lists);
    comesBack("foreign", TypesCodec::writeForeign, TypesCodec::readForeign, TYPES::foreign);
    comesBack("person", TypesCodec::writePerson, TypesCodec::readPerson, TYPES::person);
    comesBack("people", TypesCodec::writePagePerson, TypesCodec::readPagePerson, TYPES::people);
    comesBack("shape", TypesCodec::writeShape, TypesCodec::readShape, TYPES::shape);
    comesBack("color", TypesCodec::writeColor, TypesCodec::readColor, TYPES::color);
    comesBack("tagged", TypesCodec::writeTagged, TypesCodec::readTagged, TYPES::tagged);
    comesBack("untagged", TypesCodec::writeUntagged, TypesCodec::readUntagged, TYPES::untagged);
    comesBack("expr", TypesCodec::writeExpr, TypesCodec::readExpr, TYPES::expr);
    comesBack("tree", TypesCodec::writeTree, TypesCodec::readTree, TYPES::tree);
    comesBack("samples", TypesCodec::writeSamples, TypesCodec::readSamples, TYPES::samples);
    comesBack("point", TypesCodec::writePoint, TypesCodec::readPoint, TYPES::point);
    comesBack("celsius", TypesCodec::writeCelsius, TypesCodec::readCelsius, TYPES::celsius);
    comesBack("bounded", TypesCodec::writeBounded, TypesCodec::readBounded, TYPES::bounded);
    comesBack("unit", TypesCodec::writeUnit, TypesCodec::readUnit, TYPES::unit);
    comesBack("defaults", TypesCodec::writeDefaults, TypesCodec::readDefaults, TYPES::defaults);
    comesBack(
        "renamed", TypesCodec::writeRenamedRecord, TypesCodec::readRenamedRecord, TYPES::renamed);
    comesBack("mood", TypesCodec::writeMood, TypesCodec::readMood, TYPES::mood);
    comesBack("events", TypesCodec::writeListOfEvent, TypesCodec::readListOfEvent, TYPES::events);
    comesBack("doubles", WireWriter::f64s, WireReader::f64s, TYPES::doubles);
    comesBack(
        "duration",
        (out, value) -> out.duration(value, "duration"),
        WireReader::duration,
        TYPES::duration);
    comesBack("timestamp", WireWriter::timestamp, WireReader::timestamp, TYPES::timestamp);
    // Whatever the plugin gives back has been walked.
    assertEquals(Set.copyOf(TYPES.echoes()), Set.copyOf(WALKED));
  }

  @Test
  void values_are_what_they_are_in_java() {
    Person ada = new Person("Ada 😀", 36, null);
    assertEquals(ada, TYPES.person(ada));
    assertEquals(5, TYPES.length("größe"));
    assertNull(TYPES.maybe(null));
    assertNull(TYPES.oldest(new PagePerson(List.of(), 0)));
    assertArrayEquals(new double[] {0, -1.5}, TYPES.doubles(new double[] {0, -1.5}));
  }

  @Test
  void a_value_that_doesnt_fit_is_refused() {
    assertThrows(EncodeException.class, () -> TYPES.person(new Person("\ud800", 1, null)));
    assertThrows(EncodeException.class, () -> TYPES.person(new Person("A", -1, null)));
    assertThrows(NullPointerException.class, () -> new Person(null, 1, null));
  }

  @Test
  void an_answer_that_is_cut_or_too_long_is_refused() {
    for (String method :
        List.of("every", "lists", "pairs", "shape", "samples", "times", "foreign")) {
      byte[] message = TYPES.random(new Random(method, 1));
      Decode<?> decode = decoder(method);
      for (int length = 0; length < message.length; length++) {
        int cut = length;
        assertThrows(
            DecodeException.class,
            () -> new WireReader().read(message, cut, decode),
            method + " " + cut);
      }
      byte[] longer = Arrays.copyOf(message, message.length + 1);
      assertThrows(
          DecodeException.class, () -> new WireReader().read(longer, longer.length, decode));
    }
  }

  private static Decode<?> decoder(String method) {
    return switch (method) {
      case "every" -> TypesCodec::readEvery;
      case "lists" -> TypesCodec::readLists;
      case "pairs" -> TypesCodec::readPairs;
      case "shape" -> TypesCodec::readShape;
      case "samples" -> TypesCodec::readSamples;
      case "times" -> TypesCodec::readTimes;
      case "foreign" -> TypesCodec::readForeign;
      default -> throw new AssertionError(method);
    };
  }

  private static void refused(Decode<?> decode, int... message) {
    byte[] bytes = new byte[message.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) message[i];
    }
    DecodeException malformed =
        assertThrows(
            DecodeException.class, () -> new WireReader().read(bytes, bytes.length, decode));
    assertTrue(malformed.getMessage().contains("byte "), malformed.getMessage());
  }

  @Test
  void an_answer_that_is_wrong_is_refused() {
    refused(TypesCodec::readColor, 3, 0);
    refused(TypesCodec::readShape, 9, 0);
    // Text that isn't UTF-8, an option that is neither there nor not, a count of more than there
    // is.
    refused(TypesCodec::readPerson, 1, 0, 0, 0, 0xff, 1, 0, 0, 0, 0);
    refused(TypesCodec::readPerson, 0, 0, 0, 0, 1, 0, 0, 0, 2);
    refused(TypesCodec::readPerson, 255, 255, 255, 127, 1, 0, 0, 0, 0);
    refused(TypesCodec::readMapOfStringToPerson, 255, 255, 255, 255);
    // A key twice, padding that isn't zero, a second of a thousand million nanoseconds.
    refused(
        TypesCodec::readMapOfStringToPerson, cat(new int[] {2, 0, 0, 0}, person('a'), person('a')));
    refused(TypesCodec::readShape, cat(new int[] {2, 0, 0, 0, 0, 0, 1, 0}));
    refused(in -> in.timestamp(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xca, 0x9a, 0x3b);
    refused(WireReader::any, 10);
  }

  /** A map's entry: somebody without a name. */
  private static int[] person(char key) {
    return new int[] {1, 0, 0, 0, key, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  }

  private static int[] cat(int[]... parts) {
    return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
  }

  @Test
  void what_is_nested_too_deep_is_neither_written_nor_read() {
    Tree tree = new Tree("leaf", List.of());
    for (int depth = 0; depth < 127; depth++) {
      tree = new Tree("t", List.of(tree));
    }
    assertEquals(tree, TYPES.tree(tree));
    Tree deeper = new Tree("t", List.of(tree));
    assertThrows(EncodeException.class, () -> TYPES.tree(deeper));
  }

  @Test
  void an_async_handler_is_called_and_awaited() {
    List<CompletableFuture<Person>> all =
        IntStream.range(0, 200)
            .mapToObj(age -> TYPES.laterAsync(new Person("x", age, null)))
            .toList();
    for (int age = 0; age < 200; age++) {
      assertEquals(new Person("x", age, null), all.get(age).join());
      assertEquals(new Person("x", age, null), TYPES.later(new Person("x", age, null)));
    }
    CompletionException failed =
        assertThrows(
            CompletionException.class, () -> TYPES.laterAsync(new Person("", 1, null)).join());
    assertEquals(
        Status.INVALID_ARGUMENT, ((PluginException) failed.getCause()).status(), "as it's called");
    assertThrows(EncodeException.class, () -> TYPES.laterAsync(new Person("\ud800", 1, null)));
  }

  @Test
  void a_client_of_another_plugin_is_refused_and_closes_what_it_has_loaded() {
    PluginException refused =
        assertThrows(PluginException.class, () -> Types.load(Plugins.path("hello-plugin")));
    assertEquals(Status.NOT_FOUND, refused.status());
    try (Plugin plugin = Plugin.load(Plugins.path("types-plugin"))) {
      try (Types types = Types.of(plugin)) {
        assertEquals(3, types.length("abc"));
      }
      assertEquals(State.ACTIVE, plugin.state(), "it belongs to the caller");
    }
    Types types = Types.load(Plugins.path("types-plugin"));
    types.close();
    PluginException closed = assertThrows(PluginException.class, () -> types.length("abc"));
    assertEquals(Status.UNAVAILABLE, closed.status());
  }

  @Test
  void errors_of_the_plugin_are_thrown_as_ever() {
    PluginException failed =
        assertThrows(PluginException.class, () -> TYPES.area(new Shape.Nothing()));
    assertEquals(Status.INVALID_ARGUMENT, failed.status());
  }
}
