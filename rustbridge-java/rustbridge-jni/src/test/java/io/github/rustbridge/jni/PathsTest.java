package io.github.rustbridge.jni;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.interop.Sizes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ways that a call takes by the size and the kind of its memory, at the sizes where they part.
 */
class PathsTest {
  private static final Plugin PLUGIN = Plugins.conformance();
  private static final Method ECHO = PLUGIN.method("raw.echo", Encoding.RAW);
  private static final Method LEAF = PLUGIN.method("raw.leaf", Encoding.RAW);

  @AfterAll
  static void close() {
    PLUGIN.close();
  }

  static IntStream sizes() {
    return IntStream.of(
            0,
            1,
            8,
            Sizes.JNI_COPIED,
            Sizes.FIRST,
            4 * Sizes.FIRST,
            1 << 17,
            256 << 10,
            Sizes.JNI_REQUEST)
        .flatMap(size -> IntStream.of(size - 1, size, size + 1))
        .filter(size -> size >= 0)
        .distinct();
  }

  private static byte[] data(int size) {
    byte[] data = new byte[size];
    for (int i = 0; i < size; i++) {
      data[i] = (byte) (i % 251);
    }
    return data;
  }

  private static ByteBuffer direct(byte[] data) {
    ByteBuffer whole = ByteBuffer.allocateDirect(data.length + 9).position(4);
    return whole.put(data).flip().position(4).slice();
  }

  private static List<ByteBuffer> requests(byte[] data) {
    byte[] framed = new byte[data.length + 7];
    System.arraycopy(data, 0, framed, 3, data.length);
    List<ByteBuffer> requests = new ArrayList<>();
    requests.add(ByteBuffer.wrap(data));
    requests.add(ByteBuffer.wrap(framed, 3, data.length));
    requests.add(ByteBuffer.wrap(framed, 3, data.length).slice());
    requests.add(ByteBuffer.wrap(framed, 3, data.length).asReadOnlyBuffer());
    requests.add(direct(data));
    requests.add(direct(data).asReadOnlyBuffer());
    return requests;
  }

  private static List<ByteBuffer> responses(int size) {
    return List.of(
        ByteBuffer.allocate(size),
        ByteBuffer.allocate(size + 5).position(2).slice(),
        ByteBuffer.allocateDirect(size),
        ByteBuffer.allocateDirect(size + 3000).position(7));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void every_way_gives_the_same_bytes(int size) {
    byte[] data = data(size);
    for (Method echo : List.of(ECHO, LEAF)) {
      assertArrayEquals(data, echo.callRawBytes(data));
      byte[] array = new byte[size + 3];
      assertEquals(size, echo.callRaw(data, array));
      assertEquals(ByteBuffer.wrap(data), ByteBuffer.wrap(array, 0, size));
      try (RawResponse lease = echo.callRawZeroCopy(data)) {
        assertEquals(size, lease.length());
        assertArrayEquals(data, lease.toByteArray());
        assertEquals(ByteBuffer.wrap(data), lease.buffer());
        assertTrue(lease.buffer().isReadOnly() && lease.buffer().isDirect());
      }
      for (ByteBuffer request : requests(data)) {
        int start = request.position();
        try (RawResponse lease = echo.callRawZeroCopy(request)) {
          assertArrayEquals(data, lease.toByteArray());
        }
        for (ByteBuffer response : responses(size)) {
          int at = response.position();
          assertEquals(size, echo.callRaw(request.position(start), response));
          assertEquals(request.limit(), request.position());
          assertEquals(ByteBuffer.wrap(data), response.flip().position(at));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void a_response_that_does_not_fit_is_in_the_exception(int size) {
    if (size == 0) {
      return;
    }
    byte[] data = data(size);
    List<ByteBuffer> responses = new ArrayList<>();
    responses.add(ByteBuffer.allocate(size - 1));
    responses.add(ByteBuffer.allocateDirect(size - 1));
    for (ByteBuffer request : requests(data)) {
      for (ByteBuffer response : responses) {
        int start = request.position();
        var tooLarge =
            assertThrows(ResponseTooLargeException.class, () -> ECHO.callRaw(request, response));
        assertArrayEquals(data, tooLarge.response());
        assertEquals(start, request.position());
        assertEquals(0, response.position());
      }
    }
    var tooLarge =
        assertThrows(ResponseTooLargeException.class, () -> ECHO.callRaw(data, new byte[size - 1]));
    assertArrayEquals(data, tooLarge.response());
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void direct_buffers_may_overlap(int size) {
    byte[] data = data(size);
    ByteBuffer memory = ByteBuffer.allocateDirect(size + 20);
    for (int shift : new int[] {-10, -1, 0, 1, 10}) {
      ByteBuffer request = memory.duplicate().position(10).put(data).flip().position(10);
      ByteBuffer response = memory.duplicate().position(10 + shift).limit(10 + shift + size);
      assertEquals(size, LEAF.callRaw(request, response));
      assertEquals(ByteBuffer.wrap(data), response.flip().position(10 + shift));
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void text_takes_the_same_ways(int size) {
    Method value = PLUGIN.method("types.value");
    String json = "\"" + "ö".repeat(size / 2) + "\"";
    assertEquals(json, value.call(json));
  }

  @Test
  void an_error_payload_longer_than_the_scratch_arrives_whole() {
    Method fail = PLUGIN.method("raw.fail", Encoding.RAW);
    for (int size : new int[] {1, 100, 2000, Sizes.FIRST, 100_000, Sizes.JNI_REQUEST + 1}) {
      String message = "m".repeat(size);
      byte[] request = message.getBytes(StandardCharsets.UTF_8);
      ByteBuffer storage = ByteBuffer.allocateDirect(5000);
      for (Runnable call :
          List.<Runnable>of(
              () -> fail.callRawBytes(request),
              () -> fail.callRaw(request, new byte[size]),
              () -> fail.callRawZeroCopy(request),
              () -> fail.callRaw(direct(request), storage))) {
        assertEquals(message, assertThrows(PluginException.class, call::run).getMessage());
      }
      assertEquals(0, storage.position());
    }
  }

  @Test
  void sixteen_megabytes_go_there_and_back() {
    byte[] data = data(16 << 20);
    assertArrayEquals(data, ECHO.callRawBytes(data));
    ByteBuffer response = ByteBuffer.allocateDirect(data.length);
    assertEquals(data.length, ECHO.callRaw(direct(data), response));
    assertEquals(ByteBuffer.wrap(data), response.flip());
  }

  @Test
  void a_method_changes_between_long_and_short_responses() {
    Method value = PLUGIN.method("types.value");
    byte[] array = new byte[5 << 20];
    ByteBuffer heap = ByteBuffer.wrap(array);
    int[] lengths = {
      10, 3 << 20, 3 << 20, 10, 10, 4 << 20, 20_000, 4 << 20, 4 << 20, 70_000, 70_000, 10
    };
    for (int length : lengths) {
      String json = "\"" + "é".repeat(length / 2) + "\"";
      byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
      assertEquals(json, value.call(json));
      assertArrayEquals(utf8, value.callRawBytes(utf8));
      assertEquals(utf8.length, value.callRaw(utf8, array));
      assertEquals(utf8.length, value.callRaw(ByteBuffer.wrap(utf8), heap.clear()));
      assertEquals(ByteBuffer.wrap(utf8), heap.flip());
      assertThrows(
          ResponseTooLargeException.class, () -> value.callRaw(utf8, new byte[utf8.length - 1]));
    }
  }

  @Test
  void threads_that_want_megabytes_at_once_all_get_theirs() {
    Method value = PLUGIN.method("types.value");
    String json = "\"" + "x".repeat(2 << 20) + "\"";
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> assertEquals(json.length(), value.call(json).length()));
    IntStream.range(0, 40).parallel().forEach(i -> assertEquals(json, value.call(json)));
  }

  @Test
  void a_buffer_used_again_is_found_where_it_is() {
    // The address of the last one is remembered.
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      byte[] data = data(4000);
      data[0] = (byte) i;
      buffers.add(direct(data));
    }
    ByteBuffer one = ByteBuffer.allocateDirect(4000);
    ByteBuffer other = ByteBuffer.allocateDirect(4000);
    for (int i = 0; i < 50; i++) {
      ByteBuffer request = buffers.get(i % 5 * (i % 3) % 5);
      ByteBuffer response = i % 4 == 0 ? other : one;
      ECHO.callRaw(request.clear(), response.clear());
      assertEquals(request.clear(), response.clear());
    }
  }
}
