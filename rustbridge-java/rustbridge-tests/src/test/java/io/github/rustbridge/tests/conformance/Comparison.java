package io.github.rustbridge.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.rustbridge.PluginException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;

/**
 * Compares what came back with what a case expects, by the rules of {@code conformance/README.md}.
 */
final class Comparison {
  private Comparison() {}

  /** Tells whether two JSON values are equal: integers exactly, other numbers as doubles. */
  static boolean same(JsonNode found, JsonNode expected) {
    if (found.isNumber() && expected.isNumber()) {
      if (found.isIntegralNumber() && expected.isIntegralNumber()) {
        return found.bigIntegerValue().equals(expected.bigIntegerValue());
      }
      return found.doubleValue() == expected.doubleValue();
    }
    if (found.getNodeType() != expected.getNodeType() || found.size() != expected.size()) {
      return false;
    }
    if (found.isArray()) {
      for (int index = 0; index < found.size(); index++) {
        if (!same(found.get(index), expected.get(index))) {
          return false;
        }
      }
      return true;
    }
    if (found.isObject()) {
      for (Iterator<String> names = expected.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!found.has(name) || !same(found.get(name), expected.get(name))) {
          return false;
        }
      }
      return true;
    }
    return found.equals(expected);
  }

  /** Asserts one CHECK. */
  static void check(JsonNode whole, JsonNode rule) {
    String path = rule.get("path").textValue();
    JsonNode place = whole;
    for (String step : path.isEmpty() ? new String[0] : path.split("\\.")) {
      place = place.isArray() ? place.path(Integer.parseInt(step)) : place.path(step);
    }
    if (rule.has("absent")) {
      assertTrue(place.isMissingNode(), () -> path + " is there in " + shown(whole));
      return;
    }
    assertTrue(!place.isMissingNode(), () -> path + " is missing in " + shown(whole));
    boolean holds = true;
    if (rule.has("equals")) {
      holds = same(place, rule.get("equals"));
    } else if (rule.has("length")) {
      holds = length(place) == rule.get("length").intValue();
    } else if (rule.has("type")) {
      holds = isOfType(place, rule.get("type").textValue());
    } else if (rule.has("min")) {
      holds = place.isNumber() && place.doubleValue() >= rule.get("min").doubleValue();
    } else if (rule.has("contains")) {
      holds = place.isTextual() && place.textValue().contains(rule.get("contains").textValue());
    } else {
      assertEquals(1, rule.size(), () -> "a check that nobody knows: " + rule);
    }
    String found = shown(place);
    assertTrue(holds, () -> path + " is " + found + ", but " + rule);
  }

  private static int length(JsonNode value) {
    if (value.isTextual()) {
      return value.textValue().codePointCount(0, value.textValue().length());
    }
    return value.isContainerNode() ? value.size() : -1;
  }

  private static boolean isOfType(JsonNode value, String type) {
    return switch (type) {
      case "string" -> value.isTextual();
      case "number" -> value.isNumber();
      case "integer" ->
          value.isIntegralNumber() || value.isNumber() && value.doubleValue() % 1 == 0;
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      default -> throw new IllegalArgumentException("no type of JSON: " + type);
    };
  }

  /** Asserts that a response is the one expected; any is, when nothing is said of it. */
  static void response(byte[] found, JsonNode expected) {
    if (expected == null || expected.isMissingNode()) {
      return;
    }
    if (expected.has("json")) {
      JsonNode value = parsed(found);
      assertTrue(
          same(value, expected.get("json")),
          () -> shown(value) + " isn't " + shown(expected.get("json")));
    } else if (expected.has("checks")) {
      JsonNode value = parsed(found);
      expected.get("checks").forEach(rule -> check(value, rule));
    } else {
      byte[] wanted = Payloads.bytes(expected);
      assertTrue(
          Arrays.equals(found, wanted),
          () ->
              found.length
                  + " bytes "
                  + shown(new String(found, StandardCharsets.ISO_8859_1))
                  + " aren't the expected "
                  + wanted.length
                  + " "
                  + shown(new String(wanted, StandardCharsets.ISO_8859_1)));
    }
  }

  /** Asserts that a failure is the one expected. */
  static void failure(PluginException found, JsonNode expected) {
    assertEquals(expected.get("status").textValue(), found.status().name(), found::toString);
    JsonNode error = expected.path("error");
    ObjectNode whole = Cases.JSON.createObjectNode();
    whole.put("code", found.status().name());
    whole.put("message", found.getMessage());
    whole.put("type", found.type());
    if (!found.details().isEmpty()) {
      whole.set("details", Cases.JSON.valueToTree(found.details()));
    }
    found.backtrace().ifPresent(backtrace -> whole.put("backtrace", backtrace));
    if (error.has("type")) {
      assertEquals(error.get("type").textValue(), found.type());
    }
    if (error.has("message")) {
      assertEquals(error.get("message").textValue(), found.getMessage());
    }
    for (JsonNode part : error.path("message_contains")) {
      assertTrue(
          found.getMessage().contains(part.textValue()),
          () -> found.getMessage() + " doesn't contain " + part);
    }
    if (error.has("details")) {
      assertTrue(
          same(whole.path("details"), error.get("details")),
          () -> whole.path("details") + " isn't " + error.get("details"));
    }
    if (error.has("no_details")) {
      assertTrue(found.details().isEmpty(), () -> "details: " + found.details());
    }
    error.path("checks").forEach(rule -> check(whole, rule));
  }

  static JsonNode parsed(byte[] json) {
    try {
      return Cases.JSON.readTree(json);
    } catch (IOException problem) {
      return fail(shown(new String(json, StandardCharsets.ISO_8859_1)) + " is no JSON", problem);
    }
  }

  private static String shown(Object value) {
    String text = value.toString();
    return text.length() <= 500 ? text : text.substring(0, 500) + "…";
  }
}
