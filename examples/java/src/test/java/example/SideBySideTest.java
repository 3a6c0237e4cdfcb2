package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.Status;
import io.github.rustbridge.TraceContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The Java snippets of the guides that show all languages side by side. {@code cargo xtask tidy}
 * searches for them here.
 */
@Timeout(120)
class SideBySideTest {
  private static final Path library = Path.of(System.getProperty("example.plugin"));
  private static final Path operations = beside("operations_plugin");

  private static Path beside(String name) {
    return library.resolveSibling(System.mapLibraryName(name));
  }

  record Range(long from, long to, long fail_at) {}

  @Test
  void a_call_that_fails() {
    try (Plugin hello = Plugin.load(library)) {
      try {
        hello.call("math.add", "{\"a\":9223372036854775807,\"b\":1}");
      } catch (PluginException error) {
        if (error.status() != Status.OUT_OF_RANGE) {
          throw error;
        }
        System.out.println(error.type() + ": " + error.details().get("a") + " is too large");
        assertEquals("MathError.Overflow", error.type());
        assertEquals(1L, error.details().get("b"));
        return;
      }
      throw new AssertionError("it didn't fail");
    }
  }

  @Test
  void a_stream_that_breaks() {
    List<Long> seen = new ArrayList<>();
    try (Plugin plugin = Plugin.load(operations)) {
      Method numbers = plugin.method("stream.numbers");
      try (Items<Long> items = numbers.iterate(new Range(0, 5, 3), Long.class)) {
        for (long number : items) {
          seen.add(number);
        }
      } catch (PluginException broken) {
        System.out.println(seen + ", then " + broken.status()); // [0, 1, 2], then DATA_LOSS
        assertEquals(Status.DATA_LOSS, broken.status());
      }
    }
    assertEquals(List.of(0L, 1L, 2L), seen);
  }

  @Test
  void an_awaited_call_that_fails() {
    try (Plugin plugin = Plugin.load(operations)) {
      var answer = plugin.method("async.fail").callAsync("{\"text\":\"gone\"}");
      try {
        answer.join();
      } catch (CompletionException ended) {
        if (ended.getCause() instanceof PluginException failed) {
          System.out.println(failed.getMessage() + " " + failed.details()); // gone {n=7}
          assertEquals(Map.of("n", 7L), failed.details());
        }
      }
      CompletableFuture<String> again =
          plugin.method("async.fail").callAsync("{\"text\":\"gone\"}");
      CompletionException ended = assertThrows(CompletionException.class, again::join);
      assertEquals("gone", ended.getCause().getMessage());
    }
  }

  @Test
  void records() {
    List<String> lines = new CopyOnWriteArrayList<>();
    PluginConfig config =
        PluginConfig.defaults()
            .named("users")
            .logLevel(LogLevel.DEBUG)
            .logListener(record -> lines.add(record.message() + " " + record.fields()));
    try (Plugin users = Plugin.load(library, config)) {
      users.call("user.create", "{\"username\":\"ada\",\"email\":\"ada@example.org\"}");
      users.flushLogs(Duration.ofSeconds(1)); // waits until all so far was delivered
      users.setLogLevel(LogLevel.WARN); // takes effect at once
      assertEquals(1, lines.size(), lines.toString());
      assertTrue(lines.get(0).contains("username=ada"), lines.toString());
      assertEquals(LogLevel.WARN, users.logLevel());
    }
  }

  @Test
  void a_trace_goes_along() {
    String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    try (Plugin plugin = Plugin.load(operations)) {
      CallOptions options =
          CallOptions.defaults()
              .withMetadata("user", "ada")
              .withTrace(TraceContext.parse(traceparent));
      String carried = plugin.method("call.carried").call("null", options);
      assertTrue(carried.contains(traceparent), carried);
      assertTrue(carried.contains("[\"user\",\"ada\"]"), carried);
    }
  }

  @Test
  void structs_and_bytes_without_copies() {
    PluginConfig label = PluginConfig.json("{\"label\":\"copies\"}");
    try (Plugin hello = Plugin.load(library);
        Plugin conformance = Plugin.load(beside("conformance_plugin"), label)) {
      Method add = hello.method("math.add", Encoding.POD);
      ByteBuffer numbers = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
      ByteBuffer sum = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
      add.callRaw(numbers.putLong(0, 40).putLong(8, 2), sum);
      assertEquals(42, sum.getLong(0));

      Method fill = conformance.method("raw.fill", Encoding.RAW);
      byte[] storage = new byte[4096];
      int length = fill.callRaw(new byte[] {'2', '0', '0'}, storage);
      assertEquals(200, length);
      assertEquals((byte) 199, storage[199]);

      byte[] last = new byte[10];
      try (RawResponse response = fill.callRawZeroCopy(new byte[] {'2', '0', '0', '0'})) {
        response.buffer().get(1990, last); // a copy of ten bytes; the others stay in the plugin
      }
      byte[] expected = new byte[10];
      for (int i = 0; i < 10; i++) {
        expected[i] = (byte) ((1990 + i) % 251);
      }
      assertArrayEquals(expected, last);
    }
  }
}
