package io.github.rustbridge;

import static io.github.rustbridge.FakeBackend.FAKE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.interop.LoadRequest;
import java.io.IOException;
import java.lang.reflect.Type;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

final class PluginTest {
  private static final Path LIBRARY = Path.of("lib", "libfake.so");

  private final CapturedLog log = new CapturedLog();

  @AfterEach
  void restore() {
    log.close();
    FAKE.create = request -> {};
    FAKE.description = "{\"name\":\"fake\",\"methods\":[]}";
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private static void assertNullRefused(String parameter, Executable call) {
    assertEquals(parameter, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  void a_plugin_names_itself_unless_its_host_does() {
    try (Plugin own = Plugin.load(LIBRARY);
        Plugin given = Plugin.load(LIBRARY, PluginConfig.defaults().named("other"));
        Plugin empty = Plugin.load(LIBRARY, PluginConfig.defaults().named(""))) {
      assertEquals("fake", own.name());
      assertEquals("other", given.name());
      assertEquals("fake", empty.name());
      assertNull(FAKE.of(own).request.name());
      assertEquals("other", text(FAKE.of(given).request.name()));
      assertNull(FAKE.of(empty).request.name());
    }
  }

  @Test
  void everything_of_the_config_reaches_the_backend() {
    PluginConfig config =
        PluginConfig.json("{\"a\":\"\u00e9\"}")
            .logLevel(LogLevel.TRACE)
            .logCapacity(7)
            .poisonOnPanic()
            .backtraces()
            .ownCopy();
    try (Plugin plugin = Plugin.load(LIBRARY, config);
        Plugin plain = Plugin.load(LIBRARY)) {
      LoadRequest request = FAKE.of(plugin).request;
      assertEquals(LIBRARY.toAbsolutePath().toString(), text(request.path()));
      assertNull(request.image());
      assertEquals("{\"a\":\"\u00e9\"}", text(request.config()));
      assertEquals(
          LoadRequest.POISON | LoadRequest.BACKTRACE | LoadRequest.OWN_COPY, request.flags());
      assertEquals(LogLevel.TRACE.number(), request.logLevel());
      assertEquals(7, request.logCapacity());
      assertEquals(LogLevel.TRACE, plugin.logLevel());

      request = FAKE.of(plain).request;
      assertNull(request.config());
      assertEquals(0, request.flags());
      assertEquals(0, request.logCapacity());
    }
    assertThrows(IllegalArgumentException.class, () -> PluginConfig.defaults().logCapacity(-1));
  }

  @Test
  void a_config_is_never_changed() {
    byte[] json = {'{', '}'};
    PluginConfig config = PluginConfig.json(json);
    json[0] = 'x';
    PluginConfig named = config.named("a");
    assertNotSame(config, named);
    try (Plugin plugin = Plugin.load(LIBRARY, config)) {
      assertEquals("{}", text(FAKE.of(plugin).request.config()));
      assertEquals("fake", plugin.name());
    }
  }

  @Test
  void an_object_as_config_is_written_by_the_codec() {
    PluginConfig config = PluginConfig.of(Map.of("a", 1));
    try (Plugin jackson = Plugin.load(LIBRARY, config);
        Plugin own = Plugin.load(LIBRARY, config.codec(new Upper()))) {
      assertEquals("{\"a\":1}", text(FAKE.of(jackson).request.config()));
      assertEquals("{A=1}", text(FAKE.of(own).request.config()));
    }
  }

  @Test
  void unpaired_surrogates_are_refused_in_config_name_and_path() {
    for (Executable load :
        new Executable[] {
          () -> PluginConfig.json("\"\ud800\""),
          () -> Plugin.load(LIBRARY, PluginConfig.defaults().named("\ud800"))
        }) {
      assertEquals(Status.INVALID_ARGUMENT, assertThrows(PluginException.class, load).status());
    }
  }

  @Test
  void a_plugin_comes_from_bytes_and_from_resources() throws IOException {
    byte[] image = {1, 2, 3};
    try (Plugin plugin = Plugin.load(image)) {
      assertArrayEquals(image, FAKE.of(plugin).request.image());
      assertNull(FAKE.of(plugin).request.path());
    }
    try (Plugin plugin = Plugin.loadResource(PluginTest.class, "PluginTest.class");
        var same = PluginTest.class.getResourceAsStream("PluginTest.class")) {
      assertArrayEquals(same.readAllBytes(), FAKE.of(plugin).request.image());
    }
    PluginException error =
        assertThrows(
            PluginException.class, () -> Plugin.loadResource(PluginTest.class, "/absent.so"));
    assertEquals(Status.NOT_FOUND, error.status());
    assertEquals("rustbridge.NoSuchFile", error.type());
    assertTrue(error.getMessage().contains("/absent.so"), error.getMessage());
  }

  @Test
  void a_path_inside_an_archive_is_read_here(@TempDir Path folder) throws IOException {
    URI zip = URI.create("jar:" + folder.resolve("a.zip").toUri());
    try (FileSystem archive = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      Path library = Files.writeString(archive.getPath("/libfake.so"), "library");
      try (Plugin plugin = Plugin.load(library)) {
        assertEquals("library", text(FAKE.of(plugin).request.image()));
      }
      assertThrows(
          java.io.UncheckedIOException.class, () -> Plugin.load(archive.getPath("/absent.so")));
    }
  }

  @Test
  void records_of_create_arrive_while_it_runs() {
    FAKE.create =
        request -> {
          FakeBackend.log(request.sink(), LogLevel.INFO, "a::b", "one", "");
          FakeBackend.log(request.sink(), LogLevel.INFO, "a::b", "two", "");
          assertEquals(List.of("one", "two"), log.messages());
        };
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      FAKE.of(plugin).log("a::b", "three");
      assertEquals(List.of("one", "two", "three"), log.messages());
      assertEquals("rustbridge.fake.a.b", log.records().get(0).getLoggerName());
    }
  }

  @Test
  void records_of_a_create_that_fails_say_why() {
    FAKE.create =
        request -> {
          FakeBackend.log(request.sink(), LogLevel.ERROR, "", "no disk", "");
          throw FakeBackend.failure(Status.INTERNAL, "create failed");
        };
    assertThrows(PluginException.class, () -> Plugin.load(LIBRARY));
    assertEquals(List.of("no disk"), log.messages());
    assertEquals("rustbridge.fake", log.records().get(0).getLoggerName());
  }

  @Test
  void an_instance_that_cannot_be_described_is_closed() {
    FAKE.description = "nonsense";
    int before = FAKE.instances.size();
    var error = assertThrows(IllegalStateException.class, () -> Plugin.load(LIBRARY));
    assertTrue(error.getMessage().contains("description"), error.getMessage());
    assertEquals(before + 1, FAKE.instances.size());
    long handle = Collections.max(FAKE.instances.keySet());
    assertEquals(State.CLOSED, FAKE.instances.get(handle).state);
  }

  @Test
  void it_tells_about_itself() {
    FAKE.description = "{\"name\":\"fake\",\"version\":\"0.2.0\",\"methods\":[]}";
    Plugin plugin = Plugin.load(LIBRARY);
    assertEquals("fake", plugin.backend());
    assertEquals(State.ACTIVE, plugin.state());
    assertEquals("0.2.0", plugin.describe().version());
    assertEquals(FAKE.description, plugin.describeJson());
    assertEquals("Plugin[fake, open by fake]", plugin.toString());
    assertEquals("{\"instances\":[]}", Plugin.inspect());
    assertEquals("1.2.3", Plugin.nativeVersion());
    plugin.close();
    assertEquals(State.CLOSED, plugin.state());
    assertEquals("Plugin[fake, closed by fake]", plugin.toString());
    assertThrows(PluginException.class, plugin::describe);
  }

  @Test
  void a_method_is_prepared_once_for_all_calls_by_name() {
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      int before = FAKE.prepared.get();
      for (int i = 0; i < 3; i++) {
        assertEquals("1", plugin.call("json", "1"));
        // Another object with the same characters.
        assertEquals("2", plugin.call(new String("json"), "2"));
        assertArrayEquals(new byte[] {3}, plugin.callRawBytes("pod", new byte[] {3}));
      }
      assertEquals(before + 2, FAKE.prepared.get());
    }
  }

  @Test
  void a_method_that_fails_to_prepare_is_tried_anew() {
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      for (int i = 0; i < 2; i++) {
        PluginException error =
            assertThrows(PluginException.class, () -> plugin.call("absent", "1"));
        assertEquals(Status.NOT_FOUND, error.status());
      }
      assertEquals(
          Status.NOT_FOUND,
          assertThrows(PluginException.class, () -> plugin.callRawBytes("absent", new byte[0]))
              .status());
    }
  }

  @Test
  void bytes_go_as_raw_else_as_pod() {
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      byte[] response = new byte[4];
      assertEquals(2, plugin.callRaw("raw", new byte[] {1, 2}, response));
      assertArrayEquals(new byte[] {1, 2, 0, 0}, response);
      assertEquals(
          1, plugin.callRaw("pod", ByteBuffer.wrap(new byte[] {5}), ByteBuffer.wrap(response)));
      assertEquals(5, response[0]);
      PluginException error =
          assertThrows(PluginException.class, () -> plugin.callRawZeroCopy("packed", new byte[0]));
      assertEquals(Status.UNIMPLEMENTED, error.status());
      assertEquals("method `packed` takes no bytes", error.getMessage());
    }
  }

  @Test
  void methods_are_found_by_name_and_number() {
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      Method byName = plugin.method("packed", Encoding.MSGPACK);
      assertEquals("Method[packed in msgpack]", byName.toString());
      assertSame(plugin, byName.plugin());
      Method byNumber = plugin.method(-1, Encoding.RAW);
      assertEquals("Method[4294967295 in raw, leaf]", byNumber.toString());
      assertTrue(byNumber.isLeaf());
      assertFalse(byNumber.isAsync());
      assertEquals(Encoding.JSON, plugin.method("json").encoding());
    }
  }

  record Point(int x, int y) {}

  @Test
  void objects_go_as_json() throws NoSuchMethodException {
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      assertEquals(new Point(1, 2), plugin.call("json", new Point(1, 2), Point.class));
      assertEquals(7, plugin.call("json", 7, int.class));
      assertNull(plugin.call("json", null, Point.class));
      Type points = PluginTest.class.getDeclaredMethod("points").getGenericReturnType();
      List<Point> two = List.of(new Point(1, 2), new Point(3, 4));
      assertEquals(two, plugin.call("json", two, points));
      assertEquals(two, plugin.method("json").call(two, points));
    }
  }

  List<Point> points() {
    return List.of();
  }

  @Test
  void objects_need_the_encoding_json() {
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      Method method = plugin.method("raw", Encoding.RAW);
      var error = assertThrows(IllegalStateException.class, () -> method.call(1, Integer.class));
      assertEquals(
          "text and objects require the encoding json, but raw was prepared with the encoding raw:"
              + " use callRawBytes, or prepare it with Encoding.JSON",
          error.getMessage());
    }
  }

  private static final class Upper implements JsonCodec {
    @Override
    public byte[] encode(Object value) {
      return String.valueOf(value)
          .toUpperCase(java.util.Locale.ROOT)
          .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object decode(byte[] json, Type type) {
      return new String(json, StandardCharsets.UTF_8) + " as " + type.getTypeName();
    }
  }

  @Test
  void the_codec_of_an_instance_is_used() {
    try (Plugin plugin = Plugin.load(LIBRARY, PluginConfig.defaults().codec(new Upper()))) {
      assertEquals("HI as java.lang.String", plugin.call("json", "hi", String.class));
    }
  }

  @Test
  void nulls_are_refused_by_the_name_of_the_parameter() {
    assertNullRefused("library", () -> Plugin.load((Path) null));
    assertNullRefused("image", () -> Plugin.load((byte[]) null));
    assertNullRefused("config", () -> Plugin.load(LIBRARY, null));
    assertNullRefused("config", () -> Plugin.load(new byte[0], null));
    assertNullRefused("anchor", () -> Plugin.loadResource(null, "a"));
    assertNullRefused("resource", () -> Plugin.loadResource(PluginTest.class, null));
    assertNullRefused("json", () -> PluginConfig.json((String) null));
    assertNullRefused("json", () -> PluginConfig.json((byte[]) null));
    assertNullRefused("value", () -> PluginConfig.of(null));
    PluginConfig config = PluginConfig.defaults();
    assertNullRefused("name", () -> config.named(null));
    assertNullRefused("level", () -> config.logLevel(null));
    assertNullRefused("logger", () -> config.logger(null));
    assertNullRefused("listener", () -> config.logListener(null));
    assertNullRefused("codec", () -> config.codec(null));
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      assertNullRefused("method", () -> plugin.call(null, "1"));
      assertNullRefused("method", () -> plugin.callRawBytes(null, new byte[0]));
      assertNullRefused("method", () -> plugin.method(null));
      assertNullRefused("encoding", () -> plugin.method("json", null));
      assertNullRefused("encoding", () -> plugin.method(1, null));
      assertNullRefused("type", () -> plugin.call("json", 1, (Class<?>) null));
      assertNullRefused("level", () -> plugin.setLogLevel(null));
      assertNullRefused("listener", () -> plugin.setLogListener(null));
      assertNullRefused("timeout", () -> plugin.flushLogs(null));
      assertNullRefused("timeout", () -> plugin.close(null));
    }
  }

  @Test
  void the_log_level_changes_at_run_time() {
    Plugin plugin = Plugin.load(LIBRARY);
    assertEquals(LogLevel.INFO, plugin.logLevel());
    plugin.setLogLevel(LogLevel.DEBUG);
    assertEquals(LogLevel.DEBUG, plugin.logLevel());
    assertEquals(LogLevel.DEBUG.number(), FAKE.of(plugin).level);
    plugin.close();
    PluginException error =
        assertThrows(PluginException.class, () -> plugin.setLogLevel(LogLevel.ERROR));
    assertEquals(Status.UNAVAILABLE, error.status());
    assertEquals("it's CLOSED", error.getMessage());
    assertEquals(LogLevel.DEBUG, plugin.logLevel());
  }

  @Test
  void the_logger_changes_at_run_time() {
    Plugin plugin = Plugin.load(LIBRARY);
    List<LogRecord> records = new ArrayList<>();
    plugin.setLogListener(records::add);
    FAKE.of(plugin).log("t", "to the listener");
    assertEquals("to the listener", records.get(0).message());
    assertEquals("fake", records.get(0).instance());
    plugin.setLogger(null);
    FAKE.of(plugin).log("t", "to the default");
    assertEquals(1, records.size());
    assertEquals(List.of("to the default"), log.messages());
    plugin.close();
    assertThrows(PluginException.class, () -> plugin.setLogger(null));
  }

  @Test
  void a_flush_that_is_not_in_time_is_a_failure() {
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      plugin.flushLogs(Duration.ofSeconds(1));
      assertEquals(1000, FAKE.of(plugin).lastTimeout);
      PluginException error =
          assertThrows(PluginException.class, () -> plugin.flushLogs(Duration.ZERO));
      assertEquals(Status.DEADLINE_EXCEEDED, error.status());
      assertEquals("a record still waits", error.getMessage());
    }
  }

  @Test
  void many_threads_call_by_name_at_once() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String mine = Integer.toString(i);
        all.add(
            pool.submit(() -> {
              byte[] bytes = mine.getBytes(StandardCharsets.UTF_8);
              for (int round = 0; round < 20_000; round++) {
                assertEquals(mine, plugin.call("json", mine));
                String other = (round & 1) == 0 ? "raw" : "pod";
                assertArrayEquals(bytes, plugin.callRawBytes(other, bytes));
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      pool.shutdown();
    }
  }
}
