package io.github.rustbridge.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The judge is judged first: a comparison that accepts everything would prove nothing. */
class ComparisonTest {
  private static JsonNode json(String text) {
    return Comparison.parsed(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void differs(Runnable comparison) {
    assertThrows(AssertionError.class, comparison::run);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1|1",
        "1.0|1",
        "18446744073709551615|18446744073709551615",
        "1e2|100.0",
        "[1,[2,null]]|[1,[2,null]]",
        "{\"a\":1,\"b\":true}|{\"b\":true,\"a\":1}",
        "\"\\u00e9\"|\"é\""
      })
  void equal_values_are_the_same(String found, String expected) {
    assertTrue(Comparison.same(json(found), json(expected)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1|2",
        "9007199254740993|9007199254740992",
        "18446744073709551615|18446744073709551614",
        "1.5|1.25",
        "true|1",
        "false|0",
        "null|0",
        "null|false",
        "\"1\"|1",
        "[1]|[1,1]",
        "[1,2]|[2,1]",
        "{\"a\":1}|{\"a\":1,\"b\":2}",
        "{\"a\":1,\"b\":2}|{\"a\":1}",
        "{\"a\":1}|{\"b\":1}",
        "{\"a\":null}|{}",
        "[]|{}"
      })
  void other_values_are_not(String found, String expected) {
    assertFalse(Comparison.same(json(found), json(expected)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"path\":\"\"}",
        "{\"path\":\"list.1.name\",\"equals\":\"b\"}",
        "{\"path\":\"list\",\"length\":2}",
        "{\"path\":\"text\",\"length\":2}",
        "{\"path\":\"text\",\"type\":\"string\"}",
        "{\"path\":\"n\",\"type\":\"integer\"}",
        "{\"path\":\"half\",\"type\":\"number\"}",
        "{\"path\":\"n\",\"min\":7}",
        "{\"path\":\"text\",\"contains\":\"é\"}",
        "{\"path\":\"list.2\",\"absent\":true}",
        "{\"path\":\"nothing.here\",\"absent\":true}",
        "{\"path\":\"none\",\"type\":\"null\"}"
      })
  void a_check_that_holds_passes(String rule) {
    assertDoesNotThrow(() -> Comparison.check(sample(), json(rule)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"path\":\"list.1.name\",\"equals\":\"a\"}",
        "{\"path\":\"list\",\"length\":3}",
        "{\"path\":\"n\",\"length\":0}",
        "{\"path\":\"text\",\"length\":3}",
        "{\"path\":\"text\",\"type\":\"number\"}",
        "{\"path\":\"half\",\"type\":\"integer\"}",
        "{\"path\":\"n\",\"type\":\"boolean\"}",
        "{\"path\":\"n\",\"min\":8}",
        "{\"path\":\"text\",\"min\":0}",
        "{\"path\":\"text\",\"contains\":\"x\"}",
        "{\"path\":\"none\",\"absent\":true}",
        "{\"path\":\"gone\"}",
        "{\"path\":\"gone\",\"equals\":null}",
        "{\"path\":\"n\",\"roughly\":7}"
      })
  void a_check_that_does_not_hold_fails(String rule) {
    differs(() -> Comparison.check(sample(), json(rule)));
  }

  private static JsonNode sample() {
    return json(
        "{\"list\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"text\":\"é🦀\",\"n\":7,\"half\":0.5,\"none\":null}");
  }

  @Test
  void a_response_is_compared_in_each_of_its_three_forms() {
    byte[] found = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    Comparison.response(found, null);
    Comparison.response(found, json("{\"text\":\"{\\\"a\\\":1}\"}"));
    Comparison.response(found, json("{\"json\":{\"a\":1}}"));
    Comparison.response(found, json("{\"checks\":[{\"path\":\"a\"}]}"));
    differs(() -> Comparison.response(found, json("{\"text\":\"{\\\"a\\\":1} \"}")));
    differs(() -> Comparison.response(found, json("{\"json\":{\"a\":2}}")));
    differs(() -> Comparison.response(found, json("{\"checks\":[{\"path\":\"b\"}]}")));
    differs(() -> Comparison.response(new byte[] {1}, json("{\"json\":1}")));
  }

  @Test
  void a_failure_is_compared_by_everything_the_case_says() {
    var found = new PluginException(Status.ABORTED, "T", "all of it", Map.of("n", 7L), null);
    Comparison.failure(found, json("{\"status\":\"ABORTED\"}"));
    Comparison.failure(found, aborted("{\"type\":\"T\",\"message\":\"all of it\"}"));
    Comparison.failure(found, aborted("{\"details\":{\"n\":7}}"));
    Comparison.failure(found, aborted("{\"checks\":[{\"path\":\"code\",\"equals\":\"ABORTED\"}]}"));
    differs(() -> Comparison.failure(found, json("{\"status\":\"INTERNAL\"}")));
    differs(() -> Comparison.failure(found, aborted("{\"type\":\"t\"}")));
    differs(() -> Comparison.failure(found, aborted("{\"message\":\"all\"}")));
    differs(() -> Comparison.failure(found, aborted("{\"message_contains\":[\"all\",\"none\"]}")));
    differs(() -> Comparison.failure(found, aborted("{\"details\":{\"n\":7,\"m\":1}}")));
    differs(() -> Comparison.failure(found, aborted("{\"no_details\":true}")));
    differs(() -> Comparison.failure(found, aborted("{\"checks\":[{\"path\":\"details.m\"}]}")));
  }

  private static JsonNode aborted(String error) {
    return json("{\"status\":\"ABORTED\",\"error\":" + error + "}");
  }

  @Test
  void a_payload_stands_for_bytes() {
    assertEquals(0, Payloads.bytes(null).length);
    assertArrayEquals(
        new byte[] {'x', (byte) 0xff, (byte) 0xff, (byte) 0xc3, (byte) 0xa9},
        Payloads.bytes(
            json(
                "{\"concat\":[{\"text\":\"x\"},{\"repeat\":{\"hex\":\"ff\"},\"count\":2},{\"text\":\"é\"}]}")));
    for (String wrong : new String[] {"{}", "{\"txt\":\"\"}", "{\"text\":\"\",\"hex\":\"\"}"}) {
      assertThrows(IllegalArgumentException.class, () -> Payloads.bytes(json(wrong)));
    }
    assertThrows(
        IllegalArgumentException.class, () -> Payloads.bytes(json("{\"text\":\"\\ud800\"}")));
  }

  @Test
  void a_case_with_an_unknown_field_is_refused() {
    String common = "\"id\":\"x.y\",\"encoding\":\"json\",\"method\":\"m\"";
    Cases.known(json("{" + common + ",\"expect\":{\"status\":\"OK\"}}"));
    for (String wrong :
        new String[] {
          "\"expect\":{\"status\":\"OK\"},\"colour\":1",
          "\"expect\":{\"status\":\"OK\",\"within\":1}",
          "\"expect\":{\"status\":\"ABORTED\",\"error\":{\"kind\":1}}",
          "\"needs\":[\"time-travel\"],\"expect\":{\"status\":\"OK\"}"
        }) {
      assertThrows(
          IllegalArgumentException.class,
          () -> Cases.known(json("{" + common + "," + wrong + "}")));
    }
  }
}
