package io.github.rustbridge.tests;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Items;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.PluginObject;
import io.github.rustbridge.Reply;
import io.github.rustbridge.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values that stay in a plugin. */
@Timeout(120)
class ObjectsTest {
  private static final CallOptions DEFAULTS = CallOptions.defaults();

  private static PluginObject open(Plugin plugin, long start) {
    return plugin.method("counter.open").call(start, PluginObject.class, DEFAULTS);
  }

  private static void assertAlive(Plugin plugin, long count) {
    Waiting.until(
        count + " objects are alive",
        () -> plugin.call("counter.alive", "null").equals(Long.toString(count)));
  }

  @Test
  void methods_of_an_object_are_called_with_it() {
    try (Plugin plugin = Plugins.operations()) {
      try (PluginObject counter = open(plugin, 5)) {
        assertEquals(8, counter.call("Counter.add", 3, Long.class));
        assertEquals("8", counter.call("Counter.get", "null"));
        Method later = plugin.method("Counter.add_later");
        assertEquals(10, counter.callAsync(later, 2, Long.class, DEFAULTS).join());
        List<Long> items = new ArrayList<>();
        try (Items<Long> upTo =
            counter.iterate(plugin.method("Counter.upto"), 13, Long.class, DEFAULTS)) {
          upTo.forEach(items::add);
        }
        assertEquals(List.of(10L, 11L, 12L), items);
      }
      assertAlive(plugin, 0);
    }
  }

  @Test
  void objects_are_lent_by_position() {
    try (Plugin plugin = Plugins.operations();
        PluginObject first = open(plugin, 5);
        PluginObject second = open(plugin, 7)) {
      CallOptions both = DEFAULTS.withObjects(first, second);
      assertEquals("12", plugin.method("counter.total").call("[0,1]", both));
      CallOptions other = DEFAULTS.withObjects(second);
      assertEquals(12, first.call(plugin.method("Counter.absorb"), 1, Long.class, other));
    }
  }

  @Test
  void several_come_with_an_answer_and_one_with_each_item() {
    try (Plugin plugin = Plugins.operations()) {
      try (Reply reply =
          plugin.method("counter.list").call(List.of(1, 2, 3), Reply.class, DEFAULTS)) {
        assertEquals(3, reply.objects().size());
        assertEquals("2", reply.objects().get(1).call("Counter.get", "null"));
        assertThrows(IllegalStateException.class, reply::object);
      }
      assertAlive(plugin, 0);
      Method stream = plugin.method("counter.stream");
      try (Items<PluginObject> items = stream.iterate(100, PluginObject.class)) {
        for (int number = 0; number < 5; number++) {
          try (PluginObject counter = items.next()) {
            assertEquals(Integer.toString(number), counter.call("Counter.get", "null"));
          }
        }
      }
      // Those that came and that nobody took are released as well.
      assertAlive(plugin, 0);
    }
  }

  @Test
  void one_whose_item_was_seen_and_not_taken_is_released() {
    try (Plugin plugin = Plugins.operations()) {
      Method stream = plugin.method("counter.stream");
      Items<PluginObject> items = stream.iterate(100, PluginObject.class);
      assertTrue(items.hasNext());
      items.close();
      assertAlive(plugin, 0);
      assertThrows(CancellationException.class, items::next);
    }
  }

  @Test
  void who_waits_gets_an_open_one_or_none() throws Exception {
    ExecutorService waiter = Executors.newSingleThreadExecutor();
    try (Plugin plugin = Plugins.operations()) {
      Method open = plugin.method("counter.open_later");
      for (int round = 0; round < 2_000; round++) {
        CompletableFuture<PluginObject> opened = open.callAsync(1, PluginObject.class);
        Future<PluginObject> waited = waiter.submit(opened::join);
        for (int turn = 0; turn < round % 50; turn++) {
          Thread.onSpinWait();
        }
        opened.cancel(true);
        try (PluginObject counter = waited.get(60, TimeUnit.SECONDS)) {
          assertFalse(counter.isClosed());
        } catch (ExecutionException cancelled) {
          assertInstanceOf(CancellationException.class, cancelled.getCause());
        }
      }
      assertAlive(plugin, 0);
    } finally {
      waiter.shutdown();
    }
  }

  @Test
  void one_that_was_given_stays_open_when_an_executor_runs_twice_what_it_is_given()
      throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    // As where it runs a task and then throws, so that the common pool runs it as well.
    Executor twice =
        task -> {
          task.run();
          task.run();
          over.countDown();
        };
    try (Plugin plugin = Plugins.operations()) {
      CompletableFuture<PluginObject> opened =
          plugin
              .method("counter.open_later")
              .callAsync(1, PluginObject.class, DEFAULTS.withExecutor(twice));
      // Who waits for the future is given it another way.
      assertTrue(over.await(60, TimeUnit.SECONDS));
      try (PluginObject counter = opened.getNow(null)) {
        assertFalse(counter.isClosed());
        assertEquals("1", counter.call("Counter.get", "null"));
      }
      assertAlive(plugin, 0);
    }
  }

  @Test
  void what_an_executor_has_run_before_it_threw_is_not_run_again() throws Exception {
    Executor throwing =
        task -> {
          task.run();
          throw new RejectedExecutionException("for the test");
        };
    try (Plugin plugin = Plugins.operations()) {
      Method open = plugin.method("counter.open_later");
      CallOptions options = DEFAULTS.withExecutor(throwing);
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      for (int number = 0; number < 50; number++) {
        replies.add(
            open.callForReplyAsync(Integer.toString(number).getBytes(US_ASCII), options)
                .thenApply(reply -> reply));
      }
      for (int number = 0; number < replies.size(); number++) {
        try (Reply reply = replies.get(number).get(60, TimeUnit.SECONDS)) {
          assertEquals(Integer.toString(number), reply.object().call("Counter.get", "null"));
        }
      }
      assertAlive(plugin, 0);
    }
  }

  @Test
  void a_closed_one_is_refused_and_closing_twice_is_fine() {
    try (Plugin plugin = Plugins.operations()) {
      PluginObject counter = open(plugin, 1);
      counter.close();
      counter.close();
      assertTrue(counter.isClosed());
      assertThrows(IllegalStateException.class, () -> counter.call("Counter.get", "null"));
      PluginException unlent =
          assertThrows(PluginException.class, () -> plugin.call("Counter.get", "null"));
      assertFalse(unlent.status() == Status.INTERNAL);
    }
  }

  @Test
  void one_ends_with_its_plugin_and_may_be_closed_after_it() {
    Plugin plugin = Plugins.operations();
    PluginObject counter = open(plugin, 1);
    plugin.close();
    PluginException ended =
        assertThrows(PluginException.class, () -> counter.call("Counter.get", "null"));
    assertEquals(Status.UNAVAILABLE, ended.status());
    counter.close();
  }

  @Test
  void one_whose_future_was_cancelled_is_released() {
    try (Plugin plugin = Plugins.operations()) {
      Method open = plugin.method("counter.open_later");
      for (int round = 0; round < 300; round++) {
        CompletableFuture<PluginObject> opened = open.callAsync(1, PluginObject.class);
        if (round % 3 == 0) {
          Thread.yield();
        }
        if (!opened.cancel(true)) {
          opened.join().close();
        }
      }
      assertAlive(plugin, 0);
    }
  }

  @Test
  void one_that_is_dropped_is_released_some_time() {
    try (Plugin plugin = Plugins.operations()) {
      for (int number = 0; number < 10; number++) {
        assertFalse(open(plugin, number).isClosed());
      }
      Waiting.collectingUntil(
          "the collector has found them", () -> plugin.call("counter.alive", "null").equals("0"));
    }
  }
}
