package io.github.rustbridge.jni;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The natives themselves, with arguments that the classes over them never pass. */
class NativeTest {
  private static final Plugin PLUGIN = Plugins.conformance();

  @AfterAll
  static void close() {
    PLUGIN.close();
  }

  private static String takeText(long result, int status) {
    long[] out = new long[1];
    String text = new String(Native.takeOutcome(result, 0, out), StandardCharsets.UTF_8);
    assertEquals(status, out[0], text);
    return text;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 0x7fff_ffff_ffff_ffffL, 0x8000_0000_0000_0000L, 0xdead_beef})
  void a_made_up_handle_gets_a_status(long handle) {
    int invalid = Status.INVALID_ARGUMENT.number();
    takeText(Native.callInto(handle, 0, 0, 0, 0, 0), invalid);
    takeText(Native.callArray(handle, 0, new byte[3], 0, 3, 0, 0), invalid);
    long[] out = new long[9];
    Native.describe(handle, out);
    assertEquals(invalid, out[0]);
    Native.prepare(handle, new byte[] {'x'}, 0, out);
    assertEquals(invalid, out[0]);
    Native.prepareId(handle, 1, 0, out);
    assertEquals(invalid, out[0]);
    Native.close(handle, 0, out);
    assertEquals(invalid, out[0]);
    Native.state(handle, out);
    assertEquals(invalid, out[0]);
    Native.setLogLevel(handle, 1, out);
    assertEquals(invalid, out[0]);
    Native.setLogSink(handle, null, 0, out);
    assertEquals(invalid, out[0]);
    Native.flushLogs(handle, 0, out);
    assertEquals(invalid, out[0]);
  }

  @Test
  void a_made_up_entry_or_length_gets_a_status() {
    takeText(Native.callInto(PLUGIN.handle(), -1, 0, 0, 0, 0), Status.NOT_FOUND.number());
    String text =
        takeText(
            Native.callInto(PLUGIN.handle(), 0, 0, -5, 0, 0), Status.INVALID_ARGUMENT.number());
    assertTrue(text.contains("request"), text);
    takeText(Native.callInto(PLUGIN.handle(), 0, 0, 5, 0, 0), Status.INVALID_ARGUMENT.number());
    takeText(Native.callInto(PLUGIN.handle(), 0, 0, 0, 0, 5), Status.INVALID_ARGUMENT.number());
    takeText(Native.callInto(PLUGIN.handle(), 0, 0, 0, 0, -5), Status.INVALID_ARGUMENT.number());
  }

  @Test
  void a_null_array_is_a_null_pointer_exception_or_counts_as_none() {
    long handle = PLUGIN.handle();
    assertThrows(NullPointerException.class, () -> Native.callArray(handle, 0, null, 0, 0, 0, 0));
    assertThrows(NullPointerException.class, () -> Native.describe(handle, null));
    assertThrows(NullPointerException.class, () -> Native.address(null));
    long[] out = new long[9];
    Native.prepare(handle, null, 0, out);
    assertEquals(Status.NOT_FOUND.number(), out[0]);
    Native.load(
        null,
        null,
        null,
        null,
        0,
        0,
        0,
        0,
        null,
        new ServiceDelivery[0],
        new byte[0],
        new int[0],
        null,
        out);
    assertEquals(Status.INVALID_ARGUMENT.number(), out[0]);
  }

  @Test
  void an_array_too_short_for_what_it_is_to_hold_is_refused() {
    assertThrows(
        RuntimeException.class,
        () -> Native.prepare(PLUGIN.handle(), new byte[] {'x'}, 0, new long[2]));
    assertThrows(RuntimeException.class, () -> Native.describe(PLUGIN.handle(), new long[0]));
    for (int[] range : new int[][] {{-1, 2}, {0, 9}, {8, 1}, {4, -1}, {Integer.MAX_VALUE, 1}}) {
      assertThrows(
          RuntimeException.class,
          () -> Native.callArray(PLUGIN.handle(), 0, new byte[8], range[0], range[1], 0, 0));
    }
  }

  @Test
  void a_result_that_is_a_length_stands_for_no_outcome() {
    assertThrows(RuntimeException.class, () -> Native.takeOutcome(0, 0, new long[1]));
    assertThrows(RuntimeException.class, () -> Native.takeIntoArray(5, new byte[8], 0, 8));
    assertThrows(RuntimeException.class, () -> Native.takeIntoMemory(5, 0, 8));
    assertThrows(RuntimeException.class, () -> Native.leaseLength(5));
    assertThrows(RuntimeException.class, () -> Native.leaseBytes(5));
    assertThrows(RuntimeException.class, () -> Native.leaseBuffer(5));
    assertThrows(RuntimeException.class, () -> Native.releaseOutcome(5));
  }

  @Test
  void only_direct_buffers_have_an_address() {
    ByteBuffer direct = ByteBuffer.allocateDirect(16);
    long address = Native.address(direct);
    assertNotEquals(0, address);
    assertEquals(address + 5, Native.address(direct.position(5).slice()));
    assertThrows(RuntimeException.class, () -> Native.address(ByteBuffer.allocate(16)));
  }

  @Test
  void a_response_that_was_handed_over_is_taken_as_the_caller_wants_it() {
    JniMethod echo = (JniMethod) PLUGIN.method("raw.echo", Encoding.RAW);
    byte[] data = "handed over".getBytes(StandardCharsets.UTF_8);
    long handle = PLUGIN.handle();
    int entry = echo.entry();

    byte[] array = new byte[data.length + 4];
    long result = Native.callArray(handle, entry, data, 0, data.length, 0, 0);
    assertEquals(-1, Native.takeIntoArray(result, array, 0, data.length - 1));
    assertEquals(data.length, Native.leaseLength(result));
    assertArrayEquals(data, Native.leaseBytes(result));
    ByteBuffer view = Native.leaseBuffer(result);
    assertTrue(view.isDirect());
    assertEquals(ByteBuffer.wrap(data), view);
    assertEquals(data.length, Native.takeIntoArray(result, array, 2, data.length));
    assertEquals(ByteBuffer.wrap(data), ByteBuffer.wrap(array, 2, data.length));

    ByteBuffer memory = ByteBuffer.allocateDirect(32);
    result = Native.callArray(handle, entry, data, 0, data.length, 0, 0);
    assertEquals(-1, Native.takeIntoMemory(result, Native.address(memory), data.length - 1));
    assertEquals(data.length, Native.takeIntoMemory(result, Native.address(memory), 32));
    assertEquals(ByteBuffer.wrap(data), memory.limit(data.length));
  }

  @Test
  void the_library_says_its_version() {
    assertEquals(Plugin.nativeVersion(), Native.version());
    assertTrue(Native.version().matches("\\d+\\.\\d+\\.\\d+.*"));
  }
}
