package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How calls fail: statuses, details, panics, and answers in unusual forms. */
class ErrorsTest {
  private static final Plugin CONFORMANCE = Plugins.conformance();
  private static final Plugin HELLO = Plugins.hello();

  @AfterAll
  static void close() {
    CONFORMANCE.close();
    HELLO.close();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OK")
  void every_status_arrives(Status status) {
    PluginException failure =
        fails(
            status,
            () ->
                CONFORMANCE.call(
                    "status.fail", "{\"status\":\"" + status + "\",\"message\":\"größer 🦀\"}"));
    assertEquals("größer 🦀", failure.getMessage());
    assertTrue(failure.toString().contains(status.name()), failure.toString());
    assertTrue(failure.toString().contains("größer 🦀"), failure.toString());
    assertTrue(failure.backtrace().isEmpty());
  }

  @Test
  void a_status_of_ok_is_no_failure() {
    assertEquals(
        "null", CONFORMANCE.call("status.fail", "{\"status\":\"OK\",\"message\":\"fine\"}"));
  }

  @Test
  void an_exception_says_where_it_was_thrown_unless_told_not_to() {
    assertTrue(ForkedJvm.run(PrintsStackTrace.class).contains("theGuiltyPlace"));
    String plain =
        ForkedJvm.of(PrintsStackTrace.class).property("rustbridge.stackTraces", "false").succeeds();
    assertTrue(plain.contains("no such thing") && plain.contains("the cause"), plain);
    assertFalse(plain.contains("theGuiltyPlace"), plain);
  }

  static final class PrintsStackTrace implements Scenario {
    @Override
    public void run() {
      try (Plugin plugin = Plugins.conformance()) {
        PluginException failure = theGuiltyPlace(plugin);
        failure.initCause(new IllegalStateException("the cause"));
        failure.printStackTrace(System.out);
      }
    }

    private static PluginException theGuiltyPlace(Plugin plugin) {
      return fails(
          Status.NOT_FOUND,
          () ->
              plugin.call(
                  "status.fail", "{\"status\":\"NOT_FOUND\",\"message\":\"no such thing\"}"));
    }
  }

  @Test
  void details_are_values_of_java() {
    PluginException overflow =
        fails(
            Status.OUT_OF_RANGE,
            () -> HELLO.call("math.add", "{\"a\":9223372036854775807,\"b\":1}"));
    assertEquals(Map.of("a", Long.MAX_VALUE, "b", 1L), overflow.details());
    assertEquals("MathError.Overflow", overflow.type());
    PluginException conflict =
        fails(
            Status.ALREADY_EXISTS,
            () -> CONFORMANCE.call("error.typed", "{\"kind\":\"conflict\"}"));
    assertEquals(Map.of("x", 1L, "y", -2L), conflict.details().get("at"));
    assertEquals(List.of("ä", "b"), conflict.details().get("tags"));
    assertTrue(conflict.details().containsKey("limit"));
    assertNull(conflict.details().get("limit"));
    PluginException retry =
        fails(
            Status.UNAVAILABLE,
            () -> CONFORMANCE.call("error.details", "{\"retry_after_ms\":18446744073709551615}"));
    assertEquals(new BigInteger("18446744073709551615"), retry.details().get("retry_after_ms"));
    assertEquals("größer", retry.details().get("hint"));
    assertEquals("Retry", retry.type());
    PluginException busy =
        fails(
            Status.RESOURCE_EXHAUSTED,
            () -> CONFORMANCE.call("error.typed", "{\"kind\":\"busy\"}"));
    assertEquals(Map.of(), busy.details());
  }

  @Test
  void details_can_not_be_changed() {
    PluginException failure =
        fails(
            Status.ALREADY_EXISTS,
            () -> CONFORMANCE.call("error.typed", "{\"kind\":\"conflict\"}"));
    assertThrows(UnsupportedOperationException.class, () -> failure.details().put("limit", 1L));
    assertThrows(UnsupportedOperationException.class, () -> failure.details().clear());
  }

  @Test
  void every_way_to_call_fails_alike() {
    Method fail = CONFORMANCE.method("raw.fail", Encoding.RAW);
    Method leaf = HELLO.method("math.add", Encoding.POD);
    byte[] overflow = new byte[16];
    Arrays.fill(overflow, 0, 7, (byte) 0xff);
    overflow[7] = 0x7f;
    overflow[8] = 1;
    byte[] why = "why".getBytes(StandardCharsets.UTF_8);
    for (PluginException failure :
        List.of(
            fails(Status.ABORTED, () -> fail.callRawBytes(why)),
            fails(Status.ABORTED, () -> fail.callRaw(why, new byte[0])),
            fails(Status.ABORTED, () -> fail.callRaw(why, new byte[5_000])),
            fails(
                Status.ABORTED,
                () -> fail.callRaw(ByteBuffer.wrap(why), ByteBuffer.allocateDirect(1))),
            fails(Status.ABORTED, () -> fail.callRawZeroCopy(why)),
            fails(Status.ABORTED, () -> fail.callRawZeroCopy(ByteBuffer.wrap(why))))) {
      assertEquals("why", failure.getMessage());
      assertEquals(PluginException.class, failure.getClass());
    }
    for (PluginException failure :
        List.of(
            fails(Status.OUT_OF_RANGE, () -> leaf.callRawBytes(overflow)),
            fails(Status.OUT_OF_RANGE, () -> leaf.callRaw(overflow, new byte[8])),
            fails(Status.OUT_OF_RANGE, () -> leaf.callRaw(overflow, new byte[5_000])),
            fails(
                Status.OUT_OF_RANGE,
                () -> leaf.callRaw(ByteBuffer.wrap(overflow), ByteBuffer.allocateDirect(8))),
            fails(Status.OUT_OF_RANGE, () -> leaf.callRawZeroCopy(overflow)))) {
      assertEquals("9223372036854775807 + 1 doesn't fit into 64 bits", failure.getMessage());
      assertEquals(Map.of("a", Long.MAX_VALUE, "b", 1L), failure.details());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 5_000, 70_000, 1_000_000})
  void an_error_of_any_size_arrives_whole(int size) {
    try (Plugin fault = Plugins.fault()) {
      PluginException failure =
          fails(
              Status.DATA_LOSS,
              () -> fault.call("error.call", "{\"message\":\"heavy\",\"bytes\":" + size + "}"));
      assertEquals("heavy", failure.getMessage());
      assertEquals(size, assertInstanceOf(List.class, failure.details().get("bytes")).size());
      String message = "x".repeat(size);
      assertEquals(
          message,
          fails(
                  Status.DATA_LOSS,
                  () -> fault.call("error.call", "{\"message\":\"" + message + "\",\"bytes\":0}"))
              .getMessage());
    }
  }

  @Test
  void a_panic_tells_its_message_and_place_and_the_instance_goes_on() {
    try (Plugin fault = Plugins.fault()) {
      PluginException failure =
          fails(Status.INTERNAL, () -> fault.call("panic.call", "{\"message\":\"on purpose\"}"));
      assertEquals("panic", failure.type());
      assertEquals("on purpose", failure.getMessage());
      assertTrue(((String) failure.details().get("file")).endsWith(".rs"));
      assertTrue((Long) failure.details().get("line") > 0);
      assertTrue(failure.backtrace().isEmpty());
      assertEquals(State.ACTIVE, fault.state());
      assertEquals("{\"n\":1}", fault.call("count", "null"));
    }
  }

  @Test
  void a_backtrace_comes_along_when_asked_for() {
    try (Plugin fault = Plugins.load("fault-plugin", PluginConfig.defaults().backtraces())) {
      PluginException failure =
          fails(Status.INTERNAL, () -> fault.call("panic.leaf", "{\"message\":\"x\"}"));
      assertTrue(failure.backtrace().orElse("").contains("\n"), failure::toString);
    }
  }

  @Test
  void a_poisoned_instance_refuses_and_its_neighbour_does_not() {
    Plugin poisoned = Plugins.load("fault-plugin", PluginConfig.defaults().poisonOnPanic());
    try (Plugin neighbour = Plugins.fault()) {
      fails(Status.INTERNAL, () -> poisoned.call("panic.call", "{\"message\":\"x\"}"));
      assertEquals(State.POISONED, poisoned.state());
      fails(Status.FAILED_PRECONDITION, () -> poisoned.call("count", "null"));
      fails(Status.FAILED_PRECONDITION, () -> poisoned.callRawBytes("raw.echo", new byte[1]));
      fails(Status.FAILED_PRECONDITION, () -> poisoned.callRawZeroCopy("raw.echo", new byte[1]));
      assertEquals("fault", poisoned.describe().name());
      assertEquals("{\"n\":1}", neighbour.call("count", "null"));
      poisoned.close();
      assertEquals(State.CLOSED, poisoned.state());
    }
  }

  @Test
  void a_failure_whose_payload_is_no_json_and_no_utf8_tells_its_text() {
    try (Plugin odd = Plugins.load("fault-status", PluginConfig.defaults())) {
      Method garbage = odd.method("garbage", Encoding.RAW);
      PluginException failure = fails(Status.ABORTED, () -> garbage.callRawBytes(new byte[0]));
      assertTrue(failure.getMessage().contains("oops"), failure::toString);
      assertEquals("", failure.type());
      assertEquals(Map.of(), failure.details());
    }
  }

  @Test
  void a_plugin_whose_name_is_empty_is_one_like_others() {
    try (Plugin odd = Plugins.load("fault-status", PluginConfig.defaults());
        Plugin named = Plugins.load("fault-status", PluginConfig.defaults().named("odd"))) {
      assertEquals("", odd.name());
      assertEquals("", odd.describe().name());
      assertEquals("odd", named.name());
    }
  }

  @Test
  void answers_in_unusual_forms_are_answers_and_each_is_released_once() {
    try (Plugin odd = Plugins.load("fault-status", PluginConfig.defaults())) {
      Method fixed = odd.method("static", Encoding.RAW);
      Method released = odd.method("released", Encoding.RAW);
      Method releasedEmpty = odd.method("released_empty", Encoding.RAW);
      Method empty = odd.method("empty", Encoding.RAW);
      byte[] nothing = new byte[0];
      byte[] expected = "static".getBytes(StandardCharsets.UTF_8);
      assertEquals(0, count(released));
      assertArrayEquals(expected, fixed.callRawBytes(nothing));
      assertEquals(1, count(released));
      byte[] storage = new byte[100];
      assertEquals(6, fixed.callRaw(nothing, storage));
      assertArrayEquals(expected, Arrays.copyOf(storage, 6));
      assertEquals(2, count(released));
      ByteBuffer buffer = ByteBuffer.allocateDirect(10);
      assertEquals(6, fixed.callRaw(ByteBuffer.allocate(0), buffer));
      assertEquals(ByteBuffer.wrap(expected), buffer.flip());
      assertEquals(3, count(released));
      assertThrows(ResponseTooLargeException.class, () -> fixed.callRaw(nothing, new byte[5]));
      assertEquals(4, count(released));
      try (RawResponse response = fixed.callRawZeroCopy(nothing)) {
        assertArrayEquals(expected, response.toByteArray());
        assertEquals(4, count(released));
      }
      assertEquals(5, count(released));
      assertEquals(0, releasedEmpty.callRawBytes(nothing).length);
      assertEquals(6, count(released));
      assertEquals(0, releasedEmpty.callRaw(nothing, storage));
      assertEquals(7, count(released));
      try (RawResponse response = releasedEmpty.callRawZeroCopy(nothing)) {
        assertEquals(0, response.length());
        assertEquals(0, response.buffer().remaining());
      }
      assertEquals(8, count(released));
      assertEquals(0, empty.callRawBytes(nothing).length);
      assertEquals(0, empty.callRaw(nothing, storage));
      try (RawResponse response = empty.callRawZeroCopy(nothing)) {
        assertEquals(0, response.length());
      }
      assertEquals(8, count(released));
    }
  }

  private static long count(Method released) {
    return ByteBuffer.wrap(released.callRawBytes(new byte[0]))
        .order(ByteOrder.LITTLE_ENDIAN)
        .getLong();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 17, 255, 256, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void a_status_that_nobody_knows_is_unknown_or_internal(int raw) {
    try (Plugin odd = Plugins.load("fault-status", PluginConfig.defaults())) {
      byte[] request = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(raw).array();
      for (PluginException failure :
          List.of(
              assertThrows(PluginException.class, () -> odd.callRawBytes("status", request)),
              assertThrows(
                  PluginException.class, () -> odd.callRaw("status", request, new byte[99])),
              assertThrows(PluginException.class, () -> odd.callRawZeroCopy("status", request)))) {
        assertTrue(
            failure.status() == Status.UNKNOWN || failure.status() == Status.INTERNAL,
            failure::toString);
        assertTrue(!failure.getMessage().isEmpty());
      }
    }
  }

  @Test
  void every_status_without_a_payload_has_a_message() {
    try (Plugin odd = Plugins.load("fault-status", PluginConfig.defaults())) {
      for (Status status : Status.values()) {
        byte[] request = {(byte) status.number(), 0, 0, 0};
        if (status == Status.OK) {
          assertEquals(0, odd.callRawBytes("status", request).length);
        } else {
          PluginException failure = fails(status, () -> odd.callRawBytes("status", request));
          assertTrue(!failure.getMessage().isEmpty());
          assertEquals(Map.of(), failure.details());
        }
      }
    }
  }
}
