package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Items;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams out of a plugin and into one. */
@Timeout(120)
class StreamsTest {
  record Value(long value) {}

  /** Five items, and then a failure. */
  static final Iterable<Value> BROKEN =
      () ->
          LongStream.range(0, 10)
              .mapToObj(value -> {
                if (value == 5) {
                  throw new IllegalStateException("the source is broken");
                }
                return new Value(value);
              })
              .iterator();

  private static final CallOptions DEFAULTS = CallOptions.defaults();

  private static Map<String, Object> upTo(long end) {
    return Map.of("from", 0, "to", end);
  }

  private static List<Long> numbers(long end) {
    return LongStream.range(0, end).boxed().toList();
  }

  /** Takes one after the other. */
  private static final class Collecting<T> implements Flow.Subscriber<T> {
    final List<T> items = new ArrayList<>();
    final CompletableFuture<List<T>> all = new CompletableFuture<>();
    private Flow.Subscription subscription;
    private final int limit;

    Collecting(int limit) {
      this.limit = limit;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(1);
    }

    @Override
    public void onNext(T item) {
      items.add(item);
      if (items.size() == limit) {
        subscription.cancel();
        all.complete(items);
      } else {
        subscription.request(1);
      }
    }

    @Override
    public void onError(Throwable failure) {
      all.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      all.complete(items);
    }
  }

  static <T> List<T> collected(Flow.Publisher<T> publisher, int limit) throws Exception {
    Collecting<T> collecting = new Collecting<>(limit);
    publisher.subscribe(collecting);
    return collecting.all.get(60, TimeUnit.SECONDS);
  }

  private static <T> List<T> taken(Items<T> items) {
    List<T> all = new ArrayList<>();
    try (items) {
      items.forEach(all::add);
    }
    return all;
  }

  @Test
  void all_items_come_in_order_whatever_the_window() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      Method numbers = plugin.method("stream.numbers");
      for (int window : new int[] {1, 2, 7, 256, 100_000}) {
        CallOptions options = DEFAULTS.withWindow(window, 1L << 18);
        assertEquals(numbers(3_000), taken(numbers.iterate(upTo(3_000), Long.class, options)));
        assertEquals(numbers(300), collected(numbers.publish(upTo(300), Long.class, options), -1));
      }
      assertEquals(List.of(), taken(numbers.iterate(upTo(0), Long.class)));
      assertEquals(numbers(20), taken(plugin.method("stream.ticks").iterate(upTo(20), Long.class)));
    }
  }

  @Test
  void items_larger_than_the_window_come_alone() {
    try (Plugin plugin = Plugins.operations()) {
      Method texts = plugin.method("stream.texts", Encoding.RAW);
      byte[] request = "200".getBytes(StandardCharsets.UTF_8);
      int length = 0;
      for (byte[] text : texts.iterateRaw(request, DEFAULTS.withWindow(4, 10))) {
        assertEquals(++length, text.length);
      }
      assertEquals(200, length);
    }
  }

  @Test
  void a_stream_that_breaks_says_so_after_what_came() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      Method ticks = plugin.method("stream.ticks");
      Map<String, Object> broken = Map.of("from", 0, "to", 10, "fail_at", 3);
      List<Long> came = new ArrayList<>();
      try (Items<Long> items = ticks.iterate(broken, Long.class)) {
        PluginException error =
            assertThrows(PluginException.class, () -> items.forEachRemaining(came::add));
        assertEquals(Status.DATA_LOSS, error.status());
        assertEquals("broken at 3", error.getMessage());
        assertFalse(items.hasNext());
      }
      assertEquals(numbers(3), came);
      ExecutionException published =
          assertThrows(
              ExecutionException.class, () -> collected(ticks.publish(broken, Long.class), -1));
      assertEquals(
          Status.DATA_LOSS, assertInstanceOf(PluginException.class, published.getCause()).status());
    }
  }

  @Test
  void ending_early_ends_it_in_the_plugin() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      Method ticks = plugin.method("stream.ticks");
      try (Items<Long> items = ticks.iterate(upTo(1_000_000), Long.class)) {
        assertEquals(0, items.next());
      }
      assertEquals(numbers(5), collected(ticks.publish(upTo(1_000_000), Long.class), 5));
      Waiting.until("both were dropped", () -> plugin.call("async.dropped", "null").equals("2"));
      CallOptions soon = CallOptions.timeout(Duration.ofMillis(30));
      try (Items<Long> items = ticks.iterate(upTo(1_000_000), Long.class, soon)) {
        PluginException late =
            assertThrows(PluginException.class, () -> items.forEachRemaining(any -> {}));
        assertEquals(Status.DEADLINE_EXCEEDED, late.status());
      }
    }
  }

  @Test
  void who_waits_for_an_item_is_woken_by_a_close_or_an_interrupt() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      Method doubled = plugin.method("items.double");
      Iterable<Value> never = () -> blocking(new CompletableFuture<Value>());
      Items<Value> items = doubled.sending(never).iterate(null, Value.class, DEFAULTS);
      CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS).execute(items::close);
      assertThrows(CancellationException.class, items::hasNext);
      Method ticks = plugin.method("stream.ticks");
      try (Items<Long> slow = ticks.iterate(upTo(1_000_000), Long.class)) {
        Thread.currentThread().interrupt();
        assertThrows(CancellationException.class, () -> slow.forEachRemaining(any -> {}));
        assertTrue(Thread.interrupted());
      }
    }
  }

  /** An iterator that has nothing for a moment, and then ends. */
  private static Iterator<Value> blocking(CompletableFuture<Value> moment) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        moment.completeOnTimeout(null, 100, TimeUnit.MILLISECONDS).join();
        return false;
      }

      @Override
      public Value next() {
        throw new java.util.NoSuchElementException();
      }
    };
  }

  @Test
  void items_go_in_as_fast_as_they_are_asked_for() throws Exception {
    try (Plugin plugin = Plugins.operations()) {
      Method sum = plugin.method("items.sum");
      List<Value> many = LongStream.range(0, 5_000).mapToObj(Value::new).toList();
      assertEquals(
          new Value(12_497_501),
          sum.sending(many).callAsync(new Value(1), Value.class).get(60, TimeUnit.SECONDS));
      // No collection, so an item at a time.
      Iterable<Value> lazy =
          new Iterable<>() {
            @Override
            public Iterator<Value> iterator() {
              return many.iterator();
            }
          };
      assertEquals(
          new Value(12_497_500),
          sum.sending(lazy).callAsync(new Value(0), Value.class).get(60, TimeUnit.SECONDS));
      Method doubled = plugin.method("items.double");
      List<Value> back = taken(doubled.sending(many).iterate(null, Value.class, DEFAULTS));
      assertEquals(5_000, back.size());
      assertEquals(new Value(9_998), back.get(4_999));
      CompletableFuture<Value> total;
      try (SubmissionPublisher<Value> publisher = new SubmissionPublisher<>()) {
        total = sum.sending(publisher).callAsync(new Value(0), Value.class);
        Waiting.until("it has subscribed", publisher::hasSubscribers);
        many.forEach(publisher::submit);
      }
      assertEquals(new Value(12_497_500), total.get(60, TimeUnit.SECONDS));
      assertEquals(
          List.of(new Value(2), new Value(4)),
          collected(
              doubled
                  .sending(List.of(new Value(1), new Value(2)))
                  .publish(null, Value.class, DEFAULTS),
              -1));
    }
  }

  @Test
  void a_stream_is_whole_and_in_order_when_an_executor_runs_twice_what_it_is_given()
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    Executor twice =
        task -> {
          threads.execute(task);
          threads.execute(task);
        };
    CallOptions options = DEFAULTS.withExecutor(twice);
    List<Value> many = LongStream.range(0, 3_000).mapToObj(Value::new).toList();
    try (Plugin plugin = Plugins.operations()) {
      Method numbers = plugin.method("stream.numbers");
      assertEquals(
          numbers(3_000), collected(numbers.publish(upTo(3_000), Long.class, options), -1));
      Method doubled = plugin.method("items.double");
      List<Value> back = collected(doubled.sending(many).publish(null, Value.class, options), -1);
      assertEquals(many.stream().map(value -> new Value(2 * value.value())).toList(), back);
    } finally {
      threads.shutdown();
      assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void a_source_that_fails_is_not_taken_for_whole() {
    try (Plugin plugin = Plugins.operations()) {
      Iterable<Value> closed =
          () -> {
            throw new IllegalStateException("the source is broken");
          };
      for (Iterable<Value> source : List.of(BROKEN, closed)) {
        CompletableFuture<Value> sum =
            plugin.method("items.sum").sending(source).callAsync(new Value(0), Value.class);
        Flow.Publisher<Value> doubled =
            plugin.method("items.double").sending(source).publish(null, Value.class, DEFAULTS);
        for (Callable<?> ends :
            List.<Callable<?>>of(
                () -> sum.get(60, TimeUnit.SECONDS), () -> collected(doubled, 1_000))) {
          ExecutionException failure = assertThrows(ExecutionException.class, ends::call);
          assertEquals("the source is broken", failure.getCause().getMessage());
        }
      }
    }
  }
}
