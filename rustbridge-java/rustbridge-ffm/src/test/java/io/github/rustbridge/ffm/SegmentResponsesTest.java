package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Plugin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Responses in the plugin's memory, and in arrays: views work until the end, and not a read longer.
 */
class SegmentResponsesTest {
  private static Plugin plugin;

  /** One that hands memory over, and one that owns an array. Each answers with 8 bytes. */
  private static List<SegmentMethod> methods() {
    return List.of(
        SegmentMethod.of(plugin.method("raw.echo", Encoding.RAW)),
        SegmentMethod.of(plugin.method("raw.leaf", Encoding.RAW)),
        SegmentMethod.of(plugin.method("pod.add32", Encoding.POD)));
  }

  /** A request that each of them answers with 5 and 5, as {@code raw.echo} does. */
  private static byte[] fives() {
    return new byte[] {5, 0, 0, 0, 0, 0, 0, 0};
  }

  private static final byte[] ECHOED = fives();
  private static final byte[] ADDED = {5, 0, 0, 0, 5, 0, 0, 0};

  private static byte[] expected(SegmentMethod method) {
    return method.encoding() == Encoding.POD ? ADDED : ECHOED;
  }

  @BeforeAll
  static void open() {
    plugin = Plugins.conformance();
  }

  @AfterAll
  static void close() {
    plugin.close();
  }

  @Test
  void there_are_two_kinds() {
    try (var leased = methods().get(0).callRawZeroCopy(fives());
        var array = methods().get(2).callRawZeroCopy(fives())) {
      assertInstanceOf(LeasedResponse.class, leased);
      assertInstanceOf(ArrayResponse.class, array);
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void values_are_read_in_place(SegmentMethod method) {
    byte[] expected = expected(method);
    ByteBuffer buffer = ByteBuffer.wrap(expected).order(ByteOrder.nativeOrder());
    try (SegmentResponse response = method.callRawZeroCopy(fives())) {
      assertEquals(8, response.length());
      for (int i = 0; i < 8; i++) {
        assertEquals(expected[i], response.getByte(i));
      }
      for (int i = 0; i <= 4; i++) {
        assertEquals(buffer.getInt(i), response.getInt(i));
      }
      assertEquals(buffer.getLong(0), response.getLong(0));
      assertEquals(buffer.getDouble(0), response.getDouble(0));
      assertArrayEquals(expected, response.toByteArray());
      for (Executable beyond :
          List.<Executable>of(
              () -> response.getByte(8),
              () -> response.getByte(-1),
              () -> response.getInt(5),
              () -> response.getLong(1),
              () -> response.getDouble(Long.MAX_VALUE),
              () -> response.getInt(Long.MIN_VALUE))) {
        assertThrows(IndexOutOfBoundsException.class, beyond);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_checked_view_ends_with_the_response(SegmentMethod method) {
    SegmentResponse response = method.callRawZeroCopy(fives());
    MemorySegment segment = response.checkedSegment();
    MemorySegment slice = segment.asSlice(4, 4);
    ByteBuffer derived = segment.asByteBuffer().slice(0, 4);
    assertSame(segment, response.checkedSegment());
    assertEquals(5, segment.get(JAVA_INT, 0));
    assertThrows(IllegalArgumentException.class, () -> segment.set(JAVA_INT, 0, 1));
    response.close();
    for (Executable use :
        List.<Executable>of(
            () -> segment.get(JAVA_INT, 0),
            () -> slice.get(JAVA_INT, 0),
            () -> segment.toArray(JAVA_BYTE),
            () -> derived.get(0),
            () -> response.length(),
            () -> response.segment(),
            () -> response.checkedSegment(),
            () -> response.segment(Arena.ofAuto()),
            () -> response.buffer(),
            () -> response.toByteArray(),
            () -> response.getByte(0),
            () -> response.getInt(0),
            () -> response.getLong(0))) {
      assertThrows(IllegalStateException.class, use);
    }
    assertFalse(segment.scope().isAlive());
    response.close();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void views_read_on_until_nobody_has_them(SegmentMethod method) {
    byte[] expected = expected(method);
    ByteBuffer buffer;
    MemorySegment slice;
    try (SegmentResponse response = method.callRawZeroCopy(fives())) {
      MemorySegment segment = response.segment();
      assertSame(segment, response.segment());
      assertTrue(segment.isReadOnly() && segment.isNative());
      assertThrows(IllegalArgumentException.class, () -> segment.set(JAVA_INT, 0, 1));
      slice = segment.asSlice(0, 8);
      buffer = response.buffer();
      assertTrue(buffer.isDirect() && buffer.isReadOnly());
    }
    for (int round = 0; round < 5; round++) {
      System.gc();
      assertEquals(ByteBuffer.wrap(expected), buffer);
      assertArrayEquals(expected, slice.toArray(JAVA_BYTE));
    }
  }

  @Test
  void views_of_what_was_dropped_or_handed_over_read_on_too() throws InterruptedException {
    byte[] request = new byte[40_000_000];
    Arrays.fill(request, (byte) 7);
    SegmentMethod echo = methods().get(0);
    ByteBuffer dropped = echo.callRawZeroCopy(request).buffer();
    MemorySegment view;
    try (Arena arena = Arena.ofConfined()) {
      SegmentResponse response = echo.callRawZeroCopy(request);
      view = response.segment();
      response.segment(arena);
    }
    for (int round = 0; round < 5; round++) {
      System.gc();
      // The thread that releases is to have had its chance.
      Thread.sleep(20);
      assertEquals(7, dropped.get(39_999_999));
      assertEquals(7, view.get(JAVA_BYTE, 39_999_999));
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void an_arena_takes_a_response_over(SegmentMethod method) {
    MemorySegment segment;
    SegmentResponse response;
    try (Arena arena = Arena.ofConfined()) {
      response = method.callRawZeroCopy(fives());
      segment = response.segment(arena);
      assertTrue(response.isClosed());
      var error = assertThrows(IllegalStateException.class, response::length);
      assertTrue(error.getMessage().contains("arena"), error.getMessage());
      assertThrows(IllegalStateException.class, () -> response.segment(arena));
      response.close();
      assertArrayEquals(expected(method), segment.toArray(JAVA_BYTE));
      assertTrue(segment.isReadOnly() && segment.isNative());
    }
    assertThrows(IllegalStateException.class, () -> segment.get(JAVA_BYTE, 0));
    assertThrows(IllegalStateException.class, response::length);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void an_arena_takes_the_checked_view_along(SegmentMethod method) {
    SegmentResponse response = method.callRawZeroCopy(fives());
    MemorySegment view = response.checkedSegment();
    try (Arena arena = Arena.ofConfined()) {
      response.segment(arena);
      assertEquals(5, view.get(JAVA_INT, 0));
    }
    assertThrows(IllegalStateException.class, () -> view.get(JAVA_INT, 0));
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_closed_or_foreign_arena_takes_nothing(SegmentMethod method) throws InterruptedException {
    try (SegmentResponse response = method.callRawZeroCopy(fives());
        Arena foreign = Arena.ofConfined()) {
      Arena closed = Arena.ofConfined();
      closed.close();
      assertThrows(IllegalStateException.class, () -> response.segment(closed));
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread other =
          new Thread(() -> {
            try {
              response.segment(foreign);
            } catch (Throwable error) {
              thrown.set(error);
            }
          });
      other.start();
      other.join();
      assertInstanceOf(WrongThreadException.class, thrown.get());
      assertEquals(5, response.getInt(0));
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_view_is_a_request_like_any_other(SegmentMethod method) {
    SegmentResponse response = method.callRawZeroCopy(fives());
    MemorySegment view = response.checkedSegment();
    SegmentMethod echo = SegmentMethod.of(plugin.method("raw.echo", Encoding.RAW));
    MemorySegment target = Arena.ofAuto().allocate(8);
    assertEquals(8, echo.callRaw(view, target));
    assertEquals(-1, view.mismatch(target));
    response.close();
    assertThrows(IllegalStateException.class, () -> echo.callRaw(view, target));
  }

  @Test
  void closing_while_a_call_reads_a_checked_view_is_refused_and_can_be_repeated()
      throws InterruptedException {
    try (Plugin hello = Plugins.hello()) {
      SegmentMethod sleep = SegmentMethod.of(hello.method("test.sleep"));
      byte[] request = "{\"duration_ms\":300}".getBytes(StandardCharsets.UTF_8);
      SegmentResponse response = methods().get(0).callRawZeroCopy(request);
      MemorySegment view = response.checkedSegment();
      Thread caller = new Thread(() -> sleep.callRawZeroCopy(view).close());
      caller.start();
      Plugins.awaitCall();
      assertThrows(IllegalStateException.class, response::close);
      assertFalse(response.isClosed());
      assertEquals(request.length, response.length());
      caller.join();
      response.close();
      assertTrue(response.isClosed());
    }
  }

  @Test
  void a_segment_keeps_its_response() {
    SegmentMethod echo = methods().get(0);
    // No one but the segment refers to the response, and no one but the slice to the segment.
    MemorySegment[] slices = new MemorySegment[64];
    List<WeakReference<SegmentResponse>> responses = new ArrayList<>();
    Arena arena = Arena.ofShared();
    for (int i = 0; i < slices.length; i++) {
      byte[] request = new byte[4096];
      Arrays.fill(request, (byte) i);
      SegmentResponse response = echo.callRawZeroCopy(request);
      responses.add(new WeakReference<>(response));
      MemorySegment segment =
          switch (i % 3) {
            case 0 -> response.segment();
            case 1 -> response.checkedSegment();
            default -> response.segment(arena);
          };
      slices[i] = segment.asSlice(8, 16);
    }
    for (int round = 0; round < 5; round++) {
      System.gc();
      for (int i = 0; i < slices.length; i++) {
        assertEquals(0x0101010101010101L * i, slices[i].get(JAVA_LONG_UNALIGNED, 0));
        assertTrue(responses.get(i).get() != null);
      }
    }
    arena.close();
    for (WeakReference<SegmentResponse> response : responses) {
      response.get().close();
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void readers_and_a_closing_thread_never_meet(SegmentMethod method) throws InterruptedException {
    byte[] expected = expected(method);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int round = 0; round < 100; round++) {
      SegmentResponse response = method.callRawZeroCopy(fives());
      boolean viewed = round % 4 == 0;
      CountDownLatch started = new CountDownLatch(2);
      AtomicBoolean closed = new AtomicBoolean();
      Thread[] readers = new Thread[2];
      for (int reader = 0; reader < readers.length; reader++) {
        readers[reader] =
            new Thread(() -> {
              started.countDown();
              try {
                MemorySegment view = viewed ? response.checkedSegment() : null;
                while (true) {
                  if (view != null) {
                    assertEquals(5, view.get(JAVA_INT, 0));
                  }
                  assertArrayEquals(expected, response.toByteArray());
                  assertEquals(5, response.getInt(0));
                }
              } catch (IllegalStateException end) {
                // Closed by the other thread, as it should be.
                if (!closed.get()) {
                  failure.set(end);
                }
              } catch (Throwable error) {
                failure.set(error);
              }
            });
        readers[reader].start();
      }
      started.await();
      closed.set(true);
      response.close();
      for (Thread reader : readers) {
        reader.join();
      }
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  @Test
  void empty_responses_have_empty_views() {
    SegmentMethod empty = SegmentMethod.of(plugin.method("raw.empty", Encoding.RAW));
    SegmentResponse response = empty.callRawZeroCopy(fives());
    assertEquals(0, response.length());
    assertEquals(0, response.segment().byteSize());
    assertEquals(0, response.checkedSegment().byteSize());
    assertEquals(0, response.buffer().remaining());
    assertEquals(0, response.toByteArray().length);
    assertThrows(IndexOutOfBoundsException.class, () -> response.getByte(0));
    response.close();
    assertThrows(IllegalStateException.class, response::length);
    try (Arena arena = Arena.ofConfined()) {
      assertEquals(0, empty.callRawZeroCopy(fives()).segment(arena).byteSize());
    }
  }
}
