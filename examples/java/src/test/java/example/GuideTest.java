package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginDescription;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The snippets of docs/guide/java.md that JDK 17 can compile. Each stands between two comments. */
class GuideTest {
  private static final Path library = Path.of(System.getProperty("example.plugin"));
  private static final Path conformance =
      library.resolveSibling(System.mapLibraryName("conformance_plugin"));

  // guide
  record Add(long a, long b) {}

  record Sum(long result) {}

  // end

  @Test
  void load() {
    // guide
    try (Plugin hello = Plugin.load(library)) {
      String answer = hello.call("greet", "{\"name\":\"Ada\"}");
      System.out.println(answer); // {"greeting":"Hello, Ada! Welcome to rustbridge."}
    }
    // end
    // guide
    PluginConfig config =
        PluginConfig.json("{\"first_user\": 100}")
            .named("users")
            .logLevel(LogLevel.DEBUG)
            .poisonOnPanic();
    Plugin users = Plugin.load(library, config);
    // end
    try (users) {
      assertEquals("users", users.name());
      String created =
          users.call("user.create", "{\"username\":\"ada\",\"email\":\"ada@example.com\"}");
      assertTrue(created.contains("user-00000064"), created);
    }
  }

  @Test
  void load_from_elsewhere() throws IOException {
    try (InputStream download = Files.newInputStream(library)) {
      // guide
      Plugin fromBytes = Plugin.load(download.readAllBytes());
      // end
      assertEquals("hello", fromBytes.name());
      fromBytes.close();
    }
    PluginException absent = assertThrows(PluginException.class, GuideTest::fromResource);
    assertEquals(Status.NOT_FOUND, absent.status());
  }

  private static void fromResource() {
    // guide
    Plugin fromJar = Plugin.loadResource(GuideTest.class, "/plugins/libhello_plugin.so");
    // end
    fromJar.close();
  }

  @Test
  void typed() {
    try (Plugin hello = Plugin.load(library)) {
      // guide
      Sum sum = hello.call("math.add", new Add(40, 2), Sum.class);
      // end
      assertEquals(new Sum(42), sum);
    }
  }

  @Test
  void prepared() {
    List<String> requests = List.of("{\"message\":\"a\"}", "{\"message\":\"b\"}");
    try (Plugin hello = Plugin.load(library)) {
      // guide
      Method echo = hello.method("echo");
      for (String request : requests) {
        String answer = echo.call(request);
        // end
        assertTrue(answer.startsWith("{\"message\":\""), answer);
        // guide
      }
      // end
    }
  }

  @Test
  void pods() {
    try (Plugin hello = Plugin.load(library)) {
      // guide
      Method add = hello.method("math.add", Encoding.POD);
      ByteBuffer request = ByteBuffer.allocate(add.requestSize()).order(ByteOrder.nativeOrder());
      byte[] sum = add.callRawBytes(request.putLong(40).putLong(2).array());
      long result = ByteBuffer.wrap(sum).order(ByteOrder.nativeOrder()).getLong();
      // end
      assertEquals(42, result);
      // guide
      byte[] response = new byte[add.responseSize()];
      int length = add.callRaw(request.array(), response);
      // end
      assertEquals(8, length);
      assertArrayEquals(sum, response);
      // guide
      PluginDescription.Layout layout =
          hello
              .describe()
              .method("math.add")
              .flatMap(method -> method.entry(Encoding.POD))
              .flatMap(entry -> entry.request().layout())
              .orElseThrow();
      for (PluginDescription.Field field : layout.fields()) {
        System.out.println(field.name() + ": " + field.type() + " at " + field.offset());
      }
      // end
      assertEquals(List.of("a", "b"), layout.fields().stream().map(f -> f.name()).toList());
    }
  }

  @Test
  void raw() throws IOException {
    Path file = Files.createTempFile("guide", ".bin");
    PluginConfig config = PluginConfig.json("{\"label\":\"guide\"}");
    try (Plugin plugin = Plugin.load(conformance, config);
        WritableByteChannel channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      byte[] request = "100000".getBytes(StandardCharsets.US_ASCII);
      // guide
      try (RawResponse response = plugin.callRawZeroCopy("raw.fill", request)) {
        channel.write(response.buffer());
      }
      // end
      assertEquals(100_000, Files.size(file));
      // guide
      byte[] storage = new byte[4096];
      try {
        int length = plugin.callRaw("raw.fill", request, storage);
        // end
        assertEquals(-1, length, "it fitted");
        // guide
      } catch (ResponseTooLargeException tooLarge) {
        byte[] whole = tooLarge.response(); // the call was made; nothing is lost
        // end
        assertEquals(100_000, whole.length);
        // guide
      }
      // end
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void errors() {
    try (Plugin hello = Plugin.load(library)) {
      // guide
      try {
        hello.call("math.add", "{\"a\":9223372036854775807,\"b\":1}");
      } catch (PluginException error) {
        switch (error.status()) {
          case OUT_OF_RANGE -> System.out.println(error.type() + " " + error.details());
          case UNAVAILABLE -> System.out.println("it was closed meanwhile");
          default -> throw error;
        }
      }
      // end
    }
  }

  @Test
  void logging() {
    List<String> lines = new CopyOnWriteArrayList<>();
    // guide
    PluginConfig config =
        PluginConfig.defaults()
            .logLevel(LogLevel.DEBUG)
            .logListener(record -> lines.add(record.message() + " " + record.fields()));
    // end
    try (Plugin hello = Plugin.load(library, config)) {
      hello.call("user.create", "{\"username\":\"ada\",\"email\":\"ada@example.com\"}");
      // guide
      hello.flushLogs(Duration.ofSeconds(1)); // waits until all so far was delivered
      hello.setLogLevel(LogLevel.WARN); // takes effect at once
      // end
      assertEquals(1, lines.size(), lines.toString());
      assertTrue(lines.get(0).startsWith("user created {"), lines.toString());
      assertEquals(LogLevel.WARN, hello.logLevel());
    }
  }

  @Test
  void closing() throws InterruptedException {
    Plugin plugin = Plugin.load(library);
    Thread busy = new Thread(() -> plugin.call("test.sleep", "{\"duration_ms\":600}"));
    busy.start();
    Thread.sleep(200);
    // guide
    try {
      plugin.close(Duration.ofMillis(50));
    } catch (PluginException late) {
      // Calls still run: it takes no new ones, and another close goes on waiting.
      System.out.println(late.status() + " " + late.details());
      plugin.close(Duration.ofMinutes(1));
    }
    // end
    assertEquals(State.CLOSED, plugin.state());
    busy.join();
  }

  @Test
  void every_snippet_of_the_guide_is_here() throws IOException {
    Path folder = Path.of(System.getProperty("example.folder"));
    Path guide = folder.resolve("../../docs/guide/java.md");
    List<String> snippets = Snippets.between(folder.resolve("src/test/java/example"));
    List<String> shown = Snippets.fences(guide, "java");
    assertFalse(shown.isEmpty());
    for (String snippet : shown) {
      assertTrue(snippets.contains(snippet), "no test has this of the guide:\n" + snippet);
    }
    for (String snippet : snippets) {
      assertTrue(shown.contains(snippet), "the guide doesn't show this:\n" + snippet);
    }
  }
}
