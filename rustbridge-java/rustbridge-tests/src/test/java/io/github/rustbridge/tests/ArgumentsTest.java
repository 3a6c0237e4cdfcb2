package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.LogRecord;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What the API does with arguments that are wrong, and with calls that come too late. */
class ArgumentsTest {
  private static final Plugin HELLO = Plugins.hello();
  private static final Plugin CONFORMANCE = Plugins.conformance();

  @AfterAll
  static void close() {
    HELLO.close();
    CONFORMANCE.close();
  }

  @Test
  void null_is_refused_by_the_name_of_the_parameter() {
    Method echo = HELLO.method("echo");
    Method add = HELLO.method("math.add", Encoding.POD);
    byte[] pod = new byte[16];
    ByteBuffer buffer = ByteBuffer.allocate(16);
    Path path = Plugins.path("hello-plugin");
    Map<String, Executable> calls = new TreeMap<>();
    calls.put("load(path)", () -> Plugin.load((Path) null));
    calls.put("load(image)", () -> Plugin.load((byte[]) null));
    calls.put("load(_, config)", () -> Plugin.load(path, null));
    calls.put("load(image, config)", () -> Plugin.load(pod, null));
    calls.put("loadResource(anchor)", () -> Plugin.loadResource(null, "x"));
    calls.put("loadResource(_, resource)", () -> Plugin.loadResource(ArgumentsTest.class, null));
    calls.put(
        "loadResource(_, _, config)", () -> Plugin.loadResource(ArgumentsTest.class, "x", null));
    calls.put("method(name)", () -> HELLO.method(null));
    calls.put("method(name, _)", () -> HELLO.method((String) null, Encoding.JSON));
    calls.put("method(_, encoding)", () -> HELLO.method("echo", null));
    calls.put("method(id, encoding)", () -> HELLO.method(1, null));
    calls.put("plugin.call(method)", () -> HELLO.call(null, "{}"));
    calls.put("plugin.call(_, json)", () -> HELLO.call("echo", (String) null));
    calls.put("plugin.call(method, _, _)", () -> HELLO.call(null, Map.of(), Map.class));
    calls.put("plugin.call(_, _, type)", () -> HELLO.call("echo", Map.of(), (Class<?>) null));
    calls.put("plugin.call(_, _, Type)", () -> HELLO.call("echo", Map.of(), (Type) null));
    calls.put("plugin.callRawBytes(method)", () -> HELLO.callRawBytes(null, pod));
    calls.put("plugin.callRawBytes(_, request)", () -> HELLO.callRawBytes("math.add", null));
    calls.put("plugin.callRaw(_, request, _)", () -> HELLO.callRaw("math.add", null, pod));
    calls.put("plugin.callRaw(_, _, response)", () -> HELLO.callRaw("math.add", pod, null));
    calls.put("plugin.callRaw(_, buffer, _)", () -> HELLO.callRaw("math.add", null, buffer));
    calls.put("plugin.callRaw(_, _, buffer)", () -> HELLO.callRaw("math.add", buffer, null));
    calls.put("plugin.zeroCopy(array)", () -> HELLO.callRawZeroCopy("math.add", (byte[]) null));
    calls.put(
        "plugin.zeroCopy(buffer)", () -> HELLO.callRawZeroCopy("math.add", (ByteBuffer) null));
    calls.put("call(json)", () -> echo.call(null));
    calls.put("call(_, type)", () -> echo.call(Map.of(), (Class<?>) null));
    calls.put("call(_, Type)", () -> echo.call(Map.of(), (Type) null));
    calls.put("callRawBytes(request)", () -> add.callRawBytes(null));
    calls.put("callRaw(request, _)", () -> add.callRaw(null, new byte[8]));
    calls.put("callRaw(_, response)", () -> add.callRaw(pod, null));
    calls.put("callRaw(buffer, _)", () -> add.callRaw(null, buffer));
    calls.put("callRaw(_, buffer)", () -> add.callRaw(buffer, null));
    calls.put("zeroCopy(array)", () -> add.callRawZeroCopy((byte[]) null));
    calls.put("zeroCopy(buffer)", () -> add.callRawZeroCopy((ByteBuffer) null));
    calls.put("setLogLevel", () -> HELLO.setLogLevel(null));
    calls.put("setLogListener", () -> HELLO.setLogListener(null));
    calls.put("flushLogs", () -> HELLO.flushLogs(null));
    calls.put("close", () -> HELLO.close(null));
    calls.put("json(String)", () -> PluginConfig.json((String) null));
    calls.put("json(byte[])", () -> PluginConfig.json((byte[]) null));
    calls.put("of", () -> PluginConfig.of(null));
    calls.put("named", () -> PluginConfig.defaults().named(null));
    calls.put("logLevel", () -> PluginConfig.defaults().logLevel(null));
    calls.put("logger", () -> PluginConfig.defaults().logger(null));
    calls.put("logListener", () -> PluginConfig.defaults().logListener((Consumer<LogRecord>) null));
    calls.put("codec", () -> PluginConfig.defaults().codec(null));
    List<Executable> all = new ArrayList<>();
    calls.forEach((what, call) -> all.add(() -> refusesNull(what, call)));
    assertAll(all);
    assertEquals(State.ACTIVE, HELLO.state());
  }

  private static void refusesNull(String what, Executable call) {
    NullPointerException refusal =
        assertThrows(NullPointerException.class, call, () -> what + " took null");
    // Helpful messages of the JVM speak of a variable; ours is the bare name of the parameter.
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.matches("\\w+"), () -> what + " says: " + message);
  }

  @Test
  void json_by_a_method_prepared_for_something_else_is_refused() {
    for (Encoding encoding : new Encoding[] {Encoding.POD, Encoding.MSGPACK, Encoding.BINCODE}) {
      Method mixed = CONFORMANCE.method("pod.mixed", encoding);
      for (Executable call :
          List.<Executable>of(
              () -> mixed.call("{\"a\":1,\"b\":2}"),
              () -> mixed.call(Map.of("a", 1, "b", 2), Map.class),
              () -> mixed.call(Map.of("a", 1, "b", 2), (Type) Map.class))) {
        String message = assertThrows(IllegalStateException.class, call).getMessage();
        assertTrue(message.contains("pod.mixed"), message);
        assertTrue(message.contains(encoding.text()), message);
      }
    }
  }

  @Test
  void an_unpaired_surrogate_never_reaches_a_plugin() {
    Method value = CONFORMANCE.method("types.value");
    for (String half : new String[] {"\ud800", "\udc00", "\ud83d", "\udc00\ud800", "\udbff x"}) {
      for (String text :
          new String[] {half, "x".repeat(100) + half, half + "x".repeat(100), "é🦀" + half}) {
        String json = "\"" + text + "\"";
        for (Executable call :
            List.<Executable>of(
                () -> value.call(json), () -> CONFORMANCE.call("types.value", json))) {
          PluginException failure = fails(Status.INVALID_ARGUMENT, call);
          assertEquals("rustbridge.InvalidRequest", failure.type());
          assertTrue(failure.getMessage().contains("surrogate"), failure::toString);
        }
      }
    }
    assertEquals("\"🦀\"", value.call("\"\ud83e\udd80\""));
  }

  @Test
  void an_unpaired_surrogate_in_a_name_or_a_config_is_refused() {
    fails(Status.INVALID_ARGUMENT, () -> HELLO.method("\ud800"));
    fails(Status.INVALID_ARGUMENT, () -> HELLO.call("\ud800", "{}"));
    fails(
        Status.INVALID_ARGUMENT,
        () -> Plugins.load("conformance-plugin", PluginConfig.json("{\"label\":\"\ud800\"}")));
    fails(
        Status.INVALID_ARGUMENT,
        () -> Plugins.load("conformance-plugin", Plugins.labelled("x").named("\ud800")));
  }

  @Test
  void an_escaped_surrogate_is_left_to_the_plugin() {
    fails(Status.INVALID_ARGUMENT, () -> HELLO.call("echo", "{\"message\":\"\\ud800\"}"));
    assertEquals(
        "{\"message\":\"🦀\",\"length\":4}",
        HELLO.call("echo", "{\"message\":\"\\ud83e\\udd80\"}"));
  }

  @Test
  void a_method_kept_past_the_close_says_so() {
    Plugin plugin = Plugins.conformance();
    Method value = plugin.method("types.value");
    Method echo = plugin.method("raw.echo", Encoding.RAW);
    Method add = plugin.method("pod.add32", Encoding.POD);
    plugin.close();
    byte[] pod = new byte[8];
    for (Executable call :
        List.<Executable>of(
            () -> value.call("1"),
            () -> value.call(1, Integer.class),
            () -> value.callRawBytes(pod),
            () -> echo.callRawBytes(pod),
            () -> echo.callRaw(pod, pod),
            () -> echo.callRaw(ByteBuffer.allocate(8), ByteBuffer.allocateDirect(8)),
            () -> echo.callRawZeroCopy(pod),
            () -> echo.callRawZeroCopy(ByteBuffer.allocate(8)),
            () -> add.callRawBytes(pod),
            () -> add.callRaw(pod, pod),
            () -> add.callRaw(ByteBuffer.allocateDirect(8), ByteBuffer.allocateDirect(8)),
            () -> add.callRawZeroCopy(pod),
            () -> plugin.call("types.value", "1"),
            () -> plugin.call("types.unit", "null"),
            () -> plugin.call("types.value", 1, Integer.class),
            () -> plugin.callRawBytes("raw.echo", pod),
            () -> plugin.callRawZeroCopy("raw.echo", pod),
            () -> plugin.method("types.value"),
            () -> plugin.method(0, Encoding.JSON),
            plugin::describe,
            plugin::describeJson,
            () -> plugin.setLogLevel(LogLevel.INFO),
            () -> plugin.setLogger(new Recorder()),
            () -> plugin.setLogListener(record -> {}),
            () -> plugin.flushLogs(Duration.ZERO))) {
      fails(Status.UNAVAILABLE, call);
    }
    assertEquals(State.CLOSED, plugin.state());
    assertEquals("conformance", plugin.name());
    plugin.close();
    plugin.close(Duration.ZERO);
  }

  @Test
  void durations_may_be_as_long_as_one_likes_but_not_negative() {
    Plugin plugin = Plugins.hello();
    for (Duration negative : new Duration[] {Duration.ofNanos(-1), Duration.ofSeconds(-5)}) {
      assertThrows(IllegalArgumentException.class, () -> plugin.close(negative));
      assertThrows(IllegalArgumentException.class, () -> plugin.flushLogs(negative));
    }
    assertEquals(State.ACTIVE, plugin.state());
    plugin.flushLogs(Duration.ZERO);
    plugin.flushLogs(Duration.ofNanos(1));
    plugin.flushLogs(Duration.ofSeconds(Long.MAX_VALUE));
    plugin.close(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    assertEquals(State.CLOSED, plugin.state());
  }

  @Test
  void a_config_is_copied() {
    byte[] json = "{\"label\":\"before\"}".getBytes(StandardCharsets.UTF_8);
    PluginConfig config = PluginConfig.json(json);
    json[10] = 'X';
    try (Plugin plugin = Plugins.load("conformance-plugin", config)) {
      assertTrue(plugin.call("state.config", "null").contains("before"));
    }
  }

  @Test
  void a_config_is_changed_by_copying() {
    PluginConfig plain = Plugins.labelled("x");
    PluginConfig named = plain.named("mine").logLevel(LogLevel.OFF);
    try (Plugin first = Plugins.load("conformance-plugin", plain);
        Plugin second = Plugins.load("conformance-plugin", named)) {
      assertEquals("conformance", first.name());
      assertEquals("mine", second.name());
      assertEquals("\"mine\"", second.call("state.name", "null"));
      assertEquals(LogLevel.OFF, second.logLevel());
    }
  }
}
