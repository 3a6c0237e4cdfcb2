package io.github.rustbridge.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CapturedLog;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.Instance;
import io.github.rustbridge.interop.MethodEntry;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LeaseTest {
  private static Plugin plugin;
  private static CallTarget method;

  @BeforeAll
  static void load() {
    plugin = Plugin.load(Path.of("libfake.so"));
    method =
        CallTarget.of(
            new Instance(null, plugin.handle(), plugin.name(), plugin),
            "bench.small",
            new MethodEntry(0, 0, 2, 0, 0, 0, 0, 0));
  }

  @AfterAll
  static void close() {
    plugin.close();
  }

  private static final class Response extends RawResponse {
    final CountingLease lease;

    Response(AtomicInteger releases) {
      this(releases, 0);
    }

    Response(AtomicInteger releases, long bytes) {
      lease = new CountingLease(this, releases, bytes);
      lease.open();
    }

    @Override
    public long length() {
      return 0;
    }

    @Override
    public ByteBuffer buffer() {
      return ByteBuffer.allocate(0);
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    @Override
    public boolean isClosed() {
      return lease.isClosed();
    }

    @Override
    public void close() {
      lease.close();
    }
  }

  private static final class CountingLease extends Lease {
    private final AtomicInteger releases;

    CountingLease(RawResponse response, AtomicInteger releases, long bytes) {
      super(response, method, bytes);
      this.releases = releases;
    }

    @Override
    protected void release() {
      assertTrue(isClosed());
      releases.incrementAndGet();
    }
  }

  @Test
  @SuppressWarnings("ReachabilityFenceUsage") // If what comes before throws, nothing depends on it.
  void closing_releases_once() {
    AtomicInteger releases = new AtomicInteger();
    Response response = new Response(releases);
    assertFalse(response.isClosed());
    assertTrue(response.lease.close());
    assertTrue(response.isClosed());
    assertFalse(response.lease.close());
    assertEquals(1, releases.get());
    Reference.reachabilityFence(response);
  }

  @Test
  void a_lease_that_is_not_tracked_closes_once_too() {
    AtomicInteger releases = new AtomicInteger();
    Response other = new Response(new AtomicInteger());
    CountingLease lease = new CountingLease(other, releases, 0);
    assertFalse(lease.isClosed());
    assertTrue(lease.close());
    assertTrue(lease.isClosed());
    assertFalse(lease.close());
    assertEquals(1, releases.get());
    other.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 40, 1000})
  void any_number_may_be_open_at_once_and_close_in_any_order(int count) {
    Random random = new Random(count);
    AtomicInteger releases = new AtomicInteger();
    List<Response> open = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      while (open.size() < count) {
        open.add(new Response(releases));
      }
      Collections.shuffle(open, random);
      int before = releases.get();
      for (Response response : open) {
        assertFalse(response.isClosed());
        response.close();
        response.close();
        assertTrue(response.isClosed());
      }
      assertEquals(before + count, releases.get());
      open.clear();
    }
  }

  @Test
  void many_threads_that_close_the_same_release_it_once() throws Exception {
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      // Beyond a row's slots, so that both ways are raced for.
      int count = 200;
      AtomicInteger releases = new AtomicInteger();
      List<Response> open = new ArrayList<>();
      CyclicBarrier together = new CyclicBarrier(threads);
      for (int round = 0; round < 50; round++) {
        open.clear();
        for (int i = 0; i < count; i++) {
          open.add(new Response(releases));
        }
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          all.add(
              pool.submit(() -> {
                together.await();
                int won = 0;
                for (Response response : open) {
                  won += response.lease.close() ? 1 : 0;
                }
                return won;
              }));
        }
        int won = 0;
        for (Future<Integer> one : all) {
          won += one.get();
        }
        assertEquals(count, won);
        assertEquals(count * (round + 1), releases.get());
      }
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void many_threads_open_and_close_without_losing_any() throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    AtomicInteger releases = new AtomicInteger();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int most = 1 + i * 5;
        all.add(
            pool.submit(() -> {
              List<Response> open = new ArrayList<>();
              for (int round = 0; round < 2000; round++) {
                for (int k = 0; k < most; k++) {
                  open.add(new Response(releases));
                }
                open.forEach(Response::close);
                open.clear();
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      pool.shutdown();
    }
    int opened = 0;
    for (int i = 0; i < threads; i++) {
      opened += (1 + i * 5) * 2000;
    }
    assertEquals(opened, releases.get());
  }

  private static void openAndDrop(AtomicInteger releases, int count) {
    for (int i = 0; i < count; i++) {
      new Response(releases);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50})
  void a_dropped_response_is_released_with_a_warning(int count) throws Exception {
    try (CapturedLog log = new CapturedLog()) {
      AtomicInteger releases = new AtomicInteger();
      Response kept = new Response(new AtomicInteger());
      openAndDrop(releases, count);
      LogRecord warning = log.awaitCollected(entry -> releases.get() == count);
      assertEquals(java.util.logging.Level.WARNING, warning.getLevel());
      assertEquals(
          "a RawResponse of method `bench.small` of plugin instance `fake` was dropped without"
              + " close(); it was opened at the place of the stack trace",
          warning.getMessage());
      // Assertions are enabled in tests, so every place is recorded.
      assertEquals("it was opened here", warning.getThrown().getMessage());
      boolean named = false;
      for (StackTraceElement frame : warning.getThrown().getStackTrace()) {
        named |= frame.getMethodName().equals("openAndDrop");
      }
      assertTrue(named);
      assertFalse(kept.isClosed());
      kept.close();
    }
  }

  @Test
  void a_closed_response_is_collected_in_silence() throws Exception {
    try (CapturedLog log = new CapturedLog()) {
      AtomicInteger closed = new AtomicInteger();
      for (int i = 0; i < 100; i++) {
        new Response(closed).close();
      }
      AtomicInteger dropped = new AtomicInteger();
      openAndDrop(dropped, 1);
      log.awaitCollected(entry -> dropped.get() == 1);
      assertEquals(100, closed.get());
      assertEquals(1, log.records().size());
    }
  }

  @Test
  void a_release_that_throws_stops_nothing() throws Exception {
    try (CapturedLog log = new CapturedLog()) {
      dropOneThatThrows();
      log.awaitCollected(entry -> entry.getMessage().contains("couldn't be released"));
      AtomicInteger dropped = new AtomicInteger();
      openAndDrop(dropped, 1);
      log.awaitCollected(entry -> dropped.get() == 1);
    }
  }

  private static void dropOneThatThrows() {
    RawResponse response = new Response(new AtomicInteger());
    new Lease(response, method, 0) {
      @Override
      protected void release() {
        throw new IllegalStateException("as this test wants");
      }
    }.open();
    response.close();
  }

  /** Opens leases in every frame there is, from the last one back. */
  private static final class Deep implements Runnable {
    private static final int MOST = 300;

    /** So much that the collector is asked. */
    private static final long BYTES = 64 << 20;

    final AtomicInteger[] releases = new AtomicInteger[MOST];
    final Response[] responses = new Response[MOST];
    int count;

    Deep() {
      for (int i = 0; i < MOST; i++) {
        releases[i] = new AtomicInteger();
      }
    }

    @Override
    @SuppressWarnings("InfiniteRecursion") // It goes to the end of the stack.
    public void run() {
      try {
        run();
      } catch (StackOverflowError end) {
        // The frames above have tried, and this one does.
      }
      if (count < MOST) {
        int index = count++;
        responses[index] = new Response(releases[index], BYTES);
      }
    }
  }

  @Test
  void a_lease_that_could_not_be_opened_is_the_callers_to_release() throws Exception {
    Deep deep = new Deep();
    Thread thread = new Thread(null, deep, "deep", 512 << 10);
    thread.start();
    thread.join(100_000);
    assertFalse(thread.isAlive());
    assertEquals(Deep.MOST, deep.count);
    try (CapturedLog log = new CapturedLog()) {
      for (int i = 0; i < 2; i++) {
        AtomicInteger dropped = new AtomicInteger();
        openAndDrop(dropped, 1);
        log.awaitCollected(entry -> dropped.get() == 1);
      }
    }
    int refused = 0;
    for (int i = 0; i < Deep.MOST; i++) {
      if (deep.responses[i] == null) {
        refused++;
        assertEquals(0, deep.releases[i].get(), "it's released by whoever was refused, too");
      } else {
        deep.responses[i].close();
        assertEquals(1, deep.releases[i].get());
      }
    }
    assertTrue(0 < refused && refused < Deep.MOST, refused + " were refused");
  }

  @Test
  void without_assertions_one_in_so_many_is_asked_for_its_place() throws Exception {
    assertEquals(
        List.of("2048 leases, 2 with a place, at " + outside.LeaseCaller.PLACE), run("-da"));
  }

  @Test
  void a_property_asks_all_for_their_place() throws Exception {
    assertEquals(
        List.of("2048 leases, 2048 with a place, at the place of the stack trace"),
        run("-da", "-Drustbridge.leases=trace"));
  }

  private static List<String> run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    String classes = System.getProperty("surefire.test.class.path");
    command.addAll(
        List.of("-cp", classes == null ? System.getProperty("java.class.path") : classes));
    command.add(Dropper.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    // Whoever hangs is ended with all it has started, so that its output ends, too.
    var unused =
        process
            .onExit()
            .orTimeout(100, TimeUnit.SECONDS)
            .exceptionally(late -> {
              process.descendants().forEach(ProcessHandle::destroyForcibly);
              return process.destroyForcibly();
            });
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output.lines().toList();
  }

  /** Drops leases in a JVM of its own, and says what the warnings said. */
  static final class Dropper {
    public static void main(String[] arguments) throws InterruptedException {
      load();
      int count = 2048;
      AtomicInteger releases = new AtomicInteger();
      try (CapturedLog log = new CapturedLog()) {
        outside.LeaseCaller.call(() -> openAndDrop(releases, count));
        log.awaitCollected(entry -> log.records().size() == count);
        List<String> places =
            log.messages().stream()
                .filter(message -> !message.contains("-Drustbridge.leases=trace adds"))
                .map(message -> message.substring(message.indexOf("opened ") + 7))
                .toList();
        System.out.println(count + " leases, " + places.size() + " with a place, " + places.get(0));
      }
      close();
    }
  }
}
