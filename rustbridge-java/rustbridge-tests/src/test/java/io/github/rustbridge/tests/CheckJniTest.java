package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Cancellation;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.PluginObject;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.Reply;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import io.github.rustbridge.TraceContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Everything that crosses the boundary, once under the JVM's own checks of JNI: calls, also those
 * that end later, streams, services, objects and logs. On the FFM backend it's the same workload,
 * and whatever JNI the JDK itself does.
 */
class CheckJniTest {
  private static final Pattern COMPLAINT =
      Pattern.compile(
          "(?mi)^.*(WARNING in native method|FATAL ERROR|WARNING: JNI|exceeds capacity|pending exception|ReleasePrimitive"
              + "|invalid JNI|guard words|bad global|thread .* not attached|A fatal error has been).*$");

  private static final CallOptions DEFAULTS = CallOptions.defaults();
  private static final String NOTE = "{\"text\":\"grüße\"}";

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void the_checks_of_the_jvm_find_nothing() {
    String output = ForkedJvm.of(Everything.class).with("-Xcheck:jni").succeeds();
    List<String> complaints = COMPLAINT.matcher(output).results().map(one -> one.group()).toList();
    assertEquals(List.of(), complaints, output);
  }

  @Test
  void the_pattern_finds_what_it_is_to_find() {
    for (String complaint :
        new String[] {
          "WARNING in native method: JNI call made without checking exceptions when required to",
          "FATAL ERROR in native method: Bad global or local ref passed to JNI",
          "WARNING: JNI local refs: 1033, exceeds capacity: 1032"
        }) {
      assertTrue(COMPLAINT.matcher("fine\n" + complaint + "\nfine").find(), complaint);
    }
  }

  static final class Everything implements Scenario {
    private final Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();

    @Override
    public void run() throws InterruptedException {
      loads();
      List<Thread> threads = new ArrayList<>();
      for (int number = 0; number < 3; number++) {
        Thread thread =
            new Thread(() -> {
              try {
                for (int round = 0; round < 15; round++) {
                  calls();
                  if (round % 3 == 0) {
                    callsThatEndLater();
                    services();
                    closes();
                  }
                }
              } catch (Throwable thrown) {
                wrong.add(thrown);
              }
            });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), List.copyOf(wrong));
      logs();
      // Many calls in one frame: local references that nobody deletes would pile up.
      try (Plugin plugin = Plugins.conformance()) {
        Method value = plugin.method("types.value");
        for (int round = 0; round < 2_000; round++) {
          assertEquals("[1]", value.call("[1]"));
          fails(Status.INVALID_ARGUMENT, () -> value.call("["));
          plugin.method("raw.echo", Encoding.RAW).callRawZeroCopy(new byte[3]).close();
        }
      }
      try (Plugin plugin = load(config(new Plugin[1]))) {
        for (int round = 0; round < 2_000; round++) {
          assertEquals(NOTE, plugin.method("async.now").callAsync(NOTE).join());
          assertEquals("107", plugin.call("service.one", "7"));
        }
        String ids = Collections.nCopies(2_000, 7).toString();
        assertEquals("214000", plugin.call("service.total", ids));
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int round = 0; round < 2_000; round++) {
          calls.add(plugin.method("async.later").callAsync(NOTE));
          calls.add(plugin.method("service.quote").callAsync("7"));
        }
        calls.forEach(CompletableFuture::join);
      }
    }

    private static Plugin load(PluginConfig config) {
      return Plugins.load("operations-plugin", config.logLevel(LogLevel.OFF));
    }

    private static Status failure(CompletableFuture<?> call) {
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
      return assertInstanceOf(PluginException.class, failed.getCause()).status();
    }

    private static void awaitAlive(Plugin plugin, int count) {
      Waiting.collectingUntil(
          count + " objects are alive",
          () -> plugin.call("counter.alive", "null").equals(Integer.toString(count)));
    }

    private static void callsThatEndLater() throws Exception {
      try (Plugin plugin = Plugins.operations()) {
        pending(plugin);
        carried(plugin);
        EveryStream.comes(plugin);
        EveryStream.goes(plugin);
        objects(plugin);
      }
    }

    private static void pending(Plugin plugin) throws Exception {
      for (String name : new String[] {"async.now", "async.later"}) {
        Method method = plugin.method(name);
        assertEquals(NOTE, method.callAsync(NOTE).get(60, TimeUnit.SECONDS));
        assertEquals(Status.INVALID_ARGUMENT, failure(method.callAsync("{")));
      }
      Method fill = plugin.method("async.fill", Encoding.RAW);
      for (String size : new String[] {"0", "256", "257", "3000000"}) {
        byte[] answer = fill.callRawAsync(utf8(size)).get(60, TimeUnit.SECONDS);
        assertEquals(Integer.parseInt(size), answer.length);
      }
      assertEquals(Status.DATA_LOSS, failure(plugin.method("async.fail").callAsync(NOTE)));
      assertEquals(Status.INTERNAL, failure(plugin.method("async.panic_now").callAsync(NOTE)));
      assertEquals(Status.INTERNAL, failure(plugin.method("async.panic_later").callAsync(NOTE)));
      Method never = plugin.method("async.never");
      assertTrue(never.callAsync("null").cancel(true));
      CompletableFuture<String> late = never.callAsync("null").orTimeout(5, TimeUnit.MILLISECONDS);
      CompletionException timedOut = assertThrows(CompletionException.class, late::join);
      assertInstanceOf(TimeoutException.class, timedOut.getCause());
      assertTrue(never.callAsync("null").complete("mine"));
    }

    private static void carried(Plugin plugin) throws Exception {
      CallOptions options =
          CallOptions.timeout(Duration.ofSeconds(60))
              .withMetadata("tenant", "blue")
              .withTrace(
                  TraceContext.parse(
                      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b"));
      for (String name : new String[] {"call.carried", "call.carried_later"}) {
        Method method = plugin.method(name);
        assertTrue(method.call("null", options).contains("a=b"));
        assertTrue(method.callAsync("null", options).get(60, TimeUnit.SECONDS).contains("a=b"));
        Reply reply = method.callForReply(utf8("null"), options);
        assertEquals("blue", reply.trailers().text("tenant").orElseThrow());
        fails(
            Status.INVALID_ARGUMENT,
            () -> method.call("null", options.withMetadata("Not Allowed", "x")));
      }
      fails(Status.ABORTED, () -> plugin.method("call.fail").call("null", options));
      CallOptions soon = CallOptions.timeout(Duration.ofMillis(5));
      Method sleep = plugin.method("call.sleep");
      fails(Status.DEADLINE_EXCEEDED, () -> sleep.call("{\"ms\":600000}", soon));
      assertEquals(
          Status.DEADLINE_EXCEEDED, failure(plugin.method("async.never").callAsync("null", soon)));
      assertEquals(
          "null", sleep.callAsync("{\"ms\":1}", options.offloaded()).get(60, TimeUnit.SECONDS));
      Cancellation cancellation = new Cancellation();
      CallOptions cancelled = options.withCancellation(cancellation);
      CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS).execute(cancellation::cancel);
      assertThrows(CancellationException.class, () -> sleep.call("{\"ms\":600000}", cancelled));
    }

    private static void objects(Plugin plugin) throws Exception {
      Method open = plugin.method("counter.open");
      Method openLater = plugin.method("counter.open_later");
      try (PluginObject first = open.call(5, PluginObject.class, DEFAULTS);
          PluginObject second =
              openLater.callAsync(7, PluginObject.class).get(60, TimeUnit.SECONDS)) {
        assertEquals(8, first.call("Counter.add", 3, Long.class));
        assertEquals(
            10,
            first
                .callAsync(plugin.method("Counter.add_later"), 2, Long.class, DEFAULTS)
                .get(60, TimeUnit.SECONDS));
        CallOptions both = DEFAULTS.withObjects(first, second);
        assertEquals("17", plugin.method("counter.total").call("[0,1]", both));
        try (Items<Long> upTo =
            second.iterate(plugin.method("Counter.upto"), 9, Long.class, DEFAULTS)) {
          assertEquals(7L, upTo.next());
        }
      }
      fails(Status.INVALID_ARGUMENT, () -> open.call(-1, PluginObject.class, DEFAULTS));
      try (Reply reply =
          plugin.method("counter.list").call(List.of(1, 2, 3), Reply.class, DEFAULTS)) {
        assertEquals("2", reply.objects().get(1).call("Counter.get", "null"));
      }
      Method stream = plugin.method("counter.stream");
      try (Items<PluginObject> items = stream.iterate(100, PluginObject.class)) {
        try (PluginObject counter = items.next()) {
          assertEquals("0", counter.call("Counter.get", "null"));
        }
        assertTrue(items.hasNext());
      }
      openLater.callAsync(1, PluginObject.class).cancel(true);
      PluginObject dropped = open.call(1, PluginObject.class, DEFAULTS);
      assertEquals("1", dropped.call("Counter.get", "null"));
      dropped = null;
      awaitAlive(plugin, 0);
    }

    /** What answers at once, later, not at all and by calling the plugin again. */
    private static PluginConfig config(Plugin[] plugin) {
      return PluginConfig.defaults()
          .service(
              "prices.get",
              Long.class,
              (id, call) -> {
                if (id == 1) {
                  throw new IOException("no \"line\"");
                }
                // As deep as it says.
                return id > 1_000
                    ? Long.valueOf(plugin[0].call("service.one", Long.toString(id - 1)))
                    : Long.valueOf(100 + id);
              })
          .service(
              "prices.quote",
              Long.class,
              (id, call) ->
                  switch (id.intValue()) {
                    case 1 -> CompletableFuture.failedFuture(new IllegalStateException("later"));
                    case 2 -> new CompletableFuture<Long>();
                    case 3 -> CompletableFuture.completedFuture(203L);
                    case 4 ->
                        throw new PluginException(
                            Status.ABORTED, "Prices.No", "no", Map.of(), null);
                    default -> CompletableFuture.supplyAsync(() -> 200 + id);
                  })
          .rawService(
              "prices.upper",
              Encoding.RAW,
              (text, call) ->
                  utf8(new String(text, StandardCharsets.UTF_8).toUpperCase(Locale.ROOT)));
    }

    private static void services() throws Exception {
      Plugin[] nested = new Plugin[1];
      try (Plugin plugin = load(config(nested))) {
        nested[0] = plugin;
        assertEquals("107", plugin.call("service.one", "7"));
        assertEquals("1100", plugin.call("service.one", "1020"));
        assertEquals("107", plugin.call("service.task", "7"));
        assertEquals("1100", plugin.call("service.task", "1003"));
        assertEquals("205", plugin.call("service.total", "[2,3]"));
        fails(Status.INTERNAL, () -> plugin.call("service.one", "1"));
        fails(Status.INTERNAL, () -> plugin.call("service.task", "1"));
        fails(Status.FAILED_PRECONDITION, () -> plugin.call("service.leaf", "7"));
        Method quote = plugin.method("service.quote");
        for (int id = 3; id < 6; id++) {
          String asked = Integer.toString(id);
          if (id == 4) {
            fails(Status.ABORTED, () -> quote.call(asked));
            assertEquals(Status.ABORTED, failure(quote.callAsync(asked)));
          } else {
            assertEquals("20" + id, quote.call(asked));
            assertEquals("20" + id, quote.callAsync(asked).get(60, TimeUnit.SECONDS));
          }
        }
        assertEquals(Status.INTERNAL, failure(quote.callAsync("1")));
        CallOptions soon = CallOptions.timeout(Duration.ofMillis(5));
        assertEquals(Status.DEADLINE_EXCEEDED, failure(quote.callAsync("2", soon)));
        assertTrue(quote.callAsync("2").cancel(true));
        Method upper = plugin.method("service.upper", Encoding.RAW);
        assertArrayEquals(utf8("ABC"), upper.callRawBytes(utf8("abc")));
        byte[] large = new byte[100_000];
        Arrays.fill(large, (byte) 'a');
        assertEquals('A', upper.callRawBytes(large)[99_999]);
      }
      try (Plugin plugin = Plugins.operations()) {
        fails(Status.NOT_FOUND, () -> plugin.call("service.one", "7"));
        assertEquals(Status.NOT_FOUND, failure(plugin.method("service.quote").callAsync("7")));
      }
    }

    /** With calls, streams, services and objects that are still there. */
    private static void closes() throws Exception {
      Plugin plugin = load(config(new Plugin[1]));
      Method now = plugin.method("async.now");
      CompletableFuture<String> never = plugin.method("async.never").callAsync("null");
      CompletableFuture<String> quote = plugin.method("service.quote").callAsync("2");
      Items<Long> ticks =
          plugin.method("stream.ticks").iterate(Map.of("to", 1_000_000), Long.class);
      assertEquals(0L, ticks.next());
      PluginObject counter = plugin.method("counter.open").call(1, PluginObject.class, DEFAULTS);
      fails(Status.DEADLINE_EXCEEDED, () -> plugin.close(Duration.ofMillis(1)));
      plugin.close(Duration.ofSeconds(60), Duration.ofMillis(1));
      assertEquals(Status.CANCELLED, failure(never));
      assertThrows(ExecutionException.class, () -> quote.get(60, TimeUnit.SECONDS));
      assertThrows(PluginException.class, () -> ticks.forEachRemaining(any -> {}));
      assertThrows(PluginException.class, () -> counter.call("Counter.get", "null"));
      counter.close();
      ticks.close();
      assertEquals(Status.UNAVAILABLE, failure(now.callAsync(NOTE)));
    }

    private static void loads() {
      fails(Status.NOT_FOUND, () -> Plugin.load(Path.of("no such file")));
      fails(Status.INVALID_ARGUMENT, () -> Plugin.load(new byte[100]));
      fails(Status.INVALID_ARGUMENT, () -> Plugin.load(Plugins.path("conformance-plugin")));
      assertTrue(Plugin.inspect().contains("mappings"));
      assertTrue(!Plugin.nativeVersion().isEmpty());
      Plugin plugin = Plugins.hello();
      assertEquals("hello", plugin.describe().name());
      fails(Status.NOT_FOUND, () -> plugin.method("none"));
      fails(Status.NOT_FOUND, () -> plugin.method(99, Encoding.JSON));
      fails(Status.UNIMPLEMENTED, () -> plugin.method("echo", Encoding.RAW));
      assertEquals(76, plugin.method(1, Encoding.POD).requestSize());
      plugin.close();
      assertEquals(State.CLOSED, plugin.state());
      fails(Status.UNAVAILABLE, plugin::describe);
    }

    private static void calls() {
      try (Plugin plugin = Plugins.conformance();
          Plugin fault = Plugins.fault()) {
        Method value = plugin.method("types.value");
        assertEquals("\"größer 🦀\"", value.call("\"größer 🦀\""));
        fails(Status.INVALID_ARGUMENT, () -> value.call("\"\ud800\""));
        assertThrows(NullPointerException.class, () -> value.call(null));
        for (String name : new String[] {"raw.echo", "raw.leaf", "raw.shared"}) {
          Method echo = plugin.method(name, Encoding.RAW);
          for (int size : new int[] {0, 8, 5_000, 70_000, 3_000_000}) {
            byte[] data = new byte[size];
            Arrays.fill(data, (byte) 7);
            assertArrayEquals(data, echo.callRawBytes(data));
            assertEquals(size, echo.callRaw(data, new byte[size]));
            ByteBuffer direct = ByteBuffer.allocateDirect(size);
            assertEquals(size, echo.callRaw(ByteBuffer.wrap(data), direct));
            assertEquals(size, echo.callRaw(direct.flip(), ByteBuffer.allocate(size)));
            if (size > 0) {
              assertThrows(
                  ResponseTooLargeException.class, () -> echo.callRaw(data, new byte[size - 1]));
            }
            try (RawResponse response = echo.callRawZeroCopy(data)) {
              assertEquals(size, response.buffer().remaining());
              assertEquals(size, response.toByteArray().length);
            }
            assertEquals(size, echo.callRawZeroCopy(direct.rewind()).length());
          }
        }
        fails(Status.ABORTED, () -> plugin.callRawBytes("raw.fail", new byte[] {'x'}));
        fails(Status.INTERNAL, () -> fault.call("panic.call", "{\"message\":\"x\"}"));
        fails(Status.INTERNAL, () -> fault.call("panic.leaf", "{\"message\":\"x\"}"));
        fails(
            Status.DATA_LOSS,
            () -> fault.call("error.call", "{\"message\":\"x\",\"bytes\":100000}"));
        System.gc();
      }
    }

    private static void logs() {
      AtomicInteger seen = new AtomicInteger();
      try (Plugin plugin =
          Plugins.load(
              "fault-plugin",
              PluginConfig.json("{\"log\":true}")
                  .logLevel(LogLevel.TRACE)
                  .logListener(record -> {
                    if (seen.incrementAndGet() % 100 == 0) {
                      throw new IllegalStateException("a bad listener");
                    }
                  }))) {
        plugin.call("log.flood", "{\"n\":2000}");
        plugin.call("log.everywhere", "null");
        plugin.flushLogs(Duration.ofSeconds(30));
        plugin.setLogLevel(LogLevel.DEBUG);
        plugin.setLogListener(record -> {
          try (Plugin inner = Plugins.hello()) {
            inner.call("echo", "{\"message\":\"x\"}");
          }
        });
        plugin.call("log.flood", "{\"n\":20}");
        plugin.flushLogs(Duration.ofSeconds(30));
      }
      assertTrue(seen.get() > 2_000);
    }
  }
}
