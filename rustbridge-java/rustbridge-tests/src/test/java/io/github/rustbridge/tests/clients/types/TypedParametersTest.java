package io.github.rustbridge.tests.clients.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.wire.EncodeException;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Methods of the typed client that take several parameters. */
@Timeout(60)
class TypedParametersTest {
  private static final Types TYPES =
      Types.load(Plugins.path("types-plugin"), PluginConfig.defaults().logLevel(LogLevel.OFF));

  private static final Person ADA = new Person("Ada", 36, "ada@example.org");

  @AfterAll
  static void close() {
    TYPES.close();
  }

  @Test
  void each_is_an_argument() {
    assertEquals("Pá", TYPES.part("Erdős Pál", 6, 2L));
    assertEquals("Pál", TYPES.part("Erdős Pál", 6, null));
    assertEquals(
        "Pál", TYPES.part("Erdős Pál", 6, null, CallOptions.timeout(Duration.ofSeconds(30))));
    double[] numbers = {0.5, -1};
    byte[] bytes = {0, 1};
    Map<String, Object> any = Map.of("a", List.of(1L));
    var all = TYPES.several(ADA, List.of("A", "ä"), numbers, Color.GREEN, bytes, any);
    assertEquals(ADA, all.item0());
    assertEquals(List.of("A", "ä"), all.item1());
    assertArrayEquals(numbers, all.item2());
    assertEquals(Color.GREEN, all.item3());
    assertArrayEquals(bytes, all.item4());
    assertEquals(any, all.item5());
    assertNull(TYPES.several(ADA, List.of(), new double[0], Color.RED, new byte[0], null).item5());
  }

  @Test
  void bytes_go_beside_other_values() throws Exception {
    byte[] data = {'a', 'b', 'c'};
    byte[] twice = {'b', 'c', 'b', 'c'};
    var answer = TYPES.cut(new Cut(1, 2), data);
    assertEquals(new Piece(4, (int) 'b'), answer.item0());
    assertArrayEquals(twice, answer.item1());
    assertEquals(new Piece(0, null), TYPES.cut(new Cut(0, 0), new byte[0]).item0());
    byte[] large = new byte[5_000_000];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) i;
    }
    byte[] back = TYPES.cut(new Cut(1, 1), large).item1();
    assertArrayEquals(Arrays.copyOfRange(large, 1, large.length), back);
    PluginException past =
        assertThrows(PluginException.class, () -> TYPES.cut(new Cut(4, 1), data));
    assertEquals(Status.OUT_OF_RANGE, past.status());
    answer = TYPES.cutLaterAsync(new Cut(1, 2), data).get(60, TimeUnit.SECONDS);
    assertArrayEquals(twice, answer.item1());
  }

  @Test
  void bytes_and_text_alone_go_as_they_are() throws Exception {
    byte[] data = {0, (byte) 0xff};
    assertEquals("00ff", TYPES.hex(data));
    assertEquals(1, TYPES.nonzero(data));
    assertArrayEquals(data, TYPES.unhex("00ff"));
    assertEquals("", TYPES.hex(new byte[0]));
    assertEquals(0, TYPES.unhex("").length);
    assertArrayEquals(new byte[] {(byte) 0x89, 'P', 'N', 'G'}, TYPES.magic());
    byte[] large = new byte[100_000];
    Arrays.fill(large, (byte) 7);
    assertArrayEquals(large, TYPES.unhex(TYPES.hex(large)));
    assertEquals("00ff", TYPES.hexLaterAsync(data).get(60, TimeUnit.SECONDS));
    PluginException odd = assertThrows(PluginException.class, () -> TYPES.unhex("abc"));
    assertEquals(Status.INVALID_ARGUMENT, odd.status());
    assertThrows(EncodeException.class, () -> TYPES.unhex("\ud800"));
    NullPointerException none = assertThrows(NullPointerException.class, () -> TYPES.hex(null));
    assertEquals("data", none.getMessage());
  }

  @Test
  void what_doesnt_fit_is_named() {
    EncodeException unfit =
        assertThrows(EncodeException.class, () -> TYPES.part("\ud800", 1, null));
    assertTrue(unfit.getMessage().contains("part: text"), unfit.getMessage());
    unfit = assertThrows(EncodeException.class, () -> TYPES.part("x", -1, null));
    assertTrue(unfit.getMessage().contains("part: start"), unfit.getMessage());
    NullPointerException none =
        assertThrows(NullPointerException.class, () -> TYPES.part(null, 1, null));
    assertEquals("text", none.getMessage());
    PluginException old = assertThrows(PluginException.class, () -> TYPES.aged(ADA, 0xffff_ffffL));
    assertEquals(Status.OUT_OF_RANGE, old.status());
    assertEquals("x", TYPES.part("x", 0, null));
  }

  @Test
  void asynchronous_methods_and_streams_take_several() throws Exception {
    assertEquals(38, TYPES.agedAsync(ADA, 2).get(60, TimeUnit.SECONDS).age());
    List<Long> steps = new ArrayList<>();
    try (Items<Long> items = TYPES.steps(1, 10, 4)) {
      items.forEachRemaining(steps::add);
    }
    assertEquals(List.of(1L, 5L, 9L), steps);
    List<Person> people =
        LongStream.range(0, 50).mapToObj(age -> new Person("" + age, age, null)).toList();
    assertEquals(
        people.subList(10, 20), TYPES.betweenAsync(10, 19, people).get(60, TimeUnit.SECONDS));
  }

  @Test
  void nobody_else_sees_the_record() {
    assertFalse(Modifier.isPublic(PartParameters.class.getModifiers()));
  }
}
