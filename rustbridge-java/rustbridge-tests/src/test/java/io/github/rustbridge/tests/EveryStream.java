package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static io.github.rustbridge.tests.StreamsTest.collected;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Items;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.Status;
import io.github.rustbridge.tests.StreamsTest.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Streams out of a plugin and into one: to their ends, left in the midst, and broken. */
final class EveryStream {
  private static final CallOptions DEFAULTS = CallOptions.defaults();

  private EveryStream() {}

  static void comes(Plugin plugin) throws Exception {
    for (String name : new String[] {"stream.numbers", "stream.ticks"}) {
      Method stream = plugin.method(name);
      try (Items<Long> items =
          stream.iterate(Map.of("to", 50), Long.class, DEFAULTS.withWindow(7, 1 << 10))) {
        long next = 0;
        for (Long item : items) {
          assertEquals(next++, item);
        }
        assertEquals(50, next);
      }
      try (Items<Long> items =
          stream.iterate(Map.of("to", 50, "fail_at", 3), Long.class, DEFAULTS)) {
        fails(Status.DATA_LOSS, () -> items.forEachRemaining(any -> {}));
      }
      try (Items<Long> items = stream.iterate(Map.of("to", 1_000_000), Long.class)) {
        assertEquals(0L, items.next());
      }
      assertEquals(50, collected(stream.publish(Map.of("to", 50), Long.class), 1_000).size());
      assertEquals(5, collected(stream.publish(Map.of("to", 1_000_000), Long.class), 5).size());
    }
    Method texts = plugin.method("stream.texts", Encoding.RAW);
    int length = 0;
    for (byte[] text :
        texts.iterateRaw("100".getBytes(StandardCharsets.UTF_8), DEFAULTS.withWindow(4, 10))) {
      assertEquals(++length, text.length);
    }
    assertEquals(100, length);
  }

  static void goes(Plugin plugin) throws Exception {
    List<Value> many = LongStream.range(0, 500).mapToObj(Value::new).toList();
    Method sum = plugin.method("items.sum");
    Value zero = new Value(0);
    Value all = new Value(124_750);
    assertEquals(all, sum.sending(many).callAsync(zero, Value.class).get(60, TimeUnit.SECONDS));
    Iterable<Value> oneByOne = () -> many.stream().iterator();
    assertEquals(all, sum.sending(oneByOne).callAsync(zero, Value.class).get(60, TimeUnit.SECONDS));
    CompletableFuture<Value> total;
    try (SubmissionPublisher<Value> publisher = new SubmissionPublisher<>()) {
      total = sum.sending(publisher).callAsync(zero, Value.class);
      Waiting.until("it has subscribed", publisher::hasSubscribers);
      many.forEach(publisher::submit);
    }
    assertEquals(all, total.get(60, TimeUnit.SECONDS));
    assertEquals(
        zero,
        plugin
            .method("items.first")
            .sending(many)
            .callAsync(null, Value.class)
            .get(60, TimeUnit.SECONDS));
    Method doubled = plugin.method("items.double");
    try (Items<Value> items = doubled.sending(many).iterate(null, Value.class, DEFAULTS)) {
      int count = 0;
      for (Value item : items) {
        assertEquals(2L * count++, item.value());
      }
      assertEquals(500, count);
    }
    try (Items<Value> items = doubled.sending(many).iterate(null, Value.class, DEFAULTS)) {
      assertEquals(zero, items.next());
    }
    CompletableFuture<Value> failed = sum.sending(StreamsTest.BROKEN).callAsync(zero, Value.class);
    assertThrows(ExecutionException.class, () -> failed.get(60, TimeUnit.SECONDS));
  }
}
