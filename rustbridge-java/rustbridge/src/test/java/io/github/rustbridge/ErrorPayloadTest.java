package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.rustbridge.internal.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ErrorPayloadTest {
  private static final String USUAL =
      "{\"code\":\"ABORTED\",\"message\":\"m\u00e4\u20ac\",\"type\":\"E.F\",\"backtrace\":\"0: main\"}";

  private static ErrorPayload of(String payload) {
    return ErrorPayload.of(Status.ABORTED, payload.getBytes(StandardCharsets.UTF_8));
  }

  /** What the parser makes of a payload, without the shorter way. */
  private static ErrorPayload parsed(String text) {
    if (!(Json.tryParse(text) instanceof Map<?, ?> error)) {
      return new ErrorPayload("", text, Map.of(), null);
    }
    Object details = error.get("details");
    return new ErrorPayload(
        error.get("type") instanceof String type ? type : "",
        error.get("message") instanceof String message ? message : text,
        details == null || details instanceof Map
            ? Json.object(details)
            : Map.of("details", details),
        error.get("backtrace") instanceof String backtrace ? backtrace : null);
  }

  @Test
  void the_shorter_way_says_what_the_parser_says() {
    for (String payload :
        List.of(
            USUAL,
            "{\"message\":\"\"}",
            "{\"message\":\"a\",\"message\":\"b\",\"type\":\"\"}",
            "{\"\":\"\"}",
            "{\"code\":\"X\"}",
            "{}",
            "{",
            "}",
            "{}}",
            "{{}",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":\"}",
            "{\"a\":\"b\"",
            "{\"a\":\"b\",",
            "{\"a\":\"b\",}",
            "{\"a\":\"b\"}}",
            "{\"a\":\"b\"} ",
            " {\"a\":\"b\"}",
            "{\"a\":\"b\"{\"message\":\"c\"}",
            ",\"message\":\"b\"}",
            "{\"message\" :\"b\"}",
            "{\"message\":\"b\\\"c\"}",
            "{\"mess\\u0061ge\":\"b\"}",
            "{\"message\":\"a\nb\"}",
            "{\"message\":\"a\u007fb\"}",
            "{\"message\":1,\"type\":\"t\"}",
            "{\"message\":\"m\",\"details\":\"d\"}",
            "{\"message\":\"m\",\"details\":{\"a\":[null,2.5]}}",
            "{\"message\":\"m\",\"details\":null}",
            "{\"backtrace\":\"b\",\"type\":\"t\",\"message\":\"m\"}")) {
      assertEquals(parsed(payload), of(payload), payload);
    }
  }

  @Test
  void the_shorter_way_says_it_of_what_is_cut_short_and_garbled_too() {
    for (int length = 1; length <= USUAL.length(); length++) {
      String cut = USUAL.substring(0, length);
      assertEquals(parsed(cut), of(cut), cut);
    }
    Random random = new Random(1);
    String instead = "{}[]:,\"\\ \n\tmx0";
    for (int round = 0; round < 20_000; round++) {
      StringBuilder garbled = new StringBuilder(USUAL);
      for (int change = random.nextInt(3); change >= 0; change--) {
        int at = random.nextInt(garbled.length());
        switch (random.nextInt(3)) {
          case 0 -> garbled.deleteCharAt(at);
          case 1 -> garbled.insert(at, instead.charAt(random.nextInt(instead.length())));
          default -> garbled.setCharAt(at, instead.charAt(random.nextInt(instead.length())));
        }
      }
      String text = garbled.toString();
      assertEquals(parsed(text), of(text), text);
    }
  }

  @Test
  void an_error_with_a_type_has_its_value_behind_its_texts() {
    byte[] payload = typed("m", "A.B", new byte[] {7, 8, 9});
    assertEquals(
        new ErrorPayload("A.B", "m", Map.of(), null), ErrorPayload.of(Status.ABORTED, payload));
    PluginException error = PluginException.of(10, payload);
    assertArrayEquals(new byte[] {7, 8, 9}, error.value());
    assertEquals("A.B", error.type());
    assertEquals("m", error.getMessage());
  }

  @Test
  void an_error_with_a_type_that_is_cut_short_is_its_own_message() {
    byte[] whole = typed("m", "A.B", new byte[0]);
    for (int length = 1; length < 20; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      PluginException error = PluginException.of(10, cut);
      assertNull(error.value());
      assertEquals("", error.type());
      assertEquals(new String(cut, StandardCharsets.UTF_8), error.getMessage());
    }
  }

  static byte[] typed(String message, String type, byte[] value) {
    ByteBuffer payload = ByteBuffer.allocate(256 + value.length).order(ByteOrder.LITTLE_ENDIAN);
    payload.putInt(1).putInt(10);
    for (String text : List.of(message, type)) {
      payload.putInt(text.length()).put(text.getBytes(StandardCharsets.UTF_8));
    }
    payload.position((payload.position() + 7) & ~7).put(value);
    return Arrays.copyOf(payload.array(), payload.position());
  }
}
