package io.github.rustbridge.tests.clients.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Cancellation;
import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.PluginObject;
import io.github.rustbridge.Status;
import io.github.rustbridge.TypedClient;
import io.github.rustbridge.TypedMethod;
import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.tests.Waiting;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.DecodeException;
import io.github.rustbridge.wire.WireReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects of the typed client: their methods, and messages that have them inside. */
@Timeout(60)
class TypedObjectsTest {
  private static final Types TYPES =
      Types.load(Plugins.path("types-plugin"), PluginConfig.defaults().logLevel(LogLevel.OFF));

  private static final Person ADA = new Person("Ada", 36, null);

  @AfterAll
  static void close() {
    TYPES.close();
  }

  private static <T> T got(CompletableFuture<T> call) throws Exception {
    return call.get(60, TimeUnit.SECONDS);
  }

  @Test
  void an_object_has_methods_of_its_own() throws Exception {
    try (Counter counter = TYPES.counter(40)) {
      assertEquals(42, counter.add(2));
      assertEquals(42, counter.get());
      assertEquals(45, got(counter.addLaterAsync(3)));
      List<Long> numbers = new ArrayList<>();
      try (Items<Long> items = counter.upto(48)) {
        items.forEachRemaining(numbers::add);
      }
      assertEquals(List.of(45L, 46L, 47L), numbers);
      assertEquals(47, got(counter.admitAsync(List.of(ADA, ADA))));
      assertEquals(TYPES.plugin(), counter.untyped().plugin());
      assertTrue(counter.toString().startsWith("Counter[PluginObject["), counter.toString());
      PluginException large =
          assertThrows(PluginException.class, () -> counter.add(Long.MAX_VALUE));
      assertEquals(Status.OUT_OF_RANGE, large.status());
      assertEquals(47, counter.add(0, CallOptions.timeout(Duration.ofSeconds(30))));
      CallOptions over = CallOptions.timeout(Duration.ZERO);
      PluginException late = assertThrows(PluginException.class, () -> counter.add(1, over));
      assertEquals(Status.DEADLINE_EXCEEDED, late.status());
      Cancellation cancelled = new Cancellation();
      cancelled.cancel();
      assertThrows(
          CancellationException.class,
          () -> counter.addLater(1, CallOptions.defaults().withCancellation(cancelled)));
    }
  }

  @Test
  void one_that_is_closed_is_refused_before_anything_is_sent() {
    Counter closed = TYPES.counter(1);
    assertFalse(closed.isClosed());
    closed.close();
    closed.close();
    assertTrue(closed.isClosed());
    assertThrows(IllegalStateException.class, closed::get);
    assertThrows(IllegalStateException.class, () -> closed.addLaterAsync(1));
    assertThrows(IllegalStateException.class, () -> closed.upto(3));
    assertThrows(IllegalStateException.class, () -> closed.admitAsync(List.of(ADA)));
    try (Counter open = TYPES.counter(5)) {
      IllegalStateException refused =
          assertThrows(
              IllegalStateException.class,
              () -> TYPES.total(new Counters(null, List.of(open, closed), "")));
      assertEquals("total: object 1 of the request is closed", refused.getMessage());
      assertEquals(5, TYPES.total(new Counters(open, List.of(), "")));
    }
  }

  @Test
  void objects_are_lent_alone_and_in_messages() {
    try (Counter one = TYPES.counter(1);
        Counter other = TYPES.counter(20);
        Counter third = TYPES.counter(300)) {
      assertEquals(21, one.absorb(other));
      assertEquals(42, one.absorb(one));
      Counters some = new Counters(one, List.of(other, third), "some");
      assertEquals(362, TYPES.total(some));
      assertEquals(362, TYPES.total(some, CallOptions.timeout(Duration.ofSeconds(30))));
      assertEquals(60, TYPES.total(new Counters(other, List.of(other, other), "")));
      assertEquals(0, TYPES.total(new Counters(null, List.of(), "")));
      assertEquals(new Tuple2<>(40L, 22L), TYPES.transfer(one, other, 2));
      assertTrue(one.within(40, 40));
    }
  }

  @Test
  void none_and_those_of_another_instance_are_refused() {
    try (Counter own = TYPES.counter(1);
        Types another = Types.load(Plugins.path("types-plugin"));
        Counter foreign = another.counter(2)) {
      PluginException refused =
          assertThrows(
              PluginException.class, () -> TYPES.total(new Counters(own, List.of(foreign), "")));
      assertEquals(Status.INVALID_ARGUMENT, refused.status());
      assertThrows(PluginException.class, () -> own.absorb(foreign));
      assertThrows(NullPointerException.class, () -> own.absorb(null));
      assertThrows(NullPointerException.class, () -> TYPES.transfer(own, null, 1));
      assertThrows(
          NullPointerException.class, () -> new Counters(null, Arrays.asList(own, null), ""));
      assertEquals(2, foreign.get());
    }
  }

  @Test
  void objects_come_in_messages() throws Exception {
    Counters counters = TYPES.counters(new long[] {1, 20, 300});
    assertEquals(List.of(20L, 300L), counters.others().stream().map(Counter::get).toList());
    assertEquals(321, TYPES.total(counters));
    assertEquals(1, counters.first().get());
    counters.first().close();
    counters.others().forEach(Counter::close);
    assertNull(TYPES.counters(new long[0]).first());
  }

  /** A client that reads what `counters` answers in its own way. */
  private static final class Other extends TypedClient {
    private final TypedMethod<long[], List<Object>> counters;

    Other(Plugin plugin, Decode<List<Object>> decode) {
      super(plugin, false);
      counters =
          method(
              "counters",
              "0c9a8d1e116aa5d0e6d14e357b9752e9",
              plugin.describeJson(),
              (out, value) -> out.i64s(value),
              decode);
    }
  }

  /** Takes the last of three counters alone. */
  private static List<Object> last(WireReader in) {
    in.bool();
    in.i32();
    in.count(4);
    in.i32();
    Object last = in.object();
    in.string();
    return List.of(last);
  }

  private static void assertAlive(String name, int count) {
    Waiting.until(
        count + " objects are alive",
        () -> {
          String all = Plugin.inspect();
          int objects = all.indexOf("\"objects\":", all.indexOf("\"" + name + "\""));
          return all.startsWith("\"objects\":" + count + ",", objects);
        });
  }

  @Test
  void what_nobody_gets_is_released() {
    String name = "counted in java";
    PluginConfig config = PluginConfig.defaults().named(name).logLevel(LogLevel.OFF);
    try (Plugin plugin = Plugin.load(Plugins.path("types-plugin"), config)) {
      long[] three = {1, 2, 3};
      List<Object> taken =
          new Other(plugin, TypedObjectsTest::last).counters.call(three, CallOptions.defaults());
      assertAlive(name, 1);
      ((PluginObject) taken.get(0)).close();
      assertAlive(name, 0);

      // Reads less than there is.
      Other broken =
          new Other(
              plugin,
              in -> {
                in.bool();
                return List.of(in.object());
              });
      PluginException refused =
          assertThrows(
              PluginException.class, () -> broken.counters.call(three, CallOptions.defaults()));
      assertEquals(Status.INTERNAL, refused.status());
      assertTrue(
          refused.getMessage().contains("bytes are left after the value"), refused.getMessage());
      assertThrows(PluginException.class, () -> broken.counters.call(three));
      assertAlive(name, 0);
    }
  }

  @Test
  void an_object_is_read_by_its_position_and_once() {
    WireReader in = new WireReader();
    for (var wrong :
        List.of(
            List.of(new int[] {1, 2}, "object 2 is missing: 2 objects accompany the message"),
            List.of(new int[] {2, 0, 0}, "object 0 occurs twice in the message"))) {
      ByteBuffer message = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
      for (int number : (int[]) wrong.get(0)) {
        message.putInt(number);
      }
      byte[] bytes = Arrays.copyOf(message.array(), message.position());
      DecodeException malformed =
          assertThrows(
              DecodeException.class,
              () ->
                  in.read(
                      bytes,
                      TYPES,
                      new Object[] {"a", "b"},
                      one -> {
                        List<Object> all = new ArrayList<>();
                        for (int left = one.count(4); left > 0; left--) {
                          all.add(one.object());
                        }
                        return all;
                      }));
      assertTrue(malformed.getMessage().contains((String) wrong.get(1)), malformed.getMessage());
    }
  }
}
