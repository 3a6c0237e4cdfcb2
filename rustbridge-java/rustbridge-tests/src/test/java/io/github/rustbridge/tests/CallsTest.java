package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.Status;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calling methods: what a first program does, and every size and shape of message. */
class CallsTest {
  private static final Plugin HELLO = Plugins.hello();
  private static final Plugin CONFORMANCE = Plugins.conformance();

  @AfterAll
  static void close() {
    HELLO.close();
    CONFORMANCE.close();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] longs(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(values).forEach(bytes::putLong);
    return bytes.array();
  }

  @Test
  void the_backend_under_test_is_the_one_in_use() {
    assertEquals(Plugins.backend(), HELLO.backend());
  }

  @Test
  void text_goes_in_and_text_comes_out() {
    assertEquals(
        "{\"message\":\"größer 🦀\",\"length\":13}",
        HELLO.call("echo", "{\"message\": \"größer 🦀\"}"));
    assertEquals(
        "{\"greeting\":\"Hello, Ada! Welcome to rustbridge.\"}",
        HELLO.call("greet", "{\"name\":\"Ada\"}"));
  }

  @Test
  void a_prepared_method_is_called_in_every_way() {
    Method add = HELLO.method("math.add", Encoding.POD);
    byte[] request = longs(40, 2);
    byte[] answer = longs(42);
    assertArrayEquals(answer, add.callRawBytes(request));
    byte[] storage = new byte[8];
    assertEquals(8, add.callRaw(request, storage));
    assertArrayEquals(answer, storage);
    ByteBuffer buffer = ByteBuffer.allocateDirect(8);
    assertEquals(8, add.callRaw(ByteBuffer.wrap(request), buffer));
    assertEquals(ByteBuffer.wrap(answer), buffer.flip());
    try (RawResponse response = add.callRawZeroCopy(request)) {
      assertArrayEquals(answer, response.toByteArray());
    }
    try (RawResponse response = add.callRawZeroCopy(ByteBuffer.wrap(request))) {
      assertArrayEquals(answer, response.toByteArray());
    }
    Method echo = HELLO.method("echo");
    assertEquals("{\"message\":\"Hi\",\"length\":2}", echo.call("{\"message\":\"Hi\"}"));
    assertArrayEquals(
        utf8("{\"message\":\"Hi\",\"length\":2}"), echo.callRawBytes(utf8("{\"message\":\"Hi\"}")));
  }

  @Test
  void a_prepared_method_says_what_it_is() {
    Method add = HELLO.method("math.add", Encoding.POD);
    assertEquals("math.add", add.name());
    assertEquals(Encoding.POD, add.encoding());
    assertTrue(add.isLeaf());
    assertFalse(add.isAsync());
    assertEquals(16, add.requestSize());
    assertEquals(8, add.responseSize());
    assertSame(HELLO, add.plugin());
    assertEquals("Method[math.add in pod, leaf]", add.toString());
    Method sleep = HELLO.method("test.sleep");
    assertTrue(sleep.isAsync());
    assertFalse(sleep.isLeaf());
    assertEquals(0, sleep.requestSize());
    assertEquals(0, sleep.responseSize());
    assertEquals("Method[test.sleep in json]", sleep.toString());
  }

  @Test
  void a_method_is_found_by_its_numeric_id() {
    Method small = HELLO.method(1, Encoding.POD);
    assertEquals(76, small.requestSize());
    assertEquals(80, small.responseSize());
    ByteBuffer request = ByteBuffer.allocate(76).order(ByteOrder.LITTLE_ENDIAN);
    request.put(0, (byte) 1).put(4, utf8("bench_key")).putInt(68, 9).putInt(72, 1);
    byte[] answer = small.callRawBytes(request.array());
    assertArrayEquals(utf8("value_for_bench_key"), Arrays.copyOfRange(answer, 4, 23));
    Method highest = CONFORMANCE.method(-1, Encoding.JSON);
    assertEquals("4294967295", highest.name());
    assertEquals("{\"value\":5}", highest.call("{\"value\":5}"));
    assertEquals("{\"value\":6}", CONFORMANCE.method(0, Encoding.JSON).call("{\"value\":6}"));
    fails(Status.NOT_FOUND, () -> HELLO.method(77, Encoding.POD));
  }

  @Test
  void calls_by_name_take_raw_where_there_is_one_and_else_pod() {
    assertArrayEquals(new byte[] {0, -1}, CONFORMANCE.callRawBytes("raw.echo", new byte[] {0, -1}));
    assertArrayEquals(longs(42), HELLO.callRawBytes("math.add", longs(40, 2)));
    byte[] storage = new byte[9];
    assertEquals(8, HELLO.callRaw("math.add", longs(40, 2), storage));
    assertArrayEquals(longs(42), Arrays.copyOf(storage, 8));
    ByteBuffer buffer = ByteBuffer.allocateDirect(8);
    assertEquals(8, HELLO.callRaw("math.add", ByteBuffer.wrap(longs(40, 2)), buffer));
    assertEquals(ByteBuffer.wrap(longs(42)), buffer.flip());
    try (RawResponse response = CONFORMANCE.callRawZeroCopy("raw.echo", utf8("abc"))) {
      assertArrayEquals(utf8("abc"), response.toByteArray());
    }
    try (RawResponse response =
        CONFORMANCE.callRawZeroCopy("raw.echo", ByteBuffer.wrap(utf8("abc"), 1, 2))) {
      assertArrayEquals(utf8("bc"), response.toByteArray());
    }
    PluginException failure =
        fails(Status.UNIMPLEMENTED, () -> CONFORMANCE.callRawBytes("types.nothing", new byte[0]));
    assertTrue(failure.getMessage().contains("it has json"), failure.getMessage());
    fails(Status.NOT_FOUND, () -> CONFORMANCE.callRawBytes("no.such", new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 4095, 4096, 4097, 10_000, 65_535, 65_536, 65_537, 1_000_000})
  void messages_of_every_size_arrive_whole(int size) {
    byte[] data = new byte[size];
    for (int index = 0; index < size; index++) {
      data[index] = (byte) (index * 31 + index / 251);
    }
    for (String name : new String[] {"raw.echo", "raw.shared", "raw.leaf"}) {
      Method method = CONFORMANCE.method(name, Encoding.RAW);
      assertArrayEquals(data, method.callRawBytes(data));
      byte[] storage = new byte[size + 3];
      assertEquals(size, method.callRaw(data, storage));
      assertArrayEquals(data, Arrays.copyOf(storage, size));
      try (RawResponse response = method.callRawZeroCopy(data)) {
        assertArrayEquals(data, response.toByteArray());
      }
    }
    String text = "xé🦀\"".repeat(size / 8);
    String escaped = text.replace("\"", "\\\"");
    assertEquals(
        "{\"message\":\"" + escaped + "\",\"length\":" + utf8(text).length + "}",
        HELLO.call("echo", "{\"message\":\"" + escaped + "\"}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "é", "日本", "🦀", "aé", "é🦀", "\u0000", "\u007f\u0080", "\uffff"})
  void a_text_of_any_characters_comes_back_as_it_was(String text) {
    String json = "\"" + text.replace("\u0000", "\\u0000") + "\"";
    assertEquals(json, CONFORMANCE.call("types.value", json));
    // Long enough for the vectorised loops of encoders, with the odd character at each end.
    for (String padded : new String[] {"x".repeat(100) + text, text + "x".repeat(100)}) {
      String whole = "\"" + padded.replace("\u0000", "\\u0000") + "\"";
      assertEquals(whole, CONFORMANCE.call("types.value", whole));
    }
  }

  @Test
  void a_hundred_megabytes_arrive_whole() {
    byte[] data = new byte[100_000_000];
    for (int index = 0; index < data.length; index++) {
      data[index] = (byte) (index % 251);
    }
    Method echo = CONFORMANCE.method("raw.echo", Encoding.RAW);
    try (RawResponse response = echo.callRawZeroCopy(data)) {
      assertEquals(data.length, response.length());
      assertEquals(ByteBuffer.wrap(data), response.buffer());
    }
    byte[] storage = new byte[data.length];
    assertEquals(data.length, echo.callRaw(data, storage));
    assertTrue(Arrays.equals(data, storage));
  }

  @Test
  void a_call_may_be_made_with_nothing_and_answer_nothing() {
    Method echo = CONFORMANCE.method("raw.echo", Encoding.RAW);
    assertEquals(0, echo.callRawBytes(new byte[0]).length);
    assertEquals(0, echo.callRaw(new byte[0], new byte[0]));
    assertEquals(0, echo.callRaw(ByteBuffer.allocate(0), ByteBuffer.allocateDirect(0)));
    try (RawResponse response = echo.callRawZeroCopy(new byte[0])) {
      assertEquals(0, response.length());
      assertEquals(0, response.buffer().remaining());
      assertEquals(0, response.toByteArray().length);
    }
    Method empty = CONFORMANCE.method("raw.empty", Encoding.RAW);
    assertEquals(0, empty.callRawBytes(new byte[5]).length);
    assertEquals(0, empty.callRaw(new byte[5], new byte[0]));
    assertEquals("null", CONFORMANCE.call("types.nothing", "null"));
  }

  @Test
  void a_pod_of_the_wrong_size_is_refused_by_the_plugin() {
    Method add = HELLO.method("math.add", Encoding.POD);
    for (int size : new int[] {0, 1, 8, 15, 17, 32, 100_000}) {
      byte[] request = new byte[size];
      for (PluginException failure :
          new PluginException[] {
            fails(Status.INVALID_ARGUMENT, () -> add.callRawBytes(request)),
            fails(Status.INVALID_ARGUMENT, () -> add.callRaw(request, new byte[8])),
            fails(
                Status.INVALID_ARGUMENT,
                () -> add.callRaw(ByteBuffer.wrap(request), ByteBuffer.allocateDirect(8))),
            fails(Status.INVALID_ARGUMENT, () -> add.callRawZeroCopy(request))
          }) {
        assertTrue(failure.getMessage().contains("16"), failure.getMessage());
      }
    }
    assertArrayEquals(longs(0), add.callRawBytes(new byte[16]));
  }

  @Test
  void one_handler_answers_in_every_encoding() {
    assertEquals(
        "{\"sum\":5,\"difference\":-1}", CONFORMANCE.call("pod.mixed", "{\"a\":2,\"b\":3}"));
    assertArrayEquals(
        longs(5, -1), CONFORMANCE.method("pod.mixed", Encoding.POD).callRawBytes(longs(2, 3)));
    assertArrayEquals(
        new byte[] {10, 1}, // zigzag varints
        CONFORMANCE.method("pod.mixed", Encoding.POSTCARD).callRawBytes(new byte[] {4, 6}));
    assertArrayEquals(
        new byte[] {10, 1},
        CONFORMANCE.method("pod.mixed", Encoding.BINCODE).callRawBytes(new byte[] {4, 6}));
    byte[] answer =
        CONFORMANCE
            .method("pod.mixed", Encoding.MSGPACK)
            .callRawBytes(new byte[] {(byte) 0x82, (byte) 0xa1, 'a', 2, (byte) 0xa1, 'b', 3});
    assertEquals((byte) 0x82, answer[0]);
    fails(Status.UNIMPLEMENTED, () -> CONFORMANCE.method("pod.mixed", Encoding.RAW));
    assertEquals("{\"from\":\"json\"}", CONFORMANCE.call("split.answer", "{\"value\":1}"));
    assertArrayEquals(utf8("raw"), CONFORMANCE.callRawBytes("split.answer", new byte[0]));
  }

  @ParameterizedTest
  @CsvSource({"JSON, json", "RAW, raw", "MSGPACK, msgpack"})
  void an_encoding_has_the_name_that_descriptions_use(Encoding encoding, String text) {
    assertEquals(text, encoding.text());
  }

  @Test
  void a_name_that_is_not_ascii_is_a_name() {
    assertEquals("{\"value\":7}", CONFORMANCE.call("name.größe 🦀", "{\"value\":7}"));
    for (String name : new String[] {"", "echo\0", "é".repeat(10_000), "ECHO", "echo "}) {
      fails(Status.NOT_FOUND, () -> HELLO.call(name, "{}"));
      fails(Status.NOT_FOUND, () -> HELLO.method(name));
    }
  }

  @Test
  void deep_json_is_refused_and_the_instance_goes_on() {
    for (String deep : new String[] {"[".repeat(100_000), "{\"message\":".repeat(100_000)}) {
      fails(Status.INVALID_ARGUMENT, () -> HELLO.call("echo", deep));
    }
    assertEquals("{\"message\":\"on\",\"length\":2}", HELLO.call("echo", "{\"message\":\"on\"}"));
  }

  @Test
  void a_method_outlives_the_variable_that_held_its_plugin() {
    Method echo = Plugins.hello().method("echo");
    for (int round = 0; round < 20; round++) {
      System.gc();
      assertEquals("{\"message\":\"x\",\"length\":1}", echo.call("{\"message\":\"x\"}"));
    }
    echo.plugin().close();
    assertThrows(PluginException.class, () -> echo.call("{\"message\":\"x\"}"));
  }

  @Test
  void a_call_inside_which_the_collector_runs_reads_and_writes_the_right_memory()
      throws InterruptedException {
    Method leaf = CONFORMANCE.method("raw.leaf", Encoding.RAW);
    Method echo = CONFORMANCE.method("raw.echo", Encoding.RAW);
    AtomicBoolean stop = new AtomicBoolean();
    Thread collector =
        new Thread(() -> {
          while (!stop.get()) {
            System.gc();
          }
        });
    collector.start();
    try {
      for (int round = 0; round < 3_000; round++) {
        byte[] data = new byte[100 + round % 5_000];
        Arrays.fill(data, (byte) round);
        assertArrayEquals(data, leaf.callRawBytes(data));
        assertArrayEquals(data, echo.callRawBytes(data));
      }
    } finally {
      stop.set(true);
      collector.join();
    }
  }
}
