package io.github.rustbridge.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTest {
  @Test
  void every_kind_of_value_is_read() {
    Object value =
        Json.parse(
            " {\"a\" : [1, -2.5, true, false, null, \"x\", {}, []] ,\n\t\"b\":{\"c\":\"\"}}\r\n");
    Map<?, ?> object = (Map<?, ?>) value;
    assertEquals(
        Arrays.asList(1L, -2.5, true, false, null, "x", Map.of(), List.of()), object.get("a"));
    assertEquals(Map.of("c", ""), object.get("b"));
    assertEquals(List.of("a", "b"), List.copyOf(object.keySet()));
  }

  @Test
  void whole_numbers_are_exact_whatever_their_size() {
    assertEquals(0L, Json.parse("0"));
    assertEquals(0L, Json.parse("-0"));
    assertEquals(Long.MAX_VALUE, Json.parse("9223372036854775807"));
    assertEquals(Long.MIN_VALUE, Json.parse("-9223372036854775808"));
    assertEquals(new BigInteger("9223372036854775808"), Json.parse("9223372036854775808"));
    assertEquals(new BigInteger("-9223372036854775809"), Json.parse("-9223372036854775809"));
    assertEquals(new BigInteger("18446744073709551615"), Json.parse("18446744073709551615"));
    assertEquals(BigInteger.TEN.pow(400), Json.parse("1" + "0".repeat(400)));
  }

  @Test
  void numbers_with_fraction_or_exponent_are_doubles() {
    assertEquals(1.0, Json.parse("1.0"));
    assertEquals(100.0, Json.parse("1e2"));
    assertEquals(-0.0, Json.parse("-0.0"));
    assertEquals(1.5e-7, Json.parse("1.5E-7"));
    assertEquals(120.0, Json.parse("1.2E+2"));
    assertEquals(Double.POSITIVE_INFINITY, Json.parse("1e999"));
  }

  @Test
  void numbers_that_nobody_can_mean_are_refused() {
    // They would take minutes: making a whole number of digits costs the square of their count.
    assertThrows(Json.DecodeException.class, () -> Json.parse("9".repeat(100_000)));
  }

  @Test
  void escapes_are_resolved() {
    assertEquals(
        "\"\\/\b\f\n\r\t\u00e9\ud83d\ude00",
        Json.parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E9\\uD83d\\uDe00\""));
    assertEquals("a\nb\nc", Json.parse("\"a\\nb\\nc\""));
  }

  @Test
  void unpaired_surrogates_are_taken_as_they_are() {
    assertEquals("\ud800!", Json.parse("\"\\ud800!\""));
  }

  @Test
  void the_last_of_members_with_the_same_name_counts() {
    assertEquals(Map.of("a", 2L), Json.parse("{\"a\":1,\"a\":2}"));
  }

  @Test
  void nesting_has_a_limit() {
    String deep = "[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH);
    assertTrue(Json.parse(deep) instanceof List);
    var error = assertThrows(Json.DecodeException.class, () -> Json.parse("[" + deep + "]"));
    assertTrue(error.getMessage().contains("256 levels"), error.getMessage());
    assertNull(Json.tryParse("[".repeat(10_000_000)));
    // Siblings aren't nested.
    assertEquals(1000, Json.array(Json.parse("[" + "[],".repeat(999) + "[]]")).size());
  }

  @Test
  void what_is_read_cannot_be_changed() {
    assertThrows(
        UnsupportedOperationException.class, () -> Json.object(Json.parse("{\"a\":1}")).clear());
    assertThrows(UnsupportedOperationException.class, () -> Json.array(Json.parse("[1]")).clear());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "tru",
        "trueish",
        "nul",
        "True",
        "+1",
        "01",
        "-",
        "-a",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x10",
        "NaN",
        "Infinity",
        "1 2",
        "\u0661",
        "\"",
        "\"a",
        "\"\\",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\u\u0661\u0661\u0661\u0661\"",
        "\"a\nb\"",
        "\"\u0000\"",
        "'a'",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "]",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "{\"a\" 1}",
        "{,}",
        "[1]]",
        "// no\n1",
        "\ufeff1",
        "\u00a01"
      })
  void what_is_not_json_is_refused(String text) {
    var error = assertThrows(Json.DecodeException.class, () -> Json.parse(text));
    assertTrue(error.getMessage().contains("at character"), error.getMessage());
    assertNull(Json.tryParse(text));
  }

  @Test
  void the_error_says_what_was_found_and_where() {
    assertEquals(
        "the JSON text has `x` where `,` or `]` is expected, at character 3",
        assertThrows(Json.DecodeException.class, () -> Json.parse("[1 x]")).getMessage());
    assertEquals(
        "the JSON text has the end where a value is expected, at character 1",
        assertThrows(Json.DecodeException.class, () -> Json.parse("[")).getMessage());
  }
}
