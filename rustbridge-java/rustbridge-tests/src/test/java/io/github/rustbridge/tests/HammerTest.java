package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Cancellation;
import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.OpenOperation;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.PluginObject;
import io.github.rustbridge.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/**
 * Many calls at once that are cancelled, closed and collected at random: each ends exactly once,
 * and nothing stays behind. In JVMs of their own, since they look at what is pending in a whole
 * one.
 */
class HammerTest {
  private static final int CALLERS = 4;

  /** What one caller calls in a round; all of them together 10,000 times, in a soak more often. */
  private static final int CALLS = 625;

  private static final int ROUNDS = 4 * ForkedJvm.SOAK;
  private static final int IN_FLIGHT = 64;
  private static final int SECONDS = 60;
  private static final Duration LIMIT = Duration.ofSeconds(SECONDS);
  private static final CallOptions DEFAULTS = CallOptions.defaults();

  /** So far that nobody gets there. */
  private static final Map<String, Object> ENDLESS = Map.of("to", 1_000_000_000);

  @Test
  void every_call_ends_once() {
    System.out.println(ForkedJvm.of(EndsOnce.class).optimizing().succeeds());
  }

  @Test
  void what_was_given_up_leaves_nothing() {
    ForkedJvm.of(LeavesNothing.class).optimizing().succeeds();
  }

  @Test
  void a_jvm_ends_while_calls_are_pending() {
    ForkedJvm.of(EndsWhilePending.class).optimizing().succeeds();
  }

  private interface Work {
    void run(Random random) throws Exception;
  }

  /** Begins the same work on every caller, on threads that don't keep a JVM that has failed. */
  private static List<FutureTask<Void>> callers(Random seeds, Work work) {
    List<FutureTask<Void>> callers = new ArrayList<>();
    for (int number = 0; number < CALLERS; number++) {
      Random random = new Random(seeds.nextLong());
      FutureTask<Void> caller =
          new FutureTask<>(() -> {
            work.run(random);
            return null;
          });
      Thread thread = new Thread(caller, "caller " + number);
      thread.setDaemon(true);
      thread.start();
      callers.add(caller);
    }
    return callers;
  }

  /** How a call may end. */
  private enum Outcome {
    VALUE,
    CANCELLED,
    PLUGIN_CLOSED,
    CANCELLED_BY_CLOSE;

    static Outcome of(Throwable failure) {
      if (failure instanceof CancellationException) {
        return CANCELLED;
      }
      PluginException error = assertInstanceOf(PluginException.class, failure);
      if (error.status() == Status.UNAVAILABLE) {
        return PLUGIN_CLOSED;
      }
      assertEquals(Status.CANCELLED, error.status(), error::toString);
      return CANCELLED_BY_CLOSE;
    }
  }

  static final class EndsOnce implements Scenario {
    private final AtomicLongArray ended = new AtomicLongArray(Outcome.values().length);

    @Override
    public void run() throws Exception {
      Random random = new Random(5);
      for (int round = 0; round < ROUNDS; round++) {
        new Round(ended).run(random, round % 2 == 1);
        long sum = 0;
        for (int outcome = 0; outcome < ended.length(); outcome++) {
          sum += ended.get(outcome);
        }
        assertEquals((round + 1L) * CALLERS * CALLS, sum);
      }
      System.out.println(Arrays.toString(Outcome.values()) + ": " + ended);
      for (Outcome outcome : List.of(Outcome.VALUE, Outcome.CANCELLED)) {
        assertTrue(ended.get(outcome.ordinal()) > 0, outcome::name);
      }
      Waiting.until("nothing is pending", OpenOperation::nothingIsPending);
      assertTrue(Plugin.inspect().contains("\"instances\":[]"), Plugin::inspect);
    }
  }

  /** One plugin and those who call it. */
  private static final class Round {
    private final AtomicLongArray ended;
    private final Plugin plugin = Plugins.operations();
    private final Method never = plugin.method("async.never");
    private final Method later = plugin.method("async.later");
    private final AtomicInteger untilClose = new AtomicInteger();
    private final CountDownLatch close = new CountDownLatch(1);

    /** A call, how its future has ended, and whether it's cancelled on another thread. */
    private record Begun(
        String text,
        CompletableFuture<String> call,
        CompletableFuture<Outcome> end,
        boolean isCancelledElsewhere) {}

    private Round(AtomicLongArray ended) {
      this.ended = ended;
    }

    private void run(Random random, boolean closes) throws Exception {
      // By calls and not by time, so that slow machines are in the midst of them as well.
      untilClose.set(1 + random.nextInt(CALLERS * CALLS / 2));
      List<FutureTask<Void>> callers = callers(random, this::hammer);
      if (closes) {
        assertTrue(close.await(SECONDS, TimeUnit.SECONDS));
        plugin.close(LIMIT, Duration.ofMillis(1));
      }
      for (FutureTask<Void> caller : callers) {
        caller.get(SECONDS, TimeUnit.SECONDS);
      }
      plugin.close(LIMIT, Duration.ZERO);
      fails(Status.UNAVAILABLE, () -> plugin.call("async.dropped", "null"));
    }

    private void hammer(Random random) throws Exception {
      List<Begun> calls = new ArrayList<>();
      for (int number = 0; number < CALLS; number++) {
        calls.add(begin(random));
        if (untilClose.decrementAndGet() == 0) {
          close.countDown();
        }
        if (calls.size() == IN_FLIGHT || number == CALLS - 1) {
          for (Begun begun : calls) {
            await(begun, random.nextBoolean());
          }
          calls.clear();
        }
        if (random.nextInt(500) == 0) {
          System.gc();
        }
      }
    }

    private Begun begin(Random random) {
      String text = "{\"text\":\"" + random.nextInt() + "\"}";
      boolean isNever = random.nextInt(5) == 0;
      int way = isNever || random.nextInt(3) == 0 ? random.nextInt(4) : -1;
      Cancellation cancellation = new Cancellation();
      CallOptions options = way == 3 ? DEFAULTS.withCancellation(cancellation) : DEFAULTS;
      CompletableFuture<String> call =
          isNever ? never.callAsync("null", options) : later.callAsync(text, options);
      CompletableFuture<Outcome> end =
          call.handle((answer, failure) -> {
            Outcome outcome = failure == null ? Outcome.VALUE : Outcome.of(failure);
            ended.incrementAndGet(outcome.ordinal());
            if (failure == null) {
              assertEquals(text, answer);
            }
            return outcome;
          });
      switch (way) {
        case 0 -> call.cancel(true);
        case 1 -> {
          Thread.yield();
          call.cancel(true);
        }
        case 2 -> ForkJoinPool.commonPool().execute(() -> call.cancel(true));
        case 3 -> cancellation.cancel();
        default -> {}
      }
      return new Begun(text, call, end, way == 2);
    }

    /** Waits for a call's end; perhaps as one does who gets the answer of the drainer itself. */
    private static void await(Begun begun, boolean directly) throws Exception {
      Outcome waited = null;
      if (directly) {
        try {
          assertEquals(begun.text, begun.call.get(SECONDS, TimeUnit.SECONDS));
          waited = Outcome.VALUE;
        } catch (CancellationException cancelled) {
          waited = Outcome.CANCELLED;
        } catch (ExecutionException failed) {
          waited = Outcome.of(failed.getCause());
        }
      }
      Outcome end = begun.end.get(SECONDS, TimeUnit.SECONDS);
      if (directly && !begun.isCancelledElsewhere) {
        assertEquals(end, waited);
      }
    }
  }

  static final class LeavesNothing implements Scenario {
    /** Held, since the JVM forgets loggers that nobody holds; it's told of all that is dropped. */
    private static final Logger QUIET = Logger.getLogger("rustbridge");

    private static final int TIMES = 100 * ForkedJvm.SOAK;

    @Override
    public void run() throws Exception {
      QUIET.setLevel(Level.OFF);
      try (Plugin plugin = Plugins.operations()) {
        List<FutureTask<Void>> callers =
            callers(
                new Random(7),
                random -> {
                  for (int time = 0; time < TIMES; time++) {
                    giveUp(plugin, random);
                  }
                });
        for (FutureTask<Void> caller : callers) {
          caller.get(Scenario.SECONDS, TimeUnit.SECONDS);
        }
        Waiting.collectingUntil(
            "nothing is pending and no object is there",
            () ->
                OpenOperation.nothingIsPending()
                    && plugin.call("counter.alive", "null").equals("0"));
        plugin.close(LIMIT);
      }
      assertTrue(Plugin.inspect().contains("\"instances\":[]"), Plugin::inspect);
    }

    /** Whatever may be given up, each in the midst. */
    private static void giveUp(Plugin plugin, Random random) throws Exception {
      Method ticks = plugin.method("stream.ticks");
      Method openLater = plugin.method("counter.open_later");
      assertTrue(plugin.method("async.never").callAsync("null").cancel(true));
      // Nobody waits for these.
      var unusedAnswer = plugin.method("async.later").callAsync("{\"text\":\"x\"}");
      var unusedObject = openLater.callAsync(1, PluginObject.class);
      openLater.callAsync(2, PluginObject.class).cancel(true);
      try (Items<Long> items = ticks.iterate(ENDLESS, Long.class)) {
        assertEquals(0L, items.next());
      }
      FirstOnly<Long> first = new FirstOnly<>();
      ticks.publish(ENDLESS, Long.class).subscribe(first);
      assertEquals(0L, first.item.get(SECONDS, TimeUnit.SECONDS));
      Method counters = plugin.method("counter.stream");
      try (Items<PluginObject> items = counters.iterate(1_000_000, PluginObject.class)) {
        // It's dropped, and those that wait behind it are released.
        assertEquals("0", items.next().call("Counter.get", "null"));
      }
      PluginObject dropped = plugin.method("counter.open").call(5, PluginObject.class, DEFAULTS);
      assertEquals("5", dropped.call("Counter.get", "null"));
      if (random.nextInt(8) == 0) {
        // The collector ends them.
        assertEquals(0L, ticks.iterate(ENDLESS, Long.class).next());
        assertTrue(counters.iterate(1_000_000, PluginObject.class).hasNext());
      }
      if (random.nextInt(100) == 0) {
        System.gc();
      }
    }
  }

  /** Takes one item and cancels. */
  private static final class FirstOnly<T> implements Flow.Subscriber<T> {
    private final CompletableFuture<T> item = new CompletableFuture<>();
    private Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(3);
    }

    @Override
    public void onNext(T next) {
      subscription.cancel();
      item.complete(next);
    }

    @Override
    public void onError(Throwable failure) {
      item.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      item.completeExceptionally(new AssertionError("it has ended"));
    }
  }

  /** Ends with much that is pending, in every state. */
  static final class EndsWhilePending implements Scenario {
    /** So that the collector doesn't end them before. */
    private static final List<Items<Long>> STREAMS = new ArrayList<>();

    @Override
    public void run() {
      PluginConfig config =
          PluginConfig.defaults()
              .logLevel(LogLevel.OFF)
              .service("prices.quote", Long.class, (id, call) -> new CompletableFuture<Long>());
      Plugin plugin = Plugins.load("operations-plugin", config);
      for (int number = 0; number < 100; number++) {
        var unusedNever = plugin.method("async.never").callAsync("null");
        var unusedLater = plugin.method("async.later").callAsync("{\"text\":\"x\"}");
        var unusedQuote = plugin.method("service.quote").callAsync("1");
        STREAMS.add(plugin.method("stream.ticks").iterate(ENDLESS, Long.class));
        assertEquals(0L, STREAMS.get(number).next());
      }
    }
  }
}
