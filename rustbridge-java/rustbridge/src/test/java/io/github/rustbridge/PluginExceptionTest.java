package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.spi.Failures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.math.BigInteger;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

final class PluginExceptionTest {
  private static final ExecutorService ASKERS = Executors.newFixedThreadPool(4);

  @AfterAll
  static void stop() {
    ASKERS.shutdown();
  }

  private static PluginException of(int status, String payload) {
    return Failures.of(status, payload.getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings("unchecked")
  private static <T> T copy(T value) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    }
  }

  @Test
  void a_payload_is_read_whole() {
    PluginException error =
        of(
            11,
            "{\"code\":\"OUT_OF_RANGE\",\"message\":\"too much\",\"type\":\"MathError::Overflow\","
                + "\"details\":{\"a\":9223372036854775807,\"list\":[null,2.5]},\"backtrace\":\"0: main\"}");
    assertEquals(Status.OUT_OF_RANGE, error.status());
    assertEquals("too much", error.getMessage());
    assertEquals("MathError::Overflow", error.type());
    assertEquals(Long.MAX_VALUE, error.details().get("a"));
    assertEquals(Arrays.asList(null, 2.5), error.details().get("list"));
    assertEquals(Optional.of("0: main"), error.backtrace());
    assertEquals(
        "io.github.rustbridge.PluginException: OUT_OF_RANGE (MathError::Overflow): too much",
        error.toString());
  }

  @Test
  void what_is_absent_is_empty() {
    PluginException error = of(5, "{\"code\":\"NOT_FOUND\",\"message\":\"no such method\"}");
    assertEquals("", error.type());
    assertEquals(Map.of(), error.details());
    assertEquals(Optional.empty(), error.backtrace());
    assertEquals(
        "io.github.rustbridge.PluginException: NOT_FOUND: no such method", error.toString());
  }

  @Test
  void a_payload_of_another_kind_still_reaches_the_user() {
    assertEquals("plain words", of(2, "plain words").getMessage());
    assertEquals("[1]", of(2, "[1]").getMessage());
    assertEquals("{\"a\":1}", of(2, "{\"a\":1}").getMessage());
    assertEquals("\ufffd", Failures.of(2, new byte[] {(byte) 0xff}).getMessage());
    assertEquals("the call failed with status UNKNOWN and no message", of(2, "").getMessage());
    assertEquals(Map.of("details", List.of(1L)), of(2, "{\"details\":[1]}").details());
    assertEquals(Status.UNKNOWN, of(99, "{}").status());
    assertEquals(Status.UNKNOWN, of(-1, "{}").status());
  }

  @Test
  void it_can_be_serialized() throws Exception {
    PluginException error =
        of(
            13,
            "{\"message\":\"m\",\"type\":\"panic\",\"details\":{\"a\":[1,{\"b\":null}],\"c\":18446744073709551615,\"d\":true},"
                + "\"backtrace\":\"trace\"}");
    PluginException copy = copy(error);
    assertSame(Status.INTERNAL, copy.status());
    assertEquals(error.toString(), copy.toString());
    assertEquals(error.details(), copy.details());
    assertEquals(new BigInteger("18446744073709551615"), copy.details().get("c"));
    assertEquals(error.backtrace(), copy.backtrace());
    assertThrows(UnsupportedOperationException.class, () -> copy.details().clear());
  }

  @Test
  void it_is_serialized_whether_it_was_read_or_not() throws Exception {
    String payload = "{\"message\":\"m\",\"type\":\"T\",\"details\":{\"a\":1}}";
    PluginException read = of(3, payload);
    assertEquals("m", read.getMessage());
    for (PluginException copy : List.of(copy(read), copy(of(3, payload)), copy(copy(read)))) {
      assertEquals("m", copy.getMessage());
      assertEquals("T", copy.type());
      assertEquals(Map.of("a", 1L), copy.details());
      assertEquals(Optional.empty(), copy.backtrace());
      assertEquals(read.toString(), copy.toString());
    }
  }

  @Test
  void what_it_says_is_read_once_whoever_asks() throws Exception {
    for (int round = 0; round < 200; round++) {
      PluginException error = of(3, "{\"message\":\"m\",\"details\":{\"a\":1}}");
      List<Callable<Map<String, Object>>> askers =
          Collections.nCopies(
              4,
              () -> {
                assertEquals("m", error.getMessage());
                return error.details();
              });
      for (Future<Map<String, Object>> details : ASKERS.invokeAll(askers)) {
        assertSame(error.details(), details.get());
      }
    }
  }

  /** As {@code rustbridge gen} writes them. */
  private static final class Generated extends PluginException {
    private static final long serialVersionUID = 1L;

    Generated(PluginException failed) {
      super(failed, null);
    }
  }

  @Test
  void one_that_is_made_of_another_says_what_that_says() throws Exception {
    String payload = "{\"message\":\"m\",\"type\":\"T\",\"details\":{\"a\":1}}";
    PluginException read = of(3, payload);
    assertEquals("T", read.type());
    for (PluginException failed : List.of(read, of(3, payload))) {
      Generated error = new Generated(failed);
      assertEquals("m", error.getMessage());
      assertEquals(failed.details(), error.details());
      assertSame(failed.status(), error.status());
      assertEquals(error.toString(), copy(error).toString());
      assertEquals(Generated.class.getName() + ": INVALID_ARGUMENT (T): m", error.toString());
    }
  }

  @Test
  void one_that_is_made_of_another_keeps_no_bytes_of_its_value() throws Exception {
    byte[] value = new byte[1 << 20];
    PluginException failed = PluginException.of(3, ErrorPayloadTest.typed("m", "A.B", value));
    Generated error = new Generated(failed);
    Field payload = PluginException.class.getDeclaredField("payload");
    payload.setAccessible(true);
    for (PluginException each : List.of(failed, error)) {
      assertTrue(((byte[]) payload.get(each)).length < 100);
      assertEquals("m", each.getMessage());
      assertEquals("A.B", each.type());
    }
    assertArrayEquals(value, failed.value());
  }

  /** Is asked what it says while it's being made, as by an agent. */
  private static final class Asked extends PluginException {
    private static final long serialVersionUID = 1L;

    private transient String seen;

    Asked(PluginException failed) {
      super(failed, null);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      seen = getMessage() + " " + type() + " " + details() + " " + this + " " + headers();
      return super.fillInStackTrace();
    }
  }

  @Test
  void one_that_is_asked_before_it_is_whole_says_nothing_and_later_all() {
    Asked error = new Asked(of(3, "{\"message\":\"m\",\"type\":\"T\"}"));
    assertEquals("null  {} " + Asked.class.getName() + " []", error.seen);
    assertEquals(Asked.class.getName() + ": INVALID_ARGUMENT (T): m", error.toString());
  }

  @Test
  void what_it_says_is_known_after_its_class_loader_was_closed() throws Exception {
    URL classes = PluginException.class.getProtectionDomain().getCodeSource().getLocation();
    Throwable error;
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      byte[] payload = "{\"message\":\"a\\nb\",\"details\":[{}]}".getBytes(StandardCharsets.UTF_8);
      error =
          (Throwable)
              loader
                  .loadClass(PluginException.class.getName())
                  .getMethod("of", int.class, byte[].class)
                  .invoke(null, 3, payload);
    }
    assertEquals("a\nb", error.getMessage());
    assertTrue(error.toString().endsWith("INVALID_ARGUMENT: a\nb"), error::toString);
  }

  @Test
  void what_is_printed_has_all_of_it() {
    StringWriter printed = new StringWriter();
    new IllegalStateException(of(3, "{\"message\":\"m\",\"type\":\"T\"}"))
        .printStackTrace(new PrintWriter(printed, true));
    String cause = "Caused by: io.github.rustbridge.PluginException: INVALID_ARGUMENT (T): m";
    assertTrue(printed.toString().contains(cause), printed.toString());
    assertEquals("m", of(3, "{\"message\":\"m\"}").getLocalizedMessage());
  }

  @Test
  void details_that_cannot_be_serialized_are_texts() throws Exception {
    Object odd =
        new Object() {
          @Override
          public String toString() {
            return "odd";
          }
        };
    Map<String, Object> details =
        new HashMap<>(Map.of("a", odd, "b", new ArrayList<>(List.of(odd))));
    PluginException error = new PluginException(Status.ABORTED, "", "m", details, null);
    details.clear();
    assertEquals(Map.of("a", "odd", "b", List.of("odd")), error.details());
    assertEquals(error.details(), copy(error).details());
  }

  @Test
  void status_and_type_are_never_null() {
    assertThrows(
        NullPointerException.class, () -> new PluginException(null, "", "m", Map.of(), null));
    assertThrows(
        NullPointerException.class,
        () -> new PluginException(Status.ABORTED, null, "m", Map.of(), null));
  }

  @Test
  void a_response_that_is_too_large_survives_too() throws Exception {
    ResponseTooLargeException error = new ResponseTooLargeException(new byte[] {1, 2, 3}, 2);
    assertEquals("the response has 3 bytes, but there is room for 2", error.getMessage());
    assertArrayEquals(new byte[] {1, 2, 3}, copy(error).response());
  }

  @Test
  void numbers_stand_for_what_the_host_abi_says() {
    assertEquals(17, Status.values().length);
    for (Status status : Status.values()) {
      assertSame(status, Status.of(status.number()));
    }
    assertEquals(16, Status.UNAUTHENTICATED.number());
    assertEquals(14, Status.UNAVAILABLE.number());
    for (State state : State.values()) {
      assertSame(state, State.of(state.number()));
    }
    assertEquals(1, State.ACTIVE.number());
    assertEquals(5, State.FORKED.number());
    for (int unknown : new int[] {0, 6, -1}) {
      assertSame(State.UNKNOWN, State.of(unknown));
    }
    for (LogLevel level : LogLevel.values()) {
      assertSame(level, LogLevel.of(level.number()));
    }
    assertEquals(5, LogLevel.TRACE.number());
    assertSame(LogLevel.TRACE, LogLevel.of(9));
    assertEquals(5, Encoding.POSTCARD.number());
    assertEquals(6, Encoding.WIRE.number());
    assertTrue(Encoding.MSGPACK.text().equals("msgpack"));
  }

  @Test
  void each_status_but_ok_has_a_method_of_its_name() throws Exception {
    for (Status status : Status.values()) {
      if (status == Status.OK) {
        continue;
      }
      StringBuilder name = new StringBuilder();
      for (String word : status.name().toLowerCase(java.util.Locale.ROOT).split("_")) {
        boolean first = name.length() == 0;
        name.append(first ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
      }
      Object made =
          PluginException.class.getMethod(name.toString(), String.class).invoke(null, "why");
      PluginException error = assertInstanceOf(PluginException.class, made);
      assertEquals(status, error.status());
      assertEquals("why", error.getMessage());
      assertEquals("", error.type());
      assertEquals(Map.of(), error.details());
    }
  }
}
