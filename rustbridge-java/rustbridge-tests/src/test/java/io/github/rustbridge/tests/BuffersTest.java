package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Memory of the caller's: every kind of buffer, parts of them, the same one twice, too small ones.
 */
class BuffersTest {
  private static final Plugin CONFORMANCE = Plugins.conformance();
  private static final Plugin HELLO = Plugins.hello();

  /** Ways to call that differ inside: a leaf method may be called with heap memory, others not. */
  static Stream<Method> echoes() {
    return Stream.of("raw.echo", "raw.leaf", "raw.shared")
        .map(name -> CONFORMANCE.method(name, Encoding.RAW));
  }

  @AfterAll
  static void close() {
    CONFORMANCE.close();
    HELLO.close();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<ByteBuffer> kinds(byte[] data) {
    byte[] framed = new byte[data.length + 20];
    System.arraycopy(data, 0, framed, 7, data.length);
    ByteBuffer direct = ByteBuffer.allocateDirect(framed.length).put(framed).clear();
    return List.of(
        ByteBuffer.wrap(data),
        ByteBuffer.wrap(data).asReadOnlyBuffer(),
        ByteBuffer.wrap(framed, 7, data.length),
        ByteBuffer.wrap(framed, 7, data.length).slice(),
        ByteBuffer.wrap(framed, 5, data.length + 2).slice().position(2),
        ByteBuffer.wrap(framed, 7, data.length).slice().asReadOnlyBuffer(),
        direct.duplicate().position(7).limit(7 + data.length),
        direct.slice(7, data.length),
        direct.slice(5, data.length + 2).position(2).asReadOnlyBuffer(),
        direct.slice(7, data.length).order(ByteOrder.LITTLE_ENDIAN));
  }

  @ParameterizedTest
  @MethodSource("echoes")
  void every_kind_of_buffer_is_a_request_and_a_response(Method echo) {
    for (int size : new int[] {0, 1, 40, 5_000, 70_000}) {
      byte[] data = new byte[size];
      for (int index = 0; index < size; index++) {
        data[index] = (byte) (index % 251);
      }
      for (ByteBuffer request : kinds(data)) {
        int start = request.position();
        for (ByteBuffer response : kinds(new byte[size])) {
          if (response.isReadOnly()) {
            continue;
          }
          int from = response.position();
          assertEquals(size, echo.callRaw(request.position(start), response));
          assertEquals(request.limit(), request.position());
          assertEquals(from + size, response.position());
          assertEquals(ByteBuffer.wrap(data), response.flip().position(from));
        }
        try (RawResponse lease = echo.callRawZeroCopy(request.position(start))) {
          assertEquals(request.limit(), request.position());
          assertArrayEquals(data, lease.toByteArray());
        }
      }
    }
  }

  @Test
  void a_mapped_file_is_a_request() throws IOException {
    Path file = Files.createTempFile("rustbridge-tests-", "");
    Files.write(file, utf8("mapped".repeat(1_000)));
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 6_000);
      ByteBuffer response = ByteBuffer.allocate(6_000);
      assertEquals(6_000, CONFORMANCE.callRaw("raw.echo", mapped, response));
      assertEquals(mapped.rewind(), response.flip());
    }
    // Windows deletes no file that is mapped, and it is until the buffer is collected.
    if (!Plugins.WINDOWS) {
      Files.delete(file);
    }
  }

  @ParameterizedTest
  @MethodSource("echoes")
  void a_response_that_does_not_fit_is_not_lost(Method echo) {
    for (int size : new int[] {5, 300, 5_000, 70_000, 1_000_000}) {
      byte[] data = new byte[size];
      Arrays.fill(data, (byte) size);
      for (int capacity : new int[] {0, 3, size - 1}) {
        var tooLarge =
            assertThrows(
                ResponseTooLargeException.class, () -> echo.callRaw(data, new byte[capacity]));
        assertArrayEquals(data, tooLarge.response());
        assertEquals(
            "the response has " + size + " bytes, but there is room for " + capacity,
            tooLarge.getMessage());
        for (ByteBuffer storage :
            new ByteBuffer[] {
              ByteBuffer.allocate(capacity + 4).position(2).limit(2 + capacity),
              ByteBuffer.allocateDirect(capacity + 4).position(2).limit(2 + capacity)
            }) {
          ByteBuffer request = ByteBuffer.wrap(data);
          var exception =
              assertThrows(ResponseTooLargeException.class, () -> echo.callRaw(request, storage));
          assertArrayEquals(data, exception.response());
          assertEquals(0, request.position());
          assertEquals(2, storage.position());
        }
      }
    }
  }

  @Test
  void storage_too_small_for_a_pod_is_told_before_the_call() {
    Method add = HELLO.method("math.add", Encoding.POD);
    for (int capacity : new int[] {0, 7}) {
      for (String message :
          new String[] {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> add.callRaw(new byte[16], new byte[capacity]))
                .getMessage(),
            assertThrows(
                    IllegalArgumentException.class,
                    () -> add.callRaw(ByteBuffer.allocate(16), ByteBuffer.allocate(capacity)))
                .getMessage(),
            assertThrows(
                    IllegalArgumentException.class,
                    () -> add.callRaw(ByteBuffer.allocate(16), ByteBuffer.allocateDirect(capacity)))
                .getMessage()
          }) {
        assertTrue(message.contains("8") && message.contains("" + capacity), message);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("echoes")
  void a_response_may_go_where_its_request_was(Method echo) {
    for (int size : new int[] {8, 5_000, 70_000}) {
      byte[] data = new byte[size];
      for (int index = 0; index < size; index++) {
        data[index] = (byte) (index % 127);
      }
      byte[] array = data.clone();
      assertEquals(size, echo.callRaw(array, array));
      assertArrayEquals(data, array);
      for (ByteBuffer whole :
          new ByteBuffer[] {ByteBuffer.allocate(size + 2), ByteBuffer.allocateDirect(size + 2)}) {
        for (int shift : new int[] {0, 1, 2}) {
          whole.clear().put(data);
          ByteBuffer request = whole.duplicate().flip();
          ByteBuffer response = whole.duplicate().position(shift).limit(size + shift);
          assertEquals(size, echo.callRaw(request, response));
          byte[] found = new byte[size];
          whole.get(shift, found);
          assertArrayEquals(data, found, "shifted by " + shift);
        }
        // The response lies before the request.
        whole.clear().position(2);
        whole.put(data);
        ByteBuffer request = whole.duplicate().position(2);
        assertEquals(size, echo.callRaw(request, whole.duplicate().position(0).limit(size)));
        byte[] found = new byte[size];
        whole.get(0, found);
        assertArrayEquals(data, found);
      }
    }
  }

  @Test
  void a_pod_may_be_answered_where_it_was_asked() {
    for (ByteBuffer buffer :
        new ByteBuffer[] {
          ByteBuffer.allocate(16).order(ByteOrder.nativeOrder()),
          ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder())
        }) {
      buffer.putLong(0, 40).putLong(8, 2);
      assertEquals(8, HELLO.callRaw("math.add", buffer.duplicate(), buffer.duplicate()));
      assertEquals(42, buffer.getLong(0));
    }
  }

  @Test
  void a_read_only_buffer_takes_no_response() {
    for (Method method :
        new Method[] {
          CONFORMANCE.method("raw.echo", Encoding.RAW), HELLO.method("math.add", Encoding.POD)
        }) {
      for (ByteBuffer storage :
          new ByteBuffer[] {
            ByteBuffer.allocate(16).asReadOnlyBuffer(),
            ByteBuffer.allocateDirect(16).asReadOnlyBuffer()
          }) {
        ByteBuffer request = ByteBuffer.allocate(16);
        assertThrows(ReadOnlyBufferException.class, () -> method.callRaw(request, storage));
        assertEquals(0, request.position());
        assertEquals(0, storage.position());
      }
    }
  }

  @Test
  void a_failed_call_moves_no_position() {
    Method fail = CONFORMANCE.method("raw.fail", Encoding.RAW);
    for (ByteBuffer storage :
        new ByteBuffer[] {ByteBuffer.allocate(1_000), ByteBuffer.allocateDirect(1_000)}) {
      storage.position(5);
      ByteBuffer request = ByteBuffer.wrap(utf8("why")).position(1);
      var failure = fails(Status.ABORTED, () -> fail.callRaw(request, storage));
      assertEquals("hy", failure.getMessage());
      assertEquals(1, request.position());
      assertEquals(5, storage.position());
      fails(Status.ABORTED, () -> fail.callRawZeroCopy(request));
      assertEquals(1, request.position());
    }
  }

  @Test
  void a_misaligned_pod_is_read_all_the_same() {
    Method add = HELLO.method("math.add", Encoding.POD);
    ByteBuffer room = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer answer = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
    for (int offset = 0; offset < 16; offset++) {
      room.clear().putLong(offset, 40).putLong(offset + 8, offset);
      room.position(offset).limit(offset + 16);
      assertEquals(8, add.callRaw(room, answer.clear().position(15 - offset)));
      assertEquals(40 + offset, answer.getLong(15 - offset));
    }
  }

  @Test
  void what_lies_around_the_response_is_left_alone() {
    for (Method echo : echoes().toList()) {
      byte[] storage = new byte[100];
      Arrays.fill(storage, (byte) 9);
      assertEquals(3, echo.callRaw(utf8("abc"), storage));
      assertEquals('c', storage[2]);
      for (ByteBuffer whole :
          new ByteBuffer[] {ByteBuffer.allocate(100), ByteBuffer.allocateDirect(100)}) {
        while (whole.hasRemaining()) {
          whole.put((byte) 9);
        }
        echo.callRaw(ByteBuffer.wrap(utf8("abc")), whole.duplicate().position(50).limit(60));
        for (int index = 0; index < 100; index++) {
          if (index < 50 || index >= 60) {
            assertEquals(9, whole.get(index), "byte " + index + " of " + whole);
          }
        }
      }
    }
  }
}
