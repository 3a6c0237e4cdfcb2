package io.github.rustbridge;

import static io.github.rustbridge.FakeBackend.FAKE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How instances end: closed, closed again, closed by two at once, dropped. */
final class PluginClosingTest {
  private static final Path LIBRARY = Path.of("lib", "libfake.so");

  private final CapturedLog log = new CapturedLog();

  @AfterEach
  void restore() {
    log.close();
    FAKE.create = request -> {};
    FAKE.description = "{\"name\":\"fake\",\"methods\":[]}";
  }

  @Test
  void closing_twice_does_nothing() {
    Plugin plugin = Plugin.load(LIBRARY);
    plugin.close();
    plugin.close();
    plugin.close(Duration.ZERO);
    assertEquals(1, FAKE.of(plugin).closes.get());
    assertEquals(10_000, FAKE.of(plugin).lastTimeout);
    assertEquals(
        Status.UNAVAILABLE,
        assertThrows(PluginException.class, () -> plugin.call("json", "1")).status());
  }

  @Test
  void timeouts_are_rounded_up_and_long_ones_wait_for_good() {
    Object[][] timeouts = {
      {Duration.ZERO, 0L},
      {Duration.ofNanos(1), 1L},
      {Duration.ofNanos(1_000_000), 1L},
      {Duration.ofNanos(1_000_001), 2L},
      {Duration.ofMillis(Long.MAX_VALUE), Long.MAX_VALUE},
      {Duration.ofMillis(Long.MAX_VALUE).plusNanos(1), -1L},
      {Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), -1L}
    };
    for (Object[] timeout : timeouts) {
      Plugin plugin = Plugin.load(LIBRARY);
      plugin.close((Duration) timeout[0]);
      assertEquals(timeout[1], FAKE.of(plugin).lastTimeout, timeout[0].toString());
    }
    try (Plugin plugin = Plugin.load(LIBRARY)) {
      var error =
          assertThrows(IllegalArgumentException.class, () -> plugin.close(Duration.ofNanos(-1)));
      assertTrue(error.getMessage().contains("PT-0.000000001S"), error.getMessage());
      assertThrows(IllegalArgumentException.class, () -> plugin.flushLogs(Duration.ofSeconds(-1)));
      assertEquals(State.ACTIVE, plugin.state());
    }
  }

  @Test
  void a_close_that_times_out_can_be_repeated() {
    Plugin plugin = Plugin.load(LIBRARY);
    FAKE.of(plugin).closing =
        (instance, timeout) -> {
          instance.state = State.CLOSING;
          throw FakeBackend.failure(Status.DEADLINE_EXCEEDED, "still runs");
        };
    for (int i = 0; i < 2; i++) {
      PluginException error =
          assertThrows(PluginException.class, () -> plugin.close(Duration.ZERO));
      assertEquals(Status.DEADLINE_EXCEEDED, error.status());
      assertEquals(State.CLOSING, plugin.state());
    }
    FAKE.of(plugin).closing = (instance, timeout) -> {};
    plugin.close();
    assertEquals(State.CLOSED, plugin.state());
  }

  @Test
  void a_destructor_that_panics_is_told_of_once() {
    Plugin plugin = Plugin.load(LIBRARY);
    FAKE.of(plugin).closing =
        (instance, timeout) -> {
          instance.state = State.CLOSED;
          throw FakeBackend.failure(Status.INTERNAL, "panicked");
        };
    assertEquals(Status.INTERNAL, assertThrows(PluginException.class, plugin::close).status());
    plugin.close();
    assertEquals(1, FAKE.of(plugin).closes.get());
  }

  @Test
  void closes_at_the_same_time_all_return_when_it_is_closed() throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (int round = 0; round < 200; round++) {
        Plugin plugin = Plugin.load(LIBRARY);
        CyclicBarrier together = new CyclicBarrier(threads);
        List<Future<State>> states = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          states.add(
              pool.submit(() -> {
                together.await();
                plugin.close();
                return plugin.state();
              }));
        }
        for (Future<State> state : states) {
          assertEquals(State.CLOSED, state.get());
        }
      }
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void a_logger_may_close_while_it_is_being_closed() throws Exception {
    // No lock may be held over the backend's close, since it waits for the logger.
    Plugin plugin = Plugin.load(LIBRARY);
    FAKE.of(plugin).closing =
        (instance, timeout) -> {
          instance.closing = (again, more) -> {};
          CountDownLatch logged = new CountDownLatch(1);
          new Thread(
                  () -> {
                    plugin.close();
                    logged.countDown();
                  })
              .start();
          try {
            assertTrue(logged.await(10, TimeUnit.SECONDS));
          } catch (InterruptedException error) {
            throw new AssertionError(error);
          }
        };
    plugin.close();
    assertEquals(State.CLOSED, plugin.state());
  }

  @Test
  void a_plugin_that_is_dropped_is_closed_with_a_warning() throws InterruptedException {
    long handle = useAndDrop();
    var warning = log.awaitCollected(entry -> entry.getMessage().contains("`dropped`"));
    assertEquals(java.util.logging.Level.WARNING, warning.getLevel());
    assertEquals("rustbridge", warning.getLoggerName());
    assertEquals("plugin instance `dropped` was dropped without close()", warning.getMessage());
    assertEquals(State.CLOSED, FAKE.instances.get(handle).state);
  }

  private static long useAndDrop() {
    Plugin plugin = Plugin.load(LIBRARY, PluginConfig.defaults().named("dropped"));
    plugin.call("json", "1");
    plugin.callRawBytes("raw", new byte[0]);
    plugin.setLogListener(entry -> {});
    return plugin.handle();
  }

  @Test
  void a_plugin_that_was_closed_is_dropped_in_silence() throws InterruptedException {
    WeakReference<Plugin> closed = closeAndDrop();
    useAndDrop();
    log.awaitCollected(entry -> entry.getMessage().contains("`dropped`"));
    assertNull(closed.get());
    assertTrue(log.messages().stream().noneMatch(message -> message.contains("`closed`")));
  }

  private static WeakReference<Plugin> closeAndDrop() {
    Plugin plugin = Plugin.load(LIBRARY, PluginConfig.defaults().named("closed"));
    plugin.close();
    return new WeakReference<>(plugin);
  }

  @Test
  @SuppressWarnings("ReachabilityFenceUsage") // If what comes before throws, nothing depends on it.
  void a_method_keeps_its_plugin_open() throws InterruptedException {
    Method method = Plugin.load(LIBRARY, PluginConfig.defaults().named("kept")).method("json");
    useAndDrop();
    log.awaitCollected(entry -> entry.getMessage().contains("`dropped`"));
    assertEquals("1", method.call("1"));
    method.plugin().close();
    Reference.reachabilityFence(method);
  }

  @Test
  void a_dropped_plugin_that_cannot_be_closed_is_told_of() throws InterruptedException {
    long handle = useAndDropBusy();
    var warning = log.awaitCollected(entry -> entry.getMessage().contains("`dropped`"));
    assertTrue(warning.getMessage().endsWith("and closing it now failed"), warning.getMessage());
    assertTrue(warning.getThrown() instanceof PluginException);
    FAKE.instances.get(handle).closing = (instance, timeout) -> {};
    FAKE.close(handle, 0);
  }

  private static long useAndDropBusy() {
    long handle = useAndDrop();
    FAKE.instances.get(handle).closing =
        (instance, timeout) -> {
          throw FakeBackend.failure(Status.DEADLINE_EXCEEDED, "still runs");
        };
    return handle;
  }
}
