package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.Status;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases: never a view of memory that is gone, and never memory that nobody gives back. */
class LeasesTest {
  private static final Plugin CONFORMANCE = Plugins.conformance();

  /** fault-status counts how often what it handed over was released. */
  private static final Plugin COUNTING = Plugins.load("fault-status", PluginConfig.defaults());

  private static final Method FIXED = COUNTING.method("static", Encoding.RAW);
  private static final Method RELEASED = COUNTING.method("released", Encoding.RAW);
  private static final byte[] NOTHING = new byte[0];

  @AfterAll
  static void close() {
    CONFORMANCE.close();
    COUNTING.close();
  }

  private static long released() {
    return ByteBuffer.wrap(RELEASED.callRawBytes(NOTHING)).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static byte[] data(int size) {
    byte[] data = new byte[size];
    for (int index = 0; index < size; index++) {
      data[index] = (byte) (index % 251);
    }
    return data;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 300, 4_096, 16_384, 1_000_000})
  void a_lease_shows_the_response_read_only(int size) {
    byte[] data = data(size);
    for (String name : new String[] {"raw.echo", "raw.leaf", "raw.shared"}) {
      try (RawResponse lease = CONFORMANCE.callRawZeroCopy(name, data)) {
        assertEquals(size, lease.length());
        assertArrayEquals(data, lease.toByteArray());
        ByteBuffer buffer = lease.buffer();
        assertTrue(buffer.isDirect());
        assertTrue(buffer.isReadOnly());
        assertEquals(0, buffer.position());
        assertEquals(size, buffer.limit());
        assertEquals(ByteOrder.nativeOrder(), buffer.order());
        assertEquals(ByteBuffer.wrap(data), buffer);
        assertFalse(lease.isClosed());
        // Nobody's position is anybody else's.
        buffer.position(size);
        assertEquals(0, lease.buffer().position());
        if (size > 0) {
          assertThrows(ReadOnlyBufferException.class, () -> lease.buffer().put(0, (byte) 1));
        }
      }
    }
  }

  @Test
  void use_after_close_throws_and_a_second_close_does_nothing() {
    RawResponse lease = FIXED.callRawZeroCopy(NOTHING);
    long before = released();
    assertFalse(lease.isClosed());
    lease.close();
    assertTrue(lease.isClosed());
    lease.close();
    lease.close();
    assertEquals(before + 1, released());
    for (Executable use : List.<Executable>of(lease::length, lease::buffer, lease::toByteArray)) {
      String message = assertThrows(IllegalStateException.class, use).getMessage();
      assertTrue(message.contains("closed"), message);
    }
    assertTrue(lease.isClosed());
  }

  @Test
  void any_thread_may_use_and_close_a_lease() throws InterruptedException, ExecutionException {
    long before = released();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 200; round++) {
        RawResponse lease = FIXED.callRawZeroCopy(NOTHING);
        List<Future<?>> closers = new ArrayList<>();
        for (int closer = 0; closer < 4; closer++) {
          closers.add(
              threads.submit(() -> {
                try {
                  assertEquals(6, lease.toByteArray().length);
                } catch (IllegalStateException closedMeanwhile) {
                  assertTrue(lease.isClosed());
                }
                lease.close();
              }));
        }
        for (Future<?> closer : closers) {
          closer.get();
        }
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(before + 200, released());
  }

  @Test
  void a_lease_outlives_its_plugin() {
    byte[] data = data(20_000);
    Plugin plugin = Plugins.conformance();
    RawResponse large = plugin.callRawZeroCopy("raw.echo", data);
    RawResponse small = plugin.callRawZeroCopy("raw.leaf", data(10));
    RawResponse shared = plugin.callRawZeroCopy("raw.blob", new byte[] {0, 0, 1, 0});
    plugin.close();
    assertArrayEquals(data, large.toByteArray());
    assertArrayEquals(data(10), small.toByteArray());
    assertEquals(65_536, shared.buffer().remaining());
    large.close();
    small.close();
    shared.close();
  }

  @Test
  void sixteen_megabytes_are_lent_without_a_copy() {
    Method blob = CONFORMANCE.method("raw.blob", Encoding.RAW);
    byte[] size = {0, 0, 0, 1};
    List<RawResponse> leases = new ArrayList<>();
    // 1.6 GB, had each been copied.
    for (int count = 0; count < 100; count++) {
      leases.add(blob.callRawZeroCopy(size));
    }
    for (RawResponse lease : leases) {
      assertEquals(1 << 24, lease.length());
      assertEquals(0, lease.buffer().get((1 << 24) - 1));
      lease.close();
    }
    byte[] all = blob.callRawBytes(size);
    assertTrue(Arrays.equals(new byte[1 << 24], all));
    byte[] storage = new byte[1 << 24];
    Arrays.fill(storage, (byte) 1);
    assertEquals(1 << 24, blob.callRaw(size, storage));
    assertTrue(Arrays.equals(all, storage));
  }

  @Test
  void a_failed_call_gives_no_lease() {
    fails(Status.ABORTED, () -> CONFORMANCE.callRawZeroCopy("raw.fail", new byte[] {'x'}));
    fails(Status.INVALID_ARGUMENT, () -> CONFORMANCE.callRawZeroCopy("raw.blob", NOTHING));
  }

  @Test
  void leases_that_are_dropped_are_released_with_a_warning_of_where_they_came_from() {
    try (JulRecorder warnings = new JulRecorder("rustbridge", Level.ALL)) {
      long before = released();
      for (int count = 0; count < 100; count++) {
        dropOne();
      }
      Waiting.collectingUntil("100 releases", () -> released() >= before + 100);
      assertEquals(before + 100, released());
      Waiting.until(
          "a warning", () -> warnings.texts().stream().anyMatch(text -> text.contains("static")));
      String warning =
          warnings.texts().stream().filter(text -> text.contains("static")).findFirst().get();
      assertTrue(warning.contains(COUNTING.name()), warning);
      assertTrue(warning.contains("close"), warning);
      assertTrue(
          warnings.records().stream().allMatch(record -> record.getLevel() == Level.WARNING));
    }
  }

  private static void dropOne() {
    assertEquals(6, FIXED.callRawZeroCopy(NOTHING).length());
  }

  @Test
  void a_lease_in_use_is_not_released_by_the_collector() {
    long before = released();
    RawResponse lease = FIXED.callRawZeroCopy(NOTHING);
    for (int round = 0; round < 20; round++) {
      System.gc();
    }
    assertEquals(before, released());
    lease.close();
    assertEquals(before + 1, released());
  }
}
