package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Service;
import io.github.rustbridge.ServiceCall;
import io.github.rustbridge.Status;
import io.github.rustbridge.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions of Java's that a plugin calls. */
@Timeout(120)
class ServicesTest {
  private static final PluginConfig QUIET = PluginConfig.defaults().logLevel(LogLevel.OFF);
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static Plugin load(PluginConfig config) {
    return Plugins.load("operations-plugin", config);
  }

  /** Has them all. */
  static final class Prices {
    @Service("prices.get")
    long get(long id) {
      return 100 + id;
    }

    @Service("prices.quote")
    CompletionStage<Long> quote(long id) {
      return CompletableFuture.supplyAsync(() -> 200 + id);
    }

    @Service("prices.upper")
    byte[] upper(byte[] text, ServiceCall call) {
      String upper = new String(text, StandardCharsets.UTF_8).toUpperCase(Locale.ROOT);
      return upper.getBytes(StandardCharsets.UTF_8);
    }
  }

  @Test
  void annotated_methods_answer() {
    try (Plugin plugin = load(QUIET.services(new Prices()))) {
      assertEquals("203", plugin.call("service.total", "[1,2]"));
      assertEquals("107", plugin.call("service.task", "7"));
      assertEquals("205", plugin.call("service.quote", "5"));
      assertEquals("205", plugin.method("service.quote").callAsync("5").join());
      byte[] upper =
          plugin
              .method("service.upper", Encoding.RAW)
              .callRawBytes("abc".getBytes(StandardCharsets.UTF_8));
      assertEquals("ABC", new String(upper, StandardCharsets.UTF_8));
    }
    assertThrows(IllegalArgumentException.class, () -> QUIET.services("none"));
  }

  @Test
  void functions_answer_and_see_what_came_with_the_call() {
    List<ServiceCall> calls = new CopyOnWriteArrayList<>();
    PluginConfig config =
        QUIET.service(
            "prices.get",
            Long.class,
            (id, call) -> {
              calls.add(call);
              return id * 2;
            });
    try (Plugin plugin = load(config)) {
      assertEquals("14", plugin.call("service.one", "7"));
      assertTrue(calls.get(0).timeLeft().isEmpty());
      assertTrue(calls.get(0).trace().isEmpty());
      CallOptions options =
          CallOptions.timeout(Duration.ofSeconds(60)).withTrace(TraceContext.parse(TRACE));
      assertEquals("14", plugin.method("service.one").call("7", options));
      Duration left = calls.get(1).timeLeft().orElseThrow();
      assertTrue(left.compareTo(Duration.ofSeconds(60)) <= 0, left.toString());
      assertEquals(
          "0af7651916cd43dd8448eb211c80319c", calls.get(1).trace().orElseThrow().traceId());
    }
  }

  @Test
  void what_is_thrown_becomes_a_status() {
    PluginConfig config =
        QUIET
            .service(
                "prices.get",
                Long.class,
                (id, call) -> {
                  if (id == 1) {
                    throw new java.io.IOException("no \"line\"");
                  }
                  throw new PluginException(
                      Status.NOT_FOUND, "PriceError.Unknown", "nobody", Map.of("id", id), null);
                })
            .service(
                "prices.quote",
                Long.class,
                (id, call) -> CompletableFuture.failedStage(new IllegalStateException("later")));
    try (Plugin plugin = load(config)) {
      PluginException checked =
          assertThrows(PluginException.class, () -> plugin.call("service.one", "1"));
      assertEquals(Status.INTERNAL, checked.status());
      assertEquals("java.io.IOException", checked.type());
      assertTrue(checked.getMessage().contains("no \"line\""), checked.getMessage());
      PluginException own =
          assertThrows(PluginException.class, () -> plugin.call("service.one", "7"));
      assertEquals(Status.NOT_FOUND, own.status());
      assertEquals("PriceError.Unknown", own.type());
      assertEquals(Map.of("id", 7L), own.details());
      PluginException later =
          assertThrows(PluginException.class, () -> plugin.call("service.quote", "7"));
      assertEquals("java.lang.IllegalStateException", later.type());
    }
  }

  @Test
  void a_stage_that_takes_no_listener_is_a_failure() {
    CompletableFuture<byte[]> deaf =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<byte[]> whenComplete(
              BiConsumer<? super byte[], ? super Throwable> action) {
            throw new IllegalStateException("it's deaf");
          }
        };
    PluginConfig config =
        QUIET.rawAsyncService("prices.quote", Encoding.JSON, (request, call) -> deaf);
    try (Plugin plugin = load(config)) {
      CallOptions limited = CallOptions.timeout(Duration.ofSeconds(60));
      PluginException failed =
          assertThrows(
              PluginException.class, () -> plugin.method("service.quote").call("5", limited));
      assertEquals("java.lang.IllegalStateException", failed.type());
    }
  }

  /** The same end, for a future of any class. */
  private static CompletableFuture<Long> complete(CompletableFuture<Long> future, long how) {
    Throwable failure =
        switch ((int) how) {
          case 1 -> new IllegalStateException("it's broken");
          case 2 -> new CompletionException(new IllegalStateException("a stage before is broken"));
          case 3 -> new CompletionException("without a cause", null);
          case 4 ->
              new PluginException(
                  Status.NOT_FOUND, "PriceError.Unknown", "nobody", Map.of("id", how), null);
          case 5 -> new CancellationException("with a message");
          default -> null;
        };
    if (failure != null) {
      future.completeExceptionally(failure);
    } else if (how == 6) {
      future.cancel(true);
    } else {
      future.complete(how);
    }
    return future;
  }

  private static String outcome(Plugin plugin, int how) {
    CompletableFuture<String> quote =
        plugin.method("service.quote").callAsync(Integer.toString(how));
    return quote
        .handle((value, failure) -> failure == null ? value : described(failure))
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
  }

  private static String described(Throwable failure) {
    PluginException error = assertInstanceOf(PluginException.class, failure);
    return error + " " + error.type() + " " + error.details();
  }

  @Test
  void a_future_that_is_complete_already_answers_what_it_would_have_later() {
    PluginConfig now =
        QUIET.service(
            "prices.quote", Long.class, (how, call) -> complete(new CompletableFuture<>(), how));
    PluginConfig later =
        QUIET.service(
            "prices.quote",
            Long.class,
            (how, call) -> complete(new CompletableFuture<Long>() {}, how));
    try (Plugin atOnce = load(now);
        Plugin waiting = load(later)) {
      Set<String> different = new HashSet<>();
      for (int how = 0; how < 7; how++) {
        String outcome = outcome(atOnce, how);
        assertEquals(outcome(waiting, how), outcome);
        different.add(outcome);
      }
      assertEquals(7, different.size(), different::toString);
    }
  }

  @Test
  void a_stage_that_nobody_waits_for_is_cancelled() {
    CompletableFuture<byte[]> never = new CompletableFuture<>();
    CompletableFuture<Void> inside = new CompletableFuture<>();
    PluginConfig config =
        QUIET.rawAsyncService(
            "prices.quote",
            Encoding.JSON,
            (request, call) -> {
              inside.complete(null);
              return never;
            });
    try (Plugin plugin = load(config)) {
      CompletableFuture<String> quote = plugin.method("service.quote").callAsync("5");
      inside.join();
      quote.cancel(true);
      Waiting.until("it was cancelled", never::isCancelled);
    }
  }

  @Test
  void a_function_that_blocks_keeps_no_thread_that_calls_asynchronously() throws Exception {
    Thread here = Thread.currentThread();
    for (CallOptions options :
        List.of(CallOptions.defaults(), CallOptions.defaults().offloaded())) {
      CompletableFuture<Thread> inside = new CompletableFuture<>();
      CompletableFuture<Void> released = new CompletableFuture<>();
      PluginConfig config =
          QUIET.service(
              "prices.quote",
              Long.class,
              (id, call) -> {
                inside.complete(Thread.currentThread());
                released.get(60, TimeUnit.SECONDS);
                return id;
              });
      try (Plugin plugin = load(config)) {
        CompletableFuture<String> quote = plugin.method("service.quote").callAsync("5", options);
        // The call has returned, and the function hasn't.
        assertNotSame(here, inside.get(60, TimeUnit.SECONDS));
        assertFalse(quote.isDone());
        released.complete(null);
        assertEquals("5", quote.get(60, TimeUnit.SECONDS));
      }
    }
  }

  @Test
  void no_more_functions_run_than_the_configuration_allows() throws Exception {
    BlockingQueue<CompletableFuture<Void>> inside = new LinkedBlockingQueue<>();
    PluginConfig config =
        QUIET
            .threads(1)
            .service(
                "prices.quote",
                Long.class,
                (id, call) -> {
                  CompletableFuture<Void> released = new CompletableFuture<>();
                  inside.add(released);
                  released.get(60, TimeUnit.SECONDS);
                  return id;
                });
    try (Plugin plugin = load(config)) {
      CompletableFuture<String> first = plugin.method("service.quote").callAsync("1");
      CompletableFuture<String> second = plugin.method("service.quote").callAsync("2");
      for (CompletableFuture<String> quote : List.of(first, second)) {
        CompletableFuture<Void> released = inside.poll(60, TimeUnit.SECONDS);
        assertTrue(inside.isEmpty());
        released.complete(null);
        quote.get(60, TimeUnit.SECONDS);
      }
    }
    assertThrows(IllegalArgumentException.class, () -> QUIET.threads(-1));
  }

  @Test
  void an_answer_that_comes_after_the_deadline_is_none() {
    PluginConfig config =
        QUIET.service(
            "prices.get",
            Long.class,
            (id, call) -> {
              while (!call.timeLeft().orElseThrow().isZero()) {
                Thread.sleep(1);
              }
              return id;
            });
    try (Plugin plugin = load(config)) {
      PluginException late =
          assertThrows(
              PluginException.class,
              () ->
                  plugin
                      .method("service.one")
                      .call("7", CallOptions.timeout(Duration.ofMillis(20))));
      assertEquals(Status.DEADLINE_EXCEEDED, late.status());
    }
  }

  @Test
  void one_may_call_the_plugin_again() {
    Plugin[] plugin = new Plugin[1];
    PluginConfig config =
        QUIET.service(
            "prices.get",
            Long.class,
            (id, call) -> Long.valueOf(plugin[0].call("counter.alive", "null")));
    plugin[0] = load(config);
    try (Plugin closed = plugin[0]) {
      assertEquals("0", closed.call("service.one", "7"));
      assertEquals("0", closed.method("service.task").callAsync("7").join());
    }
  }
}
