package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Cancellation;
import io.github.rustbridge.Items;
import io.github.rustbridge.Metadata;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Reply;
import io.github.rustbridge.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Metadata that a plugin says before anything else of a call. */
@Timeout(120)
class HeadersTest {
  record Note(String text) {}

  private static final Note HI = new Note("Hi");

  /** Two pairs with one key, and one whose value is no text. */
  private static final Metadata METADATA =
      Metadata.of("served-by", "b7").with("raw-bin", new byte[] {0, -1}).with("served-by", "b8");

  private static final CallOptions SILENT = CallOptions.defaults().withMetadata(METADATA);
  private static final CallOptions ASKING = SILENT.withHeaders();

  private static final List<String> METHODS =
      List.of("headers.now", "headers.soon", "headers.later");

  private static byte[] utf8(Object text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** What {@link #METADATA} comes back as. */
  private static String said(String method) {
    String all = METADATA.toString();
    return method.equals("headers.later") ? "[first=1, " + all.substring(1) : all;
  }

  private static Map<String, Object> upTo(long end) {
    return Map.of("from", 0, "to", end);
  }

  private static Map<String, Object> refusal(Status status) {
    return Map.of("status", status.number(), "why", "no");
  }

  private static PluginException failure(CompletableFuture<?> call) {
    Exception thrown = assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
    return assertInstanceOf(PluginException.class, thrown.getCause());
  }

  /** Keeps what it was told. */
  private static final class Told {
    final Queue<Object> all = new ConcurrentLinkedQueue<>();

    CallOptions asking(CallOptions options) {
      return options.withHeaders(headers -> {
        assertFalse(Thread.currentThread().getName().contains("drainer"));
        all.add(headers.toString());
      });
    }
  }

  @Test
  void they_are_in_the_reply_of_who_asks() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      for (String name : METHODS) {
        Method method = plugin.method(name);
        Reply waited = method.call(HI, Reply.class, ASKING);
        assertEquals(HI, waited.json(Note.class));
        assertEquals(said(name), waited.headers().toString());
        assertEquals("[]", waited.trailers().toString());
        Reply later = method.callAsync(HI, Reply.class, ASKING).get(60, TimeUnit.SECONDS);
        assertEquals(said(name), later.headers().toString());
        Reply offloaded = method.callAsync(HI, Reply.class, ASKING.offloaded()).join();
        assertEquals(said(name), offloaded.headers().toString());
        CallOptions cancellable = ASKING.withCancellation(new Cancellation());
        assertEquals(said(name), method.call(HI, Reply.class, cancellable).headers().toString());
        byte[] request = utf8("{\"text\":\"Hi\"}");
        assertEquals(said(name), method.callForReply(request, ASKING).headers().toString());
      }
    }
  }

  @Test
  void who_did_not_ask_gets_none_and_nobody_gets_what_was_not_said() {
    try (Plugin plugin = Plugins.operations()) {
      for (String name : METHODS) {
        Method method = plugin.method(name);
        assertEquals("[]", method.call(HI, Reply.class, SILENT).headers().toString());
        assertEquals("[]", method.callAsync(HI, Reply.class, SILENT).join().headers().toString());
      }
      Method now = plugin.method("headers.now");
      Told told = new Told();
      CallOptions nothing = told.asking(CallOptions.defaults());
      assertEquals("[]", now.call(HI, Reply.class, nothing).headers().toString());
      assertEquals(HI, plugin.method("async.later").callAsync(HI, Note.class, nothing).join());
      assertEquals(List.of(), List.copyOf(told.all));
      Method items = plugin.method("headers.items");
      try (Items<Long> unasked = items.iterate(upTo(3), Long.class, SILENT);
          Items<Long> unsaid =
              plugin.method("stream.numbers").iterate(upTo(3), Long.class, ASKING)) {
        assertEquals("[]", unasked.headers().toString());
        assertEquals("[]", unsaid.headers().toString());
        unsaid.forEach(item -> assertTrue(item < 3));
        unasked.forEach(item -> assertTrue(item < 3));
        assertEquals("[]", unasked.headers().toString());
        assertEquals("[]", unsaid.headers().toString());
      }
    }
  }

  @Test
  void they_are_told_before_the_answer_once() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      for (String name : METHODS) {
        Told told = new Told();
        CallOptions options = told.asking(SILENT);
        Method method = plugin.method(name);
        assertEquals(HI, method.call(HI, Note.class, options));
        assertEquals(List.of(said(name)), List.copyOf(told.all));
        CompletableFuture<Note> call =
            method
                .callAsync(HI, Note.class, options)
                .thenApply(note -> {
                  told.all.add(note);
                  return note;
                });
        assertEquals(HI, call.get(60, TimeUnit.SECONDS));
        assertEquals(HI, method.callAsync(HI, Note.class, options).join());
        assertEquals(List.of(said(name), said(name), HI, said(name)), List.copyOf(told.all));
        // An executor that runs in place has nothing of an application's run by who fetches events.
        CallOptions inPlace = options.withExecutor(Runnable::run);
        assertEquals(HI, method.callAsync(HI, Note.class, inPlace).get(60, TimeUnit.SECONDS));
        assertEquals(5, told.all.size());
      }
    }
  }

  @Test
  void they_come_with_an_error() {
    try (Plugin plugin = Plugins.operations()) {
      Method refuse = plugin.method("headers.refuse");
      Told told = new Told();
      Object request = refusal(Status.PERMISSION_DENIED);
      PluginException waited =
          assertThrows(
              PluginException.class, () -> refuse.call(request, Void.class, told.asking(SILENT)));
      PluginException later = failure(refuse.callAsync(request, Void.class, told.asking(SILENT)));
      for (PluginException error : List.of(waited, later)) {
        assertEquals(Status.PERMISSION_DENIED, error.status());
        assertEquals(METADATA.toString(), error.headers().toString());
      }
      assertEquals(List.of(said(""), said("")), List.copyOf(told.all));
      PluginException unasked =
          assertThrows(PluginException.class, () -> refuse.call(request, Void.class, SILENT));
      assertEquals("[]", unasked.headers().toString());
    }
  }

  @Test
  void items_have_them_before_the_first_item_and_where_there_is_none() {
    try (Plugin plugin = Plugins.operations()) {
      Method method = plugin.method("headers.items");
      for (int end : new int[] {0, 1, 600}) {
        Told told = new Told();
        try (Items<Long> items = method.iterate(upTo(end), Long.class, told.asking(SILENT))) {
          assertEquals(METADATA.toString(), items.headers().toString());
          assertEquals(List.of(said("")), List.copyOf(told.all));
          List<Long> all = new ArrayList<>();
          items.forEach(all::add);
          assertEquals(end, all.size());
          assertEquals(METADATA.toString(), items.headers().toString());
          assertEquals(1, told.all.size());
        }
        // Not looked at before the items.
        try (Items<Long> items = method.iterate(upTo(end), Long.class, told.asking(SILENT))) {
          assertEquals(end > 0, items.hasNext());
          assertEquals(2, told.all.size());
          assertEquals(METADATA.toString(), items.headers().toString());
        }
      }
    }
  }

  @Test
  void a_stream_that_is_closed_or_has_ended_has_what_it_had() {
    Plugin plugin = Plugins.operations();
    Method method = plugin.method("headers.items");
    Items<Long> items = method.iterate(upTo(1_000_000), Long.class, ASKING);
    assertEquals(0, items.next());
    items.close();
    assertEquals(METADATA.toString(), items.headers().toString());
    assertThrows(CancellationException.class, items::hasNext);
    Items<Long> pending = plugin.method("stream.ticks").iterate(upTo(1), Long.class, ASKING);
    pending.close();
    assertThrows(CancellationException.class, pending::headers);
    plugin.close(Duration.ofSeconds(60), Duration.ZERO);
    try (Items<Long> late = method.iterate(upTo(1), Long.class, ASKING)) {
      assertEquals("[]", late.headers().toString());
      PluginException closed = assertThrows(PluginException.class, late::hasNext);
      assertEquals(Status.UNAVAILABLE, closed.status());
      assertEquals("[]", closed.headers().toString());
    }
    assertEquals(
        Status.UNAVAILABLE,
        assertThrows(PluginException.class, () -> method.plugin().call("headers.now", "{}"))
            .status());
  }

  @Test
  void a_subscriber_has_been_told_when_its_first_item_comes() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      for (long end : new long[] {0, 2}) {
        Told told = new Told();
        Flow.Publisher<Long> publisher =
            plugin.method("headers.items").publish(upTo(end), Long.class, told.asking(SILENT));
        for (int round = 0; round < 2; round++) {
          CompletableFuture<Void> over = new CompletableFuture<>();
          publisher.subscribe(new Noting(told, over));
          over.get(60, TimeUnit.SECONDS);
        }
        List<Object> expected = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
          expected.add(said(""));
          for (long item = 0; item < end; item++) {
            expected.add(item);
          }
        }
        assertEquals(expected, List.copyOf(told.all));
      }
    }
  }

  /** Notes its items behind the headers. */
  private record Noting(Told told, CompletableFuture<Void> over) implements Flow.Subscriber<Long> {
    @Override
    public void onSubscribe(Flow.Subscription given) {
      given.request(100);
    }

    @Override
    public void onNext(Long item) {
      told.all.add(item);
    }

    @Override
    public void onError(Throwable failure) {
      over.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      over.complete(null);
    }
  }

  @Test
  void a_call_fails_with_what_is_thrown_by_who_is_told() throws Exception {
    RuntimeException thrown = new IllegalStateException("not these");
    CallOptions options =
        SILENT.withHeaders(headers -> {
          throw thrown;
        });
    try (Plugin plugin = Plugins.operations()) {
      Method now = plugin.method("headers.now");
      Method later = plugin.method("headers.later");
      assertSame(thrown, assertThrows(Exception.class, () -> now.call(HI, Note.class, options)));
      for (Method method : List.of(now, later)) {
        CompletableFuture<Reply> call = method.callAsync(HI, Reply.class, options);
        ExecutionException failed =
            assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
        assertSame(thrown, failed.getCause());
      }
      Method items = plugin.method("headers.items");
      CompletableFuture<Void> over = new CompletableFuture<>();
      items.publish(upTo(2), Long.class, options).subscribe(new Noting(new Told(), over));
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> over.get(60, TimeUnit.SECONDS));
      assertSame(thrown, failed.getCause());
    }
  }

  @Test
  void items_are_over_with_what_is_thrown_by_who_is_told() {
    RuntimeException thrown = new IllegalStateException("not these");
    CallOptions options =
        SILENT
            .withCancellation(new Cancellation())
            .withHeaders(headers -> {
              throw thrown;
            });
    try (Plugin plugin = Plugins.operations()) {
      for (String name : List.of("headers.items", "headers.ticks")) {
        for (int end : new int[] {0, 2, 1_000_000}) {
          for (boolean isAsked : new boolean[] {false, true}) {
            Items<Long> taken = plugin.method(name).iterate(upTo(end), Long.class, options);
            Executable look = isAsked ? taken::headers : taken::hasNext;
            assertSame(thrown, assertThrows(Exception.class, look));
            assertFalse(taken.hasNext());
            assertThrows(NoSuchElementException.class, taken::next);
            assertEquals(said(""), taken.headers().toString());
          }
        }
      }
      // Nobody has closed them.
      Waiting.until("all were dropped", () -> plugin.call("async.dropped", "null").equals("6"));
    }
  }

  @Test
  void a_call_that_is_given_up_tells_nothing() {
    try (Plugin plugin = Plugins.operations()) {
      Told told = new Told();
      Cancellation cancellation = new Cancellation();
      CallOptions options = told.asking(SILENT).withCancellation(cancellation);
      CompletableFuture<String> never = plugin.method("async.never").callAsync("null", options);
      Items<Long> ticks =
          plugin.method("stream.ticks").iterate(upTo(1_000_000), Long.class, options);
      cancellation.cancel();
      assertTrue(never.isCancelled());
      assertThrows(CancellationException.class, ticks::headers);
      assertThrows(
          CancellationException.class,
          () -> plugin.method("headers.now").call(HI, Note.class, options));
      assertEquals(List.of(), List.copyOf(told.all));
    }
  }

  @Test
  void they_have_the_limit_that_all_metadata_has() {
    try (Plugin plugin = Plugins.operations()) {
      // What is sent is as long as may be; with another header before it it's too long.
      String value = "x".repeat(65536 - 4 - 8 - "long".length());
      CallOptions options = CallOptions.defaults().withMetadata("long", value).withHeaders();
      for (String name : List.of("headers.now", "headers.soon")) {
        Reply reply = plugin.method(name).call(HI, Reply.class, options);
        assertEquals(value, reply.headers().text("long").orElseThrow());
      }
      PluginException refused =
          failure(plugin.method("headers.later").callAsync(HI, Note.class, options));
      assertEquals(Status.RESOURCE_EXHAUSTED, refused.status());
      assertEquals("[first=1]", refused.headers().toString());
      PluginException invalid =
          assertThrows(
              PluginException.class,
              () ->
                  plugin
                      .method("headers.now")
                      .call(HI, Note.class, ASKING.withMetadata("Not Allowed", "x")));
      assertEquals(Status.INVALID_ARGUMENT, invalid.status());
      assertThrows(NullPointerException.class, () -> CallOptions.defaults().withHeaders(null));
    }
  }

  @Test
  void each_of_many_calls_has_its_own() {
    try (Plugin plugin = Plugins.operations()) {
      Method later = plugin.method("headers.later");
      List<CompletableFuture<Reply>> calls = new ArrayList<>();
      for (int number = 0; number < 2_000; number++) {
        CallOptions options = CallOptions.defaults().withMetadata("number", "" + number);
        calls.add(later.callAsync(HI, Reply.class, options.withHeaders()));
      }
      for (int number = 0; number < calls.size(); number++) {
        Metadata headers = calls.get(number).join().headers();
        assertEquals("[first=1, number=" + number + "]", headers.toString());
      }
    }
  }
}
