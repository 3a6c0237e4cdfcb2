package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
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
}
