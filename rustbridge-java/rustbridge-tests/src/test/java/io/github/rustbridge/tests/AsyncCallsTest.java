package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Cancellation;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Reply;
import io.github.rustbridge.Status;
import io.github.rustbridge.TraceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that end later, and what calls carry. */
@Timeout(120)
class AsyncCallsTest {
  record Note(String text) {}

  private static final CallOptions DEFAULTS = CallOptions.defaults();
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static PluginException failure(CompletableFuture<?> call) {
    Exception thrown = assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
    return assertInstanceOf(PluginException.class, thrown.getCause());
  }

  /** Waits until so many handlers were dropped in the plugin. */
  private static void awaitDropped(Plugin plugin, int count) {
    Waiting.until(
        count + " handlers dropped",
        () -> Integer.parseInt(plugin.call("async.dropped", "null")) >= count);
  }

  @Test
  void waiting_where_events_are_fetched_is_refused() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      CompletableFuture<String> never = plugin.method("async.never").callAsync("null");
      CompletableFuture<Throwable> refused = new CompletableFuture<>();
      CallOptions blocks =
          DEFAULTS.withExecutor(task -> {
            refused.complete(assertThrows(IllegalStateException.class, never::join));
            task.run();
          });
      plugin.method("async.later").callAsync("{\"text\":\"a\"}", blocks).get(60, TimeUnit.SECONDS);
      assertTrue(refused.get(60, TimeUnit.SECONDS).getMessage().contains("withExecutor"));
      never.cancel(true);
    }
  }

  @Test
  void answers_come_at_once_and_later() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      for (String name : List.of("async.now", "async.later")) {
        Method method = plugin.method(name);
        String text = "{\"text\":\"grüße\"}";
        assertEquals(text, method.callAsync(text).get(60, TimeUnit.SECONDS));
        assertEquals(new Note("a"), method.callAsync(new Note("a"), Note.class).join());
        assertEquals(
            Map.of("text", "b"),
            method.callAsync(new Note("b"), (java.lang.reflect.Type) Map.class, DEFAULTS).join());
        assertArrayEquals(utf8(text), method.callRawAsync(utf8(text)).join());
      }
    }
  }

  @Test
  void an_answer_of_megabytes_comes_whole() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      Method fill = plugin.method("async.fill", Encoding.RAW);
      for (int size : new int[] {0, 1, 256, 257, 1_000_000, 5_000_000}) {
        byte[] answer = fill.callRawAsync(utf8("" + size)).get(60, TimeUnit.SECONDS);
        assertEquals("x".repeat(size), new String(answer, StandardCharsets.US_ASCII));
      }
    }
  }

  @Test
  void each_of_many_gets_its_own_answer() {
    try (Plugin plugin = Plugins.operations()) {
      Method later = plugin.method("async.later");
      List<CompletableFuture<Note>> calls = new ArrayList<>();
      for (int number = 0; number < 2_000; number++) {
        calls.add(later.callAsync(new Note("n" + number), Note.class));
      }
      for (int number = 0; number < calls.size(); number++) {
        assertEquals("n" + number, calls.get(number).join().text());
      }
    }
  }

  @Test
  void a_failure_keeps_what_the_plugin_says() {
    try (Plugin plugin = Plugins.operations()) {
      PluginException error = failure(plugin.method("async.fail").callAsync("{\"text\":\"gone\"}"));
      assertEquals(Status.DATA_LOSS, error.status());
      assertEquals("gone", error.getMessage());
      assertEquals(Map.of("n", 7L), error.details());
      PluginException panic =
          failure(plugin.method("async.panic_later").callAsync("{\"text\":\"boom\"}"));
      assertEquals(Status.INTERNAL, panic.status());
      assertEquals("panic", panic.type());
    }
  }

  @Test
  void whoever_completes_the_future_ends_the_call() {
    try (Plugin plugin = Plugins.operations()) {
      Method never = plugin.method("async.never");
      CompletableFuture<String> cancelled = never.callAsync("null");
      assertTrue(cancelled.cancel(true));
      assertThrows(CancellationException.class, cancelled::join);
      awaitDropped(plugin, 1);
      CompletableFuture<String> late = never.callAsync("null").orTimeout(5, TimeUnit.MILLISECONDS);
      CompletionException timedOut = assertThrows(CompletionException.class, late::join);
      assertInstanceOf(TimeoutException.class, timedOut.getCause());
      awaitDropped(plugin, 2);
      CompletableFuture<String> other =
          never.callAsync("null").completeOnTimeout("instead", 5, TimeUnit.MILLISECONDS);
      assertEquals("instead", other.join());
      awaitDropped(plugin, 3);
      assertTrue(never.callAsync("null").complete("mine"));
      awaitDropped(plugin, 4);
    }
  }

  @Test
  void a_timeout_is_kept_by_the_plugin() {
    try (Plugin plugin = Plugins.operations()) {
      CallOptions soon = CallOptions.timeout(Duration.ofMillis(20));
      PluginException error = failure(plugin.method("async.never").callAsync("null", soon));
      assertEquals(Status.DEADLINE_EXCEEDED, error.status());
      awaitDropped(plugin, 1);
      PluginException blocked =
          assertThrows(
              PluginException.class,
              () -> plugin.method("call.sleep").call("{\"ms\":600000}", soon));
      assertEquals(Status.DEADLINE_EXCEEDED, blocked.status());
      assertThrows(
          IllegalArgumentException.class, () -> CallOptions.timeout(Duration.ofMillis(-1)));
    }
  }

  @Test
  void a_cancellation_reaches_all_that_were_given_it() {
    try (Plugin plugin = Plugins.operations()) {
      Cancellation cancellation = new Cancellation();
      CallOptions options = DEFAULTS.withCancellation(cancellation);
      CompletableFuture<String> pending = plugin.method("async.never").callAsync("null", options);
      CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS).execute(cancellation::cancel);
      assertThrows(
          CancellationException.class,
          () -> plugin.method("call.sleep").call("{\"ms\":600000}", options));
      assertThrows(CancellationException.class, pending::join);
      awaitDropped(plugin, 1);
      assertThrows(
          CancellationException.class, () -> plugin.method("async.now").call("{}", options));
      assertTrue(plugin.method("async.now").callAsync("{}", options).isCancelled());
    }
  }

  @Test
  void a_call_carries_time_metadata_and_trace() {
    try (Plugin plugin = Plugins.operations()) {
      CallOptions options =
          CallOptions.timeout(Duration.ofSeconds(60))
              .withMetadata("tenant", "blue")
              .withTrace(TraceContext.parse(TRACE, "a=b"));
      String expected =
          "{\"has_deadline\":true,\"metadata\":[[\"tenant\",\"blue\"]],\"trace\":\""
              + TRACE
              + "\",\"state\":\"a=b\"}";
      assertEquals(expected, plugin.method("call.carried").call("null", options));
      assertEquals(expected, plugin.method("call.carried_later").callAsync("null", options).join());
      Reply reply = plugin.method("call.carried_later").callForReply(utf8("null"), options);
      assertEquals(expected, reply.text());
      assertEquals("blue", reply.trailers().text("tenant").orElseThrow());
      PluginException refused =
          assertThrows(
              PluginException.class,
              () ->
                  plugin
                      .method("call.carried")
                      .call("null", DEFAULTS.withMetadata("Not Allowed", "x")));
      assertEquals(Status.INVALID_ARGUMENT, refused.status());
    }
  }

  @Test
  void trailers_come_with_an_error() throws Exception {
    String refusal = "{\"status\":7,\"why\":\"no\"}";
    CallOptions saying = DEFAULTS.withMetadata("tenant", "blue");
    try (Plugin plugin = Plugins.operations()) {
      Method refuse = plugin.method("call.refuse");
      List<PluginException> errors =
          List.of(
              assertThrows(PluginException.class, () -> refuse.call(refusal, saying)),
              assertThrows(
                  PluginException.class,
                  () -> refuse.call(refusal, saying.withCancellation(new Cancellation()))),
              assertThrows(
                  PluginException.class, () -> refuse.callForReply(utf8(refusal), DEFAULTS)),
              failure(refuse.callAsync(refusal, saying)),
              failure(refuse.callAsync(refusal, saying.offloaded())));
      for (PluginException error : errors) {
        assertEquals(Status.PERMISSION_DENIED, error.status());
        assertEquals("[refused=no]", error.trailers().toString());
        assertEquals("[]", error.headers().toString());
      }
      PluginException bare =
          assertThrows(PluginException.class, () -> plugin.call("call.refuse", refusal));
      assertEquals("[]", bare.trailers().toString());
    }
  }

  @Test
  void what_depends_on_a_future_runs_on_the_executor() throws Exception {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(task -> new Thread(task, "chosen"));
    try (Plugin plugin = Plugins.operations()) {
      Method later = plugin.method("async.later");
      // The executor is busy until something depends on the future: on one that's done it would run
      // at once, on this thread.
      CountDownLatch depended = new CountDownLatch(1);
      executor.execute(() -> assertDoesNotThrow(() -> depended.await(60, TimeUnit.SECONDS)));
      CompletableFuture<String> name =
          later
              .callAsync(new Note("a"), Note.class, DEFAULTS.withExecutor(executor))
              .thenApply(note -> Thread.currentThread().getName());
      depended.countDown();
      assertEquals("chosen", name.get(60, TimeUnit.SECONDS));
      CompletableFuture<String> common =
          later
              .callAsync(new Note("a"), Note.class)
              .thenApply(note -> Thread.currentThread().getName());
      assertFalse(common.get(60, TimeUnit.SECONDS).contains("drainer"));
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void what_blocks_an_executor_holds_up_nobody_who_waits() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (Plugin plugin = Plugins.operations()) {
      Method later = plugin.method("async.later");
      CallOptions options = DEFAULTS.withExecutor(executor);
      // On the executor also if the answer is there already.
      CompletableFuture<Void> stuck =
          later
              .callAsync(new Note("a"), Note.class, options)
              .thenAcceptAsync(note -> Waiting.quietly(blocked));
      for (int round = 0; round < 50; round++) {
        assertEquals("b", later.callAsync(new Note("b"), Note.class, options).join().text());
      }
      blocked.countDown();
      stuck.get(60, TimeUnit.SECONDS);
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void every_one_of_many_calls_and_cancels_ends_once() throws Exception {
    AtomicInteger ended = new AtomicInteger();
    int threads = 4;
    int each = 2_000;
    try (Plugin plugin = Plugins.operations()) {
      List<Method> methods =
          List.of(
              plugin.method("async.now"),
              plugin.method("async.later"),
              plugin.method("async.fail"));
      ExecutorService executor = Executors.newFixedThreadPool(threads);
      for (int thread = 0; thread < threads; thread++) {
        executor.execute(() -> {
          for (int number = 0; number < each; number++) {
            Method method = methods.get(number % methods.size());
            CompletableFuture<Note> call = method.callAsync(new Note("x"), Note.class);
            CompletableFuture<Integer> end =
                call.handle((note, failure) -> ended.incrementAndGet());
            if (ThreadLocalRandom.current().nextInt(3) == 0) {
              call.cancel(true);
            }
            if (number % 64 == 0) {
              end.join();
            }
          }
        });
      }
      executor.shutdown();
      assertTrue(executor.awaitTermination(100, TimeUnit.SECONDS));
      Waiting.until("all have ended", () -> ended.get() == threads * each);
    }
  }

  @Test
  void closing_waits_for_what_is_pending_or_cancels_it() {
    Plugin plugin = Plugins.operations();
    Method now = plugin.method("async.now");
    CompletableFuture<String> never = plugin.method("async.never").callAsync("null");
    PluginException still =
        assertThrows(PluginException.class, () -> plugin.close(Duration.ofMillis(20)));
    assertEquals(Status.DEADLINE_EXCEEDED, still.status());
    assertTrue(still.details().toString().contains("async.never"), still.details().toString());
    plugin.close(Duration.ofSeconds(60), Duration.ZERO);
    assertEquals(Status.CANCELLED, failure(never).status());
    PluginException closed = failure(now.callAsync("{\"text\":\"late\"}"));
    assertEquals(Status.UNAVAILABLE, closed.status());
  }

  @Test
  void a_method_of_another_kind_is_refused_before_it_is_called() {
    try (Plugin plugin = Plugins.operations()) {
      Method numbers = plugin.method("stream.numbers");
      assertTrue(numbers.isStreamOut());
      assertThrows(IllegalStateException.class, () -> numbers.callAsync("{}"));
      Method sum = plugin.method("items.sum");
      assertTrue(sum.isStreamIn());
      assertThrows(IllegalStateException.class, () -> sum.callAsync("{}"));
      Method now = plugin.method("async.now");
      assertThrows(IllegalStateException.class, () -> now.iterate(Map.of(), Note.class));
      assertThrows(IllegalStateException.class, () -> now.publish(Map.of(), Note.class));
      Method open = plugin.method("counter.open");
      assertThrows(IllegalStateException.class, () -> open.callAsync("1"));
    }
  }

  @Test
  void the_current_span_of_opentelemetry_goes_along() {
    SpanContext context =
        SpanContext.create(
            "0af7651916cd43dd8448eb211c80319c",
            "b7ad6b7169203331",
            TraceFlags.getSampled(),
            TraceState.builder().put("a", "b").build());
    try (Plugin plugin = Plugins.operations()) {
      String carried;
      try (Scope scope = Span.wrap(context).makeCurrent()) {
        assertEquals(context, Span.current().getSpanContext(), () -> "in " + scope);
        carried = plugin.method("call.carried_later").callAsync("null").join();
      }
      assertTrue(carried.contains(TRACE), carried);
      assertTrue(carried.contains("\"a=b\""), carried);
      String without = plugin.method("call.carried").call("null", DEFAULTS);
      assertFalse(without.contains("0af7"), without);
    }
  }
}
