package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.github.rustbridge.JsonCodec;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.Status;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Calls with objects: through Jackson, which is on this class path, or a codec of one's own. */
class TypedCallsTest {
  private static final Plugin HELLO = Plugins.hello();
  private static final Plugin CONFORMANCE = Plugins.conformance();

  record Add(long a, long b) {}

  record Sum(long result) {}

  record Greet(String name) {}

  record Greeting(String greeting) {}

  record NewUser(String username, String email) {}

  record User(
      @JsonProperty("user_id") String userId, @JsonProperty("created_at") String createdAt) {}

  record Point(int x, int y) {}

  record Inner(List<Point> points) {}

  record Middle(String name, Inner inner) {}

  record Outer(long id, Middle middle) {}

  @AfterAll
  static void close() {
    HELLO.close();
    CONFORMANCE.close();
  }

  @Test
  void a_record_goes_in_and_a_record_comes_out() {
    assertEquals(new Sum(42), HELLO.call("math.add", new Add(40, 2), Sum.class));
    assertEquals(
        new Greeting("Hello, größer 🦀! Welcome to rustbridge."),
        HELLO.call("greet", new Greet("größer 🦀"), Greeting.class));
    assertEquals(
        "user-00000001",
        HELLO.call("user.create", new NewUser("ada", "ada@example.org"), User.class).userId());
    Outer outer = new Outer(7, new Middle("m", new Inner(List.of(new Point(1, -2)))));
    assertEquals(outer, CONFORMANCE.call("types.nested", outer, Outer.class));
  }

  @Test
  void a_prepared_method_takes_objects_too() {
    Method add = HELLO.method("math.add");
    assertEquals(new Sum(3), add.call(new Add(1, 2), Sum.class));
    assertEquals(new Sum(3), add.call(Map.of("a", 1, "b", 2), (Type) Sum.class));
  }

  @Test
  void a_generic_type_is_kept() {
    Type points = new TypeReference<List<Point>>() {}.getType();
    assertEquals(
        List.of(new Point(1, 2), new Point(3, 4)),
        CONFORMANCE.call("types.value", List.of(new Point(1, 2), new Point(3, 4)), points));
    assertEquals(
        List.of(new Point(5, 6)),
        CONFORMANCE.method("types.value").call(new Point[] {new Point(5, 6)}, points));
  }

  @Test
  void values_that_are_no_records_are_taken_as_well() {
    assertEquals("größer 🦀", CONFORMANCE.call("types.value", "größer 🦀", String.class));
    assertEquals(5, CONFORMANCE.call("types.value", 5, int.class));
    assertEquals(1.5, CONFORMANCE.call("types.value", 1.5, Double.class));
    assertNull(CONFORMANCE.call("types.value", (Object) null, Object.class));
    assertEquals(
        true,
        CONFORMANCE.call("types.value", Map.of("a", true), JsonNode.class).get("a").booleanValue());
    assertEquals(
        Map.of("a", List.of(1, 2)),
        CONFORMANCE.call("types.value", Map.of("a", List.of(1, 2)), Map.class));
  }

  @Test
  void what_the_codec_can_not_write_or_read_is_an_illegal_argument() {
    Object cycle = new Object[1];
    ((Object[]) cycle)[0] = cycle;
    assertThrows(
        IllegalArgumentException.class, () -> CONFORMANCE.call("types.value", cycle, Object.class));
    assertThrows(
        IllegalArgumentException.class,
        () -> CONFORMANCE.call("types.value", new Object(), Object.class));
    assertThrows(
        IllegalArgumentException.class, () -> CONFORMANCE.call("types.value", "x", Point.class));
  }

  @Test
  void an_unpaired_surrogate_in_an_object_is_refused() {
    RuntimeException refusal =
        assertThrows(
            RuntimeException.class,
            () -> CONFORMANCE.call("types.value", "half \ud800", String.class));
    assertEquals(-1, String.valueOf(refusal.getMessage()).indexOf('?'), refusal::toString);
  }

  @Test
  void a_failure_arrives_as_for_text() {
    fails(Status.OUT_OF_RANGE, () -> HELLO.call("math.add", new Add(Long.MAX_VALUE, 1), Sum.class));
    fails(Status.INVALID_ARGUMENT, () -> HELLO.call("math.add", new Greet("x"), Sum.class));
  }

  /** Speaks of everything as the text {@code "mine"}. */
  static final class Mine implements JsonCodec {
    final AtomicInteger calls = new AtomicInteger();

    @Override
    public byte[] encode(Object value) {
      calls.incrementAndGet();
      return "\"mine\"".getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object decode(byte[] json, Type type) {
      calls.incrementAndGet();
      return new String(json, StandardCharsets.UTF_8) + type.getTypeName();
    }
  }

  @Test
  void a_codec_of_ones_own_is_used_for_its_instance_alone() {
    Mine codec = new Mine();
    try (Plugin mine = Plugins.load("conformance-plugin", Plugins.labelled("codec").codec(codec))) {
      assertEquals(
          "\"mine\"java.lang.String",
          mine.call("types.value", new Point(1, 2), (Type) String.class));
      assertEquals(2, codec.calls.get());
      assertEquals("x", CONFORMANCE.call("types.value", "x", String.class));
      assertEquals(2, codec.calls.get());
    }
  }
}
