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
import java.util.Collections;
import java.util.List;
import java.util.Random;
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
  void a_response_may_be_the_request_of_another_call() {
    Method echo = CONFORMANCE.method("raw.echo", Encoding.RAW);
    Method leaf = CONFORMANCE.method("raw.leaf", Encoding.RAW);
    for (int size : new int[] {0, 10, 5_000, 200_000}) {
      byte[] data = data(size);
      try (RawResponse first = echo.callRawZeroCopy(data);
          RawResponse second = leaf.callRawZeroCopy(first.buffer());
          RawResponse third = echo.callRawZeroCopy(second.buffer())) {
        assertArrayEquals(data, third.toByteArray());
        byte[] storage = new byte[size];
        assertEquals(size, leaf.callRaw(third.buffer(), ByteBuffer.wrap(storage)));
        assertArrayEquals(data, storage);
      }
    }
  }

  @Test
  void closing_while_other_threads_read_hurts_nobody() {
    ForkedJvm.of(CloseWhileReading.class).optimizing().succeeds();
  }

  /**
   * The memory of large responses is unmapped at once, so a read of it afterwards would be the end.
   */
  static final class CloseWhileReading implements Scenario {
    @Override
    public void run() throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(2);
      byte[] data = data(40_000_000);
      int read = 0;
      int refused = 0;
      try (Plugin plugin = Plugins.conformance()) {
        Method echo = plugin.method("raw.echo", Encoding.RAW);
        for (int round = 0; round < 30; round++) {
          RawResponse lease = echo.callRawZeroCopy(data);
          List<Future<Integer>> readers = new ArrayList<>();
          for (int reader = 0; reader < 2; reader++) {
            readers.add(threads.submit(() -> lease.toByteArray().length));
          }
          Thread.sleep(round % 5);
          lease.close();
          for (Future<Integer> reader : readers) {
            try {
              assertEquals(data.length, reader.get());
              read++;
            } catch (ExecutionException failure) {
              assertEquals(IllegalStateException.class, failure.getCause().getClass());
              refused++;
            }
          }
        }
      } finally {
        threads.shutdown();
      }
      System.out.println(read + " read it, " + refused + " came too late");
      assertEquals(60, read + refused);
    }
  }

  @Test
  void a_buffer_never_reads_memory_that_was_given_back() {
    ForkedJvm.of(ReadAfterClose.class).optimizing().succeeds();
  }

  /** As above: the memory is unmapped when it's given back. */
  static final class ReadAfterClose implements Scenario {
    @Override
    public void run() {
      byte[] data = data(40_000_000);
      try (Plugin plugin = Plugins.conformance()) {
        for (int round = 0; round < 10; round++) {
          RawResponse lease = plugin.callRawZeroCopy("raw.echo", data);
          ByteBuffer buffer = lease.buffer();
          lease.close();
          try {
            assertEquals(ByteBuffer.wrap(data), buffer);
          } catch (IllegalStateException refused) {
            assertTrue(lease.isClosed());
          }
        }
      }
    }
  }

  @Test
  void a_response_whose_buffer_was_read_is_released_in_silence() {
    try (JulRecorder warnings = new JulRecorder("rustbridge", Level.ALL)) {
      long before = released();
      for (int count = 0; count < 100; count++) {
        try (RawResponse lease = FIXED.callRawZeroCopy(NOTHING)) {
          assertEquals(6, lease.buffer().remaining());
        }
      }
      Waiting.collectingUntil("100 releases", () -> released() >= before + 100);
      assertEquals(before + 100, released());
      assertEquals(List.of(), warnings.texts());
    }
  }

  @Test
  void a_warning_says_where_when_asked_to() {
    String traced =
        ForkedJvm.of(DropWithWarning.class).property("rustbridge.leases", "trace").succeeds();
    assertTrue(traced.contains("was dropped without close()"), traced);
    assertTrue(traced.contains("theGuiltyPlace"), traced);
    String plain = ForkedJvm.run(DropWithWarning.class);
    assertTrue(plain.contains("was dropped without close()"), plain);
    assertTrue(plain.contains("rustbridge.leases=trace"), plain);
    assertFalse(plain.contains("theGuiltyPlace"), plain);
  }

  static final class DropWithWarning implements Scenario {
    @Override
    public void run() {
      try (JulRecorder recorder = new JulRecorder("rustbridge", Level.ALL);
          Plugin plugin =
              Plugins.load("conformance-plugin", Plugins.labelled("x").named("the instance"))) {
        theGuiltyPlace(plugin);
        Waiting.collectingUntil("a warning", () -> !recorder.texts().isEmpty());
        String text = recorder.texts().get(0);
        assertTrue(text.contains("raw.echo") && text.contains("the instance"), text);
        System.out.println(text);
        Throwable thrown = recorder.records().get(0).getThrown();
        if (thrown != null) {
          thrown.printStackTrace(System.out);
        }
      }
    }

    private static void theGuiltyPlace(Plugin plugin) {
      assertEquals(3, plugin.callRawZeroCopy("raw.echo", new byte[3]).length());
    }
  }

  @Test
  void a_thousand_leases_may_be_open_at_once_and_be_closed_in_any_order() {
    long before = released();
    List<RawResponse> leases = new ArrayList<>();
    for (int count = 0; count < 1_000; count++) {
      leases.add(FIXED.callRawZeroCopy(NOTHING));
    }
    Collections.shuffle(leases, new Random(7));
    assertEquals(before, released());
    leases.forEach(RawResponse::close);
    assertEquals(before + 1_000, released());
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
      warnings.records().forEach(record -> assertEquals(Level.WARNING, record.getLevel()));
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
