package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with segments of every kind, on both ways to call. */
class SegmentsTest {
  private static Plugin plugin;

  @BeforeAll
  static void open() {
    plugin = Plugins.conformance();
  }

  @AfterAll
  static void close() {
    plugin.close();
  }

  private static SegmentMethod method(String name) {
    return SegmentMethod.of(plugin.method(name, Encoding.RAW));
  }

  private static byte[] pattern(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (i % 251);
    }
    return bytes;
  }

  /** Makes segments of a size in every kind of memory. */
  private static List<Function<Arena, MemorySegment>> kinds(int size) {
    return List.of(
        arena -> arena.allocate(size),
        arena -> Arena.ofAuto().allocate(size, 8),
        arena -> Arena.global().allocate(size, 8),
        arena -> MemorySegment.ofArray(new byte[size + 3]).asSlice(1, size),
        arena -> MemorySegment.ofArray(new long[size / 8 + 2]).asSlice(5, size),
        arena -> MemorySegment.ofArray(new char[size / 2 + 1]).asSlice(0, size),
        arena -> MemorySegment.ofBuffer(ByteBuffer.allocateDirect(size)),
        arena -> MemorySegment.ofBuffer(ByteBuffer.allocate(size + 5).position(5)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.echo", "raw.leaf"})
  void any_memory_goes_in_and_out(String name) {
    SegmentMethod echo = method(name);
    for (int size : new int[] {0, 1, 100, 5_000, 64 << 10, (64 << 10) + 1, 300 << 10, 3 << 20}) {
      byte[] expected = pattern(size);
      for (var in : kinds(size)) {
        for (var out : kinds(size)) {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = in.apply(arena).copyFrom(MemorySegment.ofArray(expected));
            MemorySegment response = out.apply(arena);
            assertEquals(size, echo.callRaw(request, response));
            assertArrayEquals(expected, response.toArray(JAVA_BYTE));
            response.fill((byte) 0);
            assertEquals(size, echo.callRawUnshared(request, response));
            assertArrayEquals(expected, response.toArray(JAVA_BYTE));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.echo", "raw.leaf"})
  void read_only_requests_are_fine_and_read_only_targets_refused(String name) {
    SegmentMethod echo = method(name);
    for (var kind : kinds(8)) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment request = kind.apply(arena).fill((byte) 7).asReadOnly();
        MemorySegment response = kind.apply(arena);
        assertEquals(8, echo.callRaw(request, response));
        assertEquals(-1, request.mismatch(response));
        var error =
            assertThrows(
                IllegalArgumentException.class, () -> echo.callRaw(request, response.asReadOnly()));
        assertTrue(error.getMessage().contains("read-only"), error.getMessage());
      }
    }
    ByteBuffer target = ByteBuffer.allocate(8).asReadOnlyBuffer();
    assertThrows(ReadOnlyBufferException.class, () -> echo.callRaw(ByteBuffer.allocate(8), target));
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.echo", "raw.leaf"})
  void a_request_may_overlap_its_response(String name) {
    SegmentMethod echo = method(name);
    for (int shift : new int[] {0, 1, 50, 99, 100}) {
      for (var kind : kinds(400)) {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment memory = kind.apply(arena);
          memory.asSlice(0, 100).copyFrom(MemorySegment.ofArray(pattern(100)));
          assertEquals(100, echo.callRaw(memory.asSlice(0, 100), memory.asSlice(shift)));
          assertArrayEquals(pattern(100), memory.asSlice(shift, 100).toArray(JAVA_BYTE));
          memory.asSlice(0, 100).copyFrom(MemorySegment.ofArray(pattern(100)));
          assertEquals(100, echo.callRawUnshared(memory.asSlice(0, 100), memory.asSlice(shift)));
          assertArrayEquals(pattern(100), memory.asSlice(shift, 100).toArray(JAVA_BYTE));
        }
      }
    }
    byte[] array = pattern(100);
    assertEquals(100, echo.callRaw(array, array));
    assertArrayEquals(pattern(100), array);
    ByteBuffer buffer = ByteBuffer.wrap(array);
    assertEquals(100, echo.callRaw(buffer, buffer.duplicate()));
    assertEquals(100, buffer.position());
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.echo", "raw.leaf"})
  void what_does_not_fit_is_in_the_exception(String name) {
    SegmentMethod echo = method(name);
    for (int size : new int[] {20, 5_000, 300 << 10}) {
      for (var kind : kinds(16)) {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment request = MemorySegment.ofArray(pattern(size));
          MemorySegment response = kind.apply(arena);
          var error =
              assertThrows(ResponseTooLargeException.class, () -> echo.callRaw(request, response));
          assertArrayEquals(pattern(size), error.response());
          assertTrue(
              error.getMessage().contains(size + " bytes, but there is room for 16"),
              error.getMessage());
        }
      }
    }
  }

  @Test
  void errors_come_from_any_storage() {
    SegmentMethod fail = method("raw.fail");
    for (int size : new int[] {0, 16, 200, 5_000}) {
      for (var kind : kinds(size)) {
        for (String message : new String[] {"no", "x".repeat(400), "x".repeat(400_000)}) {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = MemorySegment.ofArray(message.getBytes(StandardCharsets.UTF_8));
            MemorySegment response = kind.apply(arena);
            var error = assertThrows(PluginException.class, () -> fail.callRaw(request, response));
            assertEquals(Status.ABORTED, error.status());
            assertEquals(message, error.getMessage());
          }
        }
      }
    }
  }

  @Test
  void errors_of_leaves_come_from_arrays_and_segments() {
    SegmentMethod mixed = SegmentMethod.of(plugin.method("pod.mixed", Encoding.POD));
    assertTrue(mixed.isLeaf());
    byte[] wrong = new byte[3];
    byte[] response = new byte[mixed.responseSize()];
    MemorySegment native8 = Arena.ofAuto().allocate(mixed.responseSize(), 8);
    for (var call :
        List.<org.junit.jupiter.api.function.Executable>of(
            () -> mixed.callRawBytes(wrong),
            () -> mixed.callRaw(wrong, response),
            () -> mixed.callRaw(MemorySegment.ofArray(wrong), native8),
            () -> mixed.callRaw(ByteBuffer.wrap(wrong), ByteBuffer.wrap(response)),
            () -> mixed.callRawZeroCopy(wrong))) {
      var error = assertThrows(PluginException.class, call);
      assertEquals(Status.INVALID_ARGUMENT, error.status(), error::toString);
    }
  }

  @Test
  void a_target_too_small_for_the_struct_is_refused_before_the_call() {
    SegmentMethod add = SegmentMethod.of(plugin.method("pod.add32", Encoding.POD));
    var error =
        assertThrows(
            IllegalArgumentException.class,
            () -> add.callRaw(Arena.ofAuto().allocate(8), Arena.ofAuto().allocate(7)));
    assertEquals(
        "the response of pod.add32 has 8 bytes, but there is room for 7", error.getMessage());
  }

  @Test
  void structs_are_read_where_they_lie() {
    SegmentMethod add = SegmentMethod.of(plugin.method("pod.add32", Encoding.POD));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(8, 4);
      request.set(JAVA_INT, 0, 40);
      request.set(JAVA_INT, 4, 2);
      MemorySegment response = arena.allocate(8, 4);
      assertEquals(8, add.callRaw(request, response));
      assertEquals(42, response.get(JAVA_INT, 0));
      assertEquals(40 ^ 2, response.get(JAVA_INT, 4));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.echo", "raw.leaf"})
  void a_closed_arena_is_refused(String name) {
    SegmentMethod echo = method(name);
    MemorySegment open = Arena.ofAuto().allocate(8);
    for (Arena arena : new Arena[] {Arena.ofConfined(), Arena.ofShared()}) {
      MemorySegment gone = arena.allocate(8);
      arena.close();
      assertThrows(IllegalStateException.class, () -> echo.callRaw(gone, open));
      assertThrows(IllegalStateException.class, () -> echo.callRaw(open, gone));
      assertThrows(IllegalStateException.class, () -> echo.callRaw(gone, gone));
      assertThrows(
          IllegalStateException.class,
          () -> echo.callRaw(MemorySegment.ofArray(new byte[8]), gone));
      assertThrows(IllegalStateException.class, () -> echo.callRawZeroCopy(gone));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.echo", "raw.leaf"})
  void another_threads_confined_arena_is_refused(String name) throws InterruptedException {
    SegmentMethod echo = method(name);
    MemorySegment mine = Arena.ofAuto().allocate(8);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment confined = arena.allocate(8);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread other =
          new Thread(() -> {
            assertThrows(WrongThreadException.class, () -> echo.callRaw(confined, mine));
            assertThrows(WrongThreadException.class, () -> echo.callRaw(mine, confined));
            assertThrows(WrongThreadException.class, () -> echo.callRawZeroCopy(confined));
          });
      other.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
      other.start();
      other.join();
      if (failure.get() != null) {
        throw new AssertionError(failure.get());
      }
    }
  }

  @Test
  void nulls_are_named() {
    SegmentMethod echo = method("raw.echo");
    MemorySegment segment = Arena.ofAuto().allocate(8);
    assertEquals(
        "request",
        assertThrows(NullPointerException.class, () -> echo.callRaw(null, segment)).getMessage());
    assertEquals(
        "response",
        assertThrows(NullPointerException.class, () -> echo.callRaw(segment, null)).getMessage());
    assertEquals(
        "method",
        assertThrows(
                NullPointerException.class,
                () -> SegmentMethod.of((io.github.rustbridge.Method) null))
            .getMessage());
  }

  @Test
  void an_empty_segment_offers_no_room() {
    SegmentMethod echo = method("raw.echo");
    MemorySegment request = Arena.ofAuto().allocate(8);
    assertThrows(ResponseTooLargeException.class, () -> echo.callRaw(request, MemorySegment.NULL));
    assertEquals(0, echo.callRaw(MemorySegment.NULL, MemorySegment.NULL));
    assertEquals(0, method("raw.empty").callRaw(request, MemorySegment.NULL));
  }

  @Test
  void buffers_move_on_success_only() {
    SegmentMethod echo = method("raw.leaf");
    ByteBuffer request =
        ByteBuffer.allocateDirect(64)
            .order(ByteOrder.nativeOrder())
            .putLong(8, 5)
            .position(8)
            .limit(16);
    ByteBuffer response = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder()).position(3);
    assertEquals(8, echo.callRaw(request, response));
    assertEquals(16, request.position());
    assertEquals(11, response.position());
    assertEquals(5, response.getLong(3));
    request.position(8);
    ByteBuffer small = ByteBuffer.allocate(4);
    assertThrows(ResponseTooLargeException.class, () -> echo.callRaw(request, small));
    assertEquals(8, request.position());
    assertEquals(0, small.position());
  }

  @Test
  @SuppressWarnings("restricted")
  void a_long_segment_is_no_integer_overflow() {
    // 5 GiB of address space, of which only the first page is ever touched.
    SegmentMethod sum = method("raw.echo");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = Arena.ofAuto().allocate(16).reinterpret(5L << 30, arena, null);
      MemorySegment request = arena.allocate(16).fill((byte) 1);
      assertEquals(16, sum.callRaw(request, target));
      assertEquals(0x0101010101010101L, target.get(JAVA_LONG, 8));
    }
  }
}
