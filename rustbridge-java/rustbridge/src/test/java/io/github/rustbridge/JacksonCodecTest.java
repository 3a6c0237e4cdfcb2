package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.node.DoubleNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JacksonCodecTest {
  record Add(long a, long b) {}

  /** A class with a cycle in it. */
  static final class Loop {
    public Loop getSelf() {
      return this;
    }
  }

  private final JacksonCodec codec = new JacksonCodec();

  private Object decode(String json, java.lang.reflect.Type type) {
    return codec.decode(json.getBytes(StandardCharsets.UTF_8), type);
  }

  @Test
  void records_go_there_and_back() {
    byte[] json = codec.encode(new Add(1, -2));
    assertEquals("{\"a\":1,\"b\":-2}", new String(json, StandardCharsets.UTF_8));
    assertEquals(new Add(1, -2), codec.decode(json, Add.class));
    assertEquals("null", new String(codec.encode(null), StandardCharsets.UTF_8));
  }

  @Test
  void generic_types_are_read() {
    var type = new TypeReference<Map<String, List<Add>>>() {}.getType();
    assertEquals(Map.of("x", List.of(new Add(1, 2))), decode("{\"x\":[{\"a\":1,\"b\":2}]}", type));
  }

  @Test
  void members_that_the_class_does_not_know_are_ignored() {
    assertEquals(new Add(1, 2), decode("{\"a\":1,\"b\":2,\"since\":\"0.2\"}", Add.class));
  }

  @Test
  void text_that_is_not_ascii_arrives() {
    String text = "\u00e9\u4e16\ud83d\ude00";
    assertEquals(text, codec.decode(codec.encode(text), String.class));
    assertEquals(text, decode("\"" + text + "\"", String.class));
  }

  @Test
  void what_cannot_be_written_is_named() {
    for (Object value : List.of(new Loop(), new Object())) {
      var error = assertThrows(IllegalArgumentException.class, () -> codec.encode(value));
      assertTrue(
          error.getMessage().startsWith("a " + value.getClass().getTypeName() + " can't be"),
          error.getMessage());
    }
  }

  @Test
  void what_cannot_be_read_is_named() {
    for (String json : new String[] {"", "{", "[1]", "{\"a\":\"x\"}", "{\"a\":1} 2"}) {
      var error = assertThrows(IllegalArgumentException.class, () -> decode(json, Add.class));
      assertTrue(
          error.getMessage().startsWith("the response can't be read as " + Add.class.getTypeName()),
          error.getMessage());
    }
    var type = new TypeReference<List<Add>>() {}.getType();
    var error = assertThrows(IllegalArgumentException.class, () -> decode("{}", type));
    assertTrue(error.getMessage().contains("java.util.List<"), error.getMessage());
  }

  @Test
  void objects_without_a_class_are_maps() {
    assertInstanceOf(Map.class, decode("{\"a\":[1,2.5,null]}", Object.class));
    assertNull(decode("null", Add.class));
  }

  record Point(double x, Float y) {}

  @SuppressWarnings("ArrayRecordComponent") // It's written and never compared.
  record Shape(List<Point> points, double[] weights, float[] sizes, Map<String, Object> more) {}

  @Test
  void a_number_that_json_lacks_is_not_written_as_something_else() {
    Shape good =
        new Shape(
            List.of(new Point(0.5, 1.5F)), new double[] {1, 2}, new float[] {3}, Map.of("z", 1.25));
    assertEquals(
        "{\"points\":[{\"x\":0.5,\"y\":1.5}],\"weights\":[1.0,2.0],\"sizes\":[3.0],\"more\":{\"z\":1.25}}",
        new String(codec.encode(good), StandardCharsets.UTF_8));
    for (double none : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1.0 / 0}) {
      refused("x", none, new Point(none, 0F));
      refused("y", none, new Point(0, (float) none));
      refused("points[1].x", none, shape(List.of(new Point(0, 0F), new Point(none, 0F))));
      refused("weights[1]", none, new Shape(null, new double[] {0, none}, null, null));
      refused("sizes[0]", none, new Shape(null, null, new float[] {(float) none}, null));
      refused("more.z", none, new Shape(null, null, null, Map.of("z", none)));
    }
  }

  private static Shape shape(List<Point> points) {
    return new Shape(points, null, null, null);
  }

  private void refused(String member, double number, Object value) {
    var error = assertThrows(IllegalArgumentException.class, () -> codec.encode(value));
    String end = "at `" + member + "`: " + number + " isn't a number in JSON";
    assertTrue(error.getMessage().endsWith(end), error.getMessage());
  }

  @Test
  void null_is_no_number() {
    assertEquals(new Point(0.5, null), decode("{\"x\":0.5,\"y\":null}", Point.class));
    for (String json : new String[] {"{\"x\":null}", "{}"}) {
      var error = assertThrows(IllegalArgumentException.class, () -> decode(json, Point.class));
      assertTrue(error.getMessage().contains("`x`"), error.getMessage());
    }
    var error =
        assertThrows(
            IllegalArgumentException.class,
            () -> decode("{\"points\":[{\"x\":1},{\"x\":null}]}", Shape.class));
    assertTrue(error.getMessage().contains("at `points[1].x`"), error.getMessage());
    assertThrows(IllegalArgumentException.class, () -> decode("null", int.class));
  }

  @Test
  void a_fraction_is_no_integer() {
    for (String json : new String[] {"{\"a\":1.5,\"b\":2}", "{\"a\":1,\"b\":-2e-1}"}) {
      assertThrows(IllegalArgumentException.class, () -> decode(json, Add.class));
    }
    assertEquals(new Point(2, 3F), decode("{\"x\":2,\"y\":3}", Point.class));
  }

  @Test
  void a_number_in_a_tree_that_json_lacks_is_no_text() {
    for (double none : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
      byte[] json = codec.encode(Map.of("x", DoubleNode.valueOf(none)));
      assertEquals("{\"x\":" + none + "}", new String(json, StandardCharsets.UTF_8));
    }
  }
}
