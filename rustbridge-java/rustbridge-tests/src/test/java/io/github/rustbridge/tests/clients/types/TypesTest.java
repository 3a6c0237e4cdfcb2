package io.github.rustbridge.tests.clients.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.UnfitException;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The typed client as {@code rustbridge gen} writes it, to the plugin and back. */
class TypesTest {
  private static final Types TYPES =
      Types.load(Plugins.path("types-plugin"), PluginConfig.defaults().logLevel(LogLevel.OFF));

  @AfterAll
  static void close() {
    TYPES.close();
  }

  private static <T> void comesBack(
      String method, Encode<T> encode, Decode<T> decode, UnaryOperator<T> echo) {
    for (long seed = 0; seed < 100; seed++) {
      byte[] message = TYPES.random(new Random(method, seed));
      T value = new WireReader().read(message, message.length, decode);
      WireWriter out = new WireWriter();
      encode.write(out, value);
      assertArrayEquals(message, out.toByteArray(), method + " " + seed);
      assertEquals(value, echo.apply(value), method + " " + seed);
    }
  }

  @Test
  void random_values_come_back_as_they_were() {
    assertEquals(Plugins.backend(), TYPES.plugin().backend());
    comesBack("numbers", TypesCodec::writeNumbers, TypesCodec::readNumbers, TYPES::numbers);
    comesBack("texts", TypesCodec::writeTexts, TypesCodec::readTexts, TYPES::texts);
    comesBack("times", TypesCodec::writeTimes, TypesCodec::readTimes, TYPES::times);
    comesBack("lists", TypesCodec::writeLists, TypesCodec::readLists, TYPES::lists);
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
    assertThrows(UnfitException.class, () -> TYPES.person(new Person("\ud800", 1, null)));
    assertThrows(UnfitException.class, () -> TYPES.person(new Person("A", -1, null)));
    assertThrows(NullPointerException.class, () -> new Person(null, 1, null));
  }
}
