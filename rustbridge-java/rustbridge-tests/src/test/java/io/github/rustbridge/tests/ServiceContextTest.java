package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.ContextPropagation;
import io.github.rustbridge.ContextSnapshot;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.OpenContexts;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.Service;
import io.github.rustbridge.ServiceCall;
import io.github.rustbridge.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services run in the context of the call that they are asked for. */
@Timeout(120)
class ServiceContextTest {
  private static final PluginConfig QUIET = PluginConfig.defaults().logLevel(LogLevel.OFF);
  private static final ThreadLocal<String> USER = new ThreadLocal<>();

  /** Propagates {@link #USER}. */
  private static final ContextPropagation USERS =
      () -> {
        String user = USER.get();
        return user == null ? null : in(user);
      };

  private static ContextSnapshot in(String user) {
    return function ->
        () -> {
          String outer = USER.get();
          USER.set(user);
          try {
            return function.call();
          } finally {
            USER.set(outer);
          }
        };
  }

  /** Notes whose calls they are. */
  static final class Prices {
    final Map<Long, String> users = new ConcurrentHashMap<>();

    private void note(long id) {
      users.put(id, String.valueOf(USER.get()));
    }

    @Service("prices.get")
    long get(long id) {
      note(id);
      if (id == 404) {
        throw PluginException.notFound("none");
      }
      return id;
    }

    @Service("prices.quote")
    CompletionStage<Long> quote(long id) {
      note(id);
      return CompletableFuture.supplyAsync(() -> id);
    }

    @Service("prices.upper")
    byte[] upper(byte[] text) {
      note(-1);
      String upper = new String(text, StandardCharsets.UTF_8).toUpperCase(Locale.ROOT);
      return upper.getBytes(StandardCharsets.UTF_8);
    }
  }

  private final Prices prices = new Prices();

  private Plugin load() {
    PluginConfig config = QUIET.services(prices).contextPropagation(USERS);
    return Plugins.load("operations-plugin", config);
  }

  @AfterEach
  void no_user_stays() {
    USER.remove();
  }

  @ParameterizedTest
  @ValueSource(strings = {"service.one", "service.quote"})
  void asynchronous_calls_have_their_contexts_in_their_services(String name) {
    try (Plugin plugin = load()) {
      for (CallOptions options :
          List.of(CallOptions.defaults(), CallOptions.defaults().offloaded())) {
        prices.users.clear();
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (long id = 0; id < 50; id++) {
          USER.set("user " + id);
          calls.add(plugin.method(name).callAsync(Long.toString(id), options));
        }
        USER.remove();
        for (int id = 0; id < 50; id++) {
          assertEquals(Integer.toString(id), calls.get(id).join());
          assertEquals("user " + id, prices.users.get((long) id));
        }
        assertEquals("60", plugin.method(name).callAsync("60", options).join());
        assertEquals("null", prices.users.get(60L));
      }
      assertEquals(0, OpenContexts.of(plugin));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"service.one", "service.quote"})
  void blocking_calls_have_their_contexts_in_their_services(String name) {
    try (Plugin plugin = load()) {
      USER.set("ada");
      assertEquals("1", plugin.call(name, "1"));
      assertEquals("ada", prices.users.get(1L));
      USER.set("bob");
      CallOptions options = CallOptions.timeout(Duration.ofSeconds(60)).withMetadata("a", "b");
      assertEquals("2", plugin.method(name).call("2", options));
      assertEquals("bob", prices.users.get(2L));
      assertEquals("3", plugin.method(name).call("3", options.cancelOnInterrupt()));
      assertEquals("bob", prices.users.get(3L));
      assertEquals(Long.valueOf(4), plugin.call(name, 4, Long.class));
      assertEquals("bob", prices.users.get(4L));
      assertEquals(0, OpenContexts.of(plugin));
    }
  }

  @Test
  void a_service_on_its_callers_thread_has_the_context_without_propagation() {
    try (Plugin plugin = Plugins.load("operations-plugin", QUIET.services(prices))) {
      USER.set("ada");
      assertEquals("1", plugin.call("service.one", "1"));
      assertEquals("ada", prices.users.get(1L));
      assertEquals(
          "2",
          plugin.method("service.one").callAsync("2", CallOptions.defaults().offloaded()).join());
      assertEquals("null", prices.users.get(2L));
      CallOptions own = CallOptions.defaults().offloaded().withContextPropagation(USERS);
      assertEquals("3", plugin.method("service.one").callAsync("3", own).join());
      assertEquals("ada", prices.users.get(3L));
      assertEquals(0, OpenContexts.of(plugin));
    }
  }

  @Test
  void a_calls_own_context_is_inside_the_instances() {
    try (Plugin plugin = load()) {
      USER.set("ada");
      CallOptions own = CallOptions.defaults().offloaded().withContextPropagation(() -> in("bob"));
      assertEquals("1", plugin.method("service.one").callAsync("1", own).join());
      assertEquals("bob", prices.users.get(1L));
    }
  }

  @Test
  void streams_have_their_contexts_in_their_services() {
    try (Plugin plugin = load()) {
      USER.set("ada");
      CallOptions options = CallOptions.defaults().withWindow(1, 1 << 16);
      for (CallOptions each : List.of(options, options.offloaded())) {
        prices.users.clear();
        try (Items<Long> items =
            plugin.method("service.prices").iterate(List.of(1, 2, 3), Long.class, each)) {
          List<Long> came = new ArrayList<>();
          items.forEachRemaining(came::add);
          assertEquals(List.of(1L, 2L, 3L), came);
        }
        assertEquals(Map.of(1L, "ada", 2L, "ada", 3L, "ada"), prices.users);
      }
      Items<Long> left =
          plugin.method("service.prices").iterate(List.of(1, 2, 3), Long.class, options);
      assertTrue(left.hasNext());
      left.close();
      assertEquals(0, OpenContexts.of(plugin));
    }
  }

  /** What a context may refer to, as a request's scope does. */
  private static final class Scope {
    private Items<Long> stream;
  }

  @Test
  void a_dropped_stream_is_given_up_even_if_its_own_context_refers_to_it() {
    try (Plugin plugin = load()) {
      drop(plugin);
      assertEquals(1, OpenContexts.of(plugin));
      Waiting.collectingUntil("it was given up", () -> OpenContexts.of(plugin) == 0);
    }
  }

  private static void drop(Plugin plugin) {
    Scope scope = new Scope();
    ContextSnapshot snapshot =
        function -> {
          assertNotNull(scope.stream);
          return function;
        };
    CallOptions options = CallOptions.defaults().withContextPropagation(() -> snapshot);
    Map<String, Long> endless = Map.of("from", 0L, "to", 1_000_000L);
    scope.stream = plugin.method("stream.ticks").iterate(endless, Long.class, options);
    assertTrue(scope.stream.hasNext());
  }

  @Test
  void bytes_and_buffers_have_their_contexts_too() {
    try (Plugin plugin = load()) {
      USER.set("ada");
      var upper = plugin.method("service.upper", Encoding.RAW);
      byte[] abc = {'a', 'b', 'c'};
      byte[] into = new byte[4];
      assertEquals(3, upper.callRaw(abc, into));
      assertEquals("ABC", new String(into, 0, 3, StandardCharsets.UTF_8));
      ByteBuffer response = ByteBuffer.allocateDirect(8).position(2);
      ByteBuffer request = ByteBuffer.wrap(abc);
      assertEquals(3, upper.callRaw(request, response));
      assertEquals(3, request.position());
      assertEquals(5, response.position());
      assertEquals('A', response.get(2));
      ResponseTooLargeException large =
          assertThrows(ResponseTooLargeException.class, () -> upper.callRaw(abc, new byte[2]));
      assertEquals(3, large.response().length);
      assertThrows(
          java.nio.ReadOnlyBufferException.class,
          () -> upper.callRaw(ByteBuffer.wrap(abc), ByteBuffer.allocate(9).asReadOnlyBuffer()));
      try (var lease = upper.callRawZeroCopy(abc)) {
        assertEquals(3, lease.length());
      }
      assertEquals("ada", prices.users.get(-1L));
    }
  }

  @Test
  void no_context_is_kept_after_its_call() {
    Plugin plugin = load();
    USER.set("ada");
    for (String id : List.of("1", "404", "\"wrong\"")) {
      for (CallOptions options :
          List.of(
              CallOptions.defaults(),
              CallOptions.defaults().offloaded(),
              CallOptions.timeout(Duration.ofNanos(1)))) {
        ends(() -> plugin.method("service.one").callAsync(id, options).join());
        ends(() -> plugin.method("service.one").call(id, options));
        ends(() -> plugin.call("service.quote", id));
        ends(() ->
            plugin
                .method("service.prices")
                .iterate(List.of(1, 404), Long.class, options)
                .forEachRemaining(one -> {}));
        assertEquals(0, OpenContexts.of(plugin));
      }
    }
    assertThrows(
        IllegalStateException.class,
        () ->
            plugin
                .method("service.one")
                .call(
                    "1",
                    CallOptions.defaults()
                        .withContextPropagation(() -> {
                          throw new IllegalStateException("no context");
                        })));
    plugin.close();
    ends(() -> plugin.call("service.one", "1"));
    assertEquals(0, OpenContexts.of(plugin));
  }

  private static void ends(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException failed) {
      // How it ends doesn't matter here.
    }
  }

  @Test
  void the_current_service_call_is_that_of_the_thread() {
    List<ServiceCall> seen = new ArrayList<>();
    PluginConfig config =
        QUIET.service(
            "prices.get",
            Long.class,
            (id, call) -> {
              assertSame(call, ServiceCall.current());
              seen.add(call);
              return CompletableFuture.supplyAsync(() -> {
                assertThrows(IllegalStateException.class, ServiceCall::current);
                try (ServiceCall.Scope scope = call.makeCurrent()) {
                  assertNotNull(scope);
                  return ServiceCall.current() == call ? id : -1;
                }
              });
            });
    try (Plugin plugin = Plugins.load("operations-plugin", config)) {
      CallOptions options = CallOptions.timeout(Duration.ofSeconds(60)).withMetadata("user", "ada");
      assertEquals("7", plugin.method("service.one").call("7", options));
      assertEquals("ada", seen.get(0).metadata().text("user").orElseThrow());
      assertTrue(seen.get(0).timeLeft().isPresent());
      assertThrows(IllegalStateException.class, ServiceCall::current);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_interrupt_cancels_a_call_that_asks_for_it(boolean isVirtual) throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CompletableFuture<Long> answer = new CompletableFuture<>();
    PluginConfig config =
        QUIET.service(
            "prices.quote",
            Long.class,
            (id, call) -> {
              inside.countDown();
              return answer;
            });
    try (Plugin plugin = Plugins.load("operations-plugin", config)) {
      CallOptions options = CallOptions.defaults().cancelOnInterrupt();
      FutureTask<Boolean> task =
          new FutureTask<>(() -> {
            PluginException cancelled =
                assertThrows(
                    PluginException.class, () -> plugin.method("service.quote").call("1", options));
            assertEquals(Status.CANCELLED, cancelled.status());
            boolean isInterrupted = Thread.currentThread().isInterrupted();
            // One that begins interrupted isn't made.
            assertEquals(
                Status.CANCELLED,
                assertThrows(
                        PluginException.class,
                        () -> plugin.method("service.quote").call("2", options))
                    .status());
            return isInterrupted;
          });
      Thread thread = started(task, isVirtual);
      assertTrue(inside.await(30, TimeUnit.SECONDS));
      thread.interrupt();
      assertTrue(task.get(30, TimeUnit.SECONDS));
      // Nobody else's call was cancelled, and the service's answer is.
      assertThrows(
          java.util.concurrent.CancellationException.class, () -> answer.get(30, TimeUnit.SECONDS));
    }
  }

  /** Virtual threads by reflection, since this source is Java 17's. */
  private static Thread started(Runnable task, boolean isVirtual)
      throws ReflectiveOperationException {
    if (isVirtual) {
      assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads");
      return (Thread)
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    }
    Thread thread = new Thread(task);
    thread.start();
    return thread;
  }

  @Test
  void without_the_option_an_interrupt_stays_pending() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CompletableFuture<Long> answer = new CompletableFuture<>();
    PluginConfig config =
        QUIET.service(
            "prices.quote",
            Long.class,
            (id, call) -> {
              inside.countDown();
              return answer;
            });
    try (Plugin plugin = Plugins.load("operations-plugin", config)) {
      FutureTask<String> task =
          new FutureTask<>(
              () -> plugin.call("service.quote", "1") + Thread.currentThread().isInterrupted());
      Thread thread = new Thread(task);
      thread.start();
      assertTrue(inside.await(30, TimeUnit.SECONDS));
      thread.interrupt();
      answer.complete(5L);
      assertEquals("5true", task.get(30, TimeUnit.SECONDS));
    }
    assertNull(USER.get());
  }
}
