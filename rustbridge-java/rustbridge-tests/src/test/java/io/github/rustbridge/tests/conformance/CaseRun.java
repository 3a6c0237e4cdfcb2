package io.github.rustbridge.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.LogRecord;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.tests.Plugins;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Runs one case in one way, on instances of its own. */
final class CaseRun {
  private static final String CALL = "call";
  private static final String PREPARE = "prepare";

  private final JsonNode one;
  private final Way way;
  private final Map<String, Plugin> instances = new HashMap<>();
  private final Map<String, List<LogRecord>> records = new ConcurrentHashMap<>();
  private final Map<String, Method> methods = new HashMap<>();

  CaseRun(JsonNode one, Way way) {
    this.one = one;
    this.way = way;
  }

  void run() {
    if (one.has("load")) {
      PluginException failure = assertThrows(PluginException.class, () -> load("a"));
      Comparison.failure(failure, one.get("load"));
      return;
    }
    try {
      for (String name : names()) {
        instances.put(name, load(name));
      }
      for (JsonNode step : Cases.steps(one)) {
        step(step);
      }
      for (Iterator<String> logged = one.path("logs").fieldNames(); logged.hasNext(); ) {
        compareLogs(logged.next());
      }
    } finally {
      instances.values().forEach(Plugin::close);
    }
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    one.path("instances").fieldNames().forEachRemaining(names::add);
    return names.isEmpty() ? List.of("a") : names;
  }

  private Plugin load(String instance) {
    PluginConfig config = config(instance);
    if (one.path("on_panic").asText().equals("poison")) {
      config = config.poisonOnPanic();
    }
    JsonNode logs = one.path("logs").path(instance);
    if (logs.isMissingNode()) {
      config = config.logLevel(LogLevel.OFF);
    } else {
      List<LogRecord> kept = new CopyOnWriteArrayList<>();
      records.put(instance, kept);
      config =
          config.logLevel(LogLevel.valueOf(logs.get("level").textValue())).logListener(kept::add);
    }
    return Plugins.load(one.get("plugin").textValue() + "-plugin", config);
  }

  private PluginConfig config(String instance) {
    if (one.has("config_bytes")) {
      return PluginConfig.json(Payloads.bytes(one.get("config_bytes")));
    }
    JsonNode config = one.has("instances") ? one.get("instances").get(instance) : one.get("config");
    return config == null
        ? PluginConfig.defaults()
        : PluginConfig.json(config.toString().getBytes(StandardCharsets.UTF_8));
  }

  private void step(JsonNode step) {
    Plugin plugin = instances.get(step.path("instance").asText("a"));
    switch (step.path("op").asText(CALL)) {
      case "state" ->
          assertEquals(
              step.get("expect").get("state").textValue(),
              plugin.state().name().toLowerCase(Locale.ROOT));
      case "log_level" -> plugin.setLogLevel(LogLevel.valueOf(step.get("level").textValue()));
      case "close" ->
          attempt(
              step.get("expect"),
              CALL,
              () -> {
                plugin.close(Duration.ofSeconds(10));
                return true;
              });
      case CALL -> call(plugin, step);
      default -> throw new IllegalArgumentException("unknown step: " + step);
    }
  }

  private void call(Plugin plugin, JsonNode step) {
    JsonNode expect = step.get("expect");
    Encoding encoding = Encoding.valueOf(step.get("encoding").textValue().toUpperCase(Locale.ROOT));
    String key = plugin.handle() + " " + step.get("method") + step.get("method_id") + encoding;
    Method method = methods.get(key);
    if (method == null) {
      method =
          attempt(
              expect,
              PREPARE,
              () ->
                  step.has("method_id")
                      ? plugin.method((int) step.get("method_id").longValue(), encoding)
                      : plugin.method(step.get("method").textValue(), encoding));
      if (method == null) {
        return;
      }
      methods.put(key, method);
    }
    byte[] request = Payloads.bytes(step.path("request"));
    for (int offset : way.canMisalign() ? numbers(step.path("misalign"), 0) : List.of(0)) {
      for (int capacity :
          way.hasStorage() ? numbers(step.path("capacity"), Way.ORDINARY) : List.of(-1)) {
        once(method, request, capacity, offset, expect);
      }
    }
  }

  private static List<Integer> numbers(JsonNode list, int otherwise) {
    List<Integer> numbers = new ArrayList<>();
    list.forEach(number -> numbers.add(number.intValue()));
    return numbers.isEmpty() ? List.of(otherwise) : numbers;
  }

  private void once(Method method, byte[] request, int capacity, int offset, JsonNode expect) {
    if (way.hasStorage() && capacity < method.responseSize()) {
      way.refusesStorageTooSmallForPod(method, request, capacity);
    }
    int enough = Math.max(capacity, method.responseSize());
    byte[] response = attempt(expect, CALL, () -> way.call(method, request, enough, offset));
    if (response != null) {
      Comparison.response(response, expect.get("response"));
    }
  }

  /** Does it; gives the result, or null when it failed as expected. */
  private static <T> T attempt(JsonNode expect, String stage, Supplier<T> act) {
    String status = expect.get("status").textValue();
    T result;
    try {
      result = act.get();
    } catch (PluginException failure) {
      assertNotEquals("OK", status, failure::toString);
      assertEquals(expect.path("stage").asText(CALL), stage, "it failed at another stage");
      Comparison.failure(failure, expect);
      return null;
    }
    if (stage.equals(CALL) || expect.path("stage").asText().equals(PREPARE)) {
      assertEquals("OK", status, "it succeeded");
    }
    return result;
  }

  private void compareLogs(String instance) {
    Plugin plugin = instances.get(instance);
    if (plugin.state() != io.github.rustbridge.State.CLOSED) {
      plugin.flushLogs(Duration.ofSeconds(10));
    }
    List<LogRecord> found =
        records.get(instance).stream().filter(record -> !record.span()).toList();
    JsonNode expected = one.get("logs").get(instance).get("records");
    List<String> messages = new ArrayList<>();
    expected.forEach(record -> messages.add(record.get("message").textValue()));
    assertEquals(messages, found.stream().map(LogRecord::message).toList());
    for (int index = 0; index < found.size(); index++) {
      compareRecord(found.get(index), expected.get(index));
    }
  }

  private static void compareRecord(LogRecord found, JsonNode expected) {
    assertEquals(expected.get("level").textValue(), found.level().name());
    if (expected.has("target")) {
      assertEquals(expected.get("target").textValue(), found.target());
    }
    if (expected.has("fields")) {
      JsonNode fields = Cases.JSON.valueToTree(found.fields());
      assertTrue(
          Comparison.same(fields, expected.get("fields")),
          () -> fields + " isn't " + expected.get("fields"));
    }
    if (expected.has("spans")) {
      List<String> spans = new ArrayList<>();
      expected.get("spans").forEach(span -> spans.add(span.textValue()));
      assertEquals(spans, found.spans().stream().map(LogRecord.Span::name).toList());
    }
  }
}
