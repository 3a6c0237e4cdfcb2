package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginDescription;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.PluginObject;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.Reply;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.Service;
import io.github.rustbridge.ServiceCall;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.LogManager;
import org.junit.jupiter.api.Test;

/** The snippets of docs/guide/java.md that JDK 17 can compile. Each is between two comments. */
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
        byte[] whole = tooLarge.response(); // the call has completed: this is its response
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
      hello.flushLogs(Duration.ofSeconds(1)); // waits until all earlier records are delivered
      hello.setLogLevel(LogLevel.WARN); // takes effect at once
      // end
      assertEquals(1, lines.size(), lines.toString());
      assertTrue(lines.get(0).startsWith("user created {"), lines.toString());
      assertEquals(LogLevel.WARN, hello.logLevel());
    }
  }

  // guide
  public static class LateLogManager extends LogManager {
    private boolean isEnding;

    @Override
    public void reset() {
      if (!isEnding) { // The JVM's hook calls this while the plugins are being closed.
        super.reset();
      }
    }

    void keepHandlers() {
      getLogger("").getHandlers(); // Creates the root's handlers now, not on first use.
      isEnding = true;
    }

    void end() {
      isEnding = false;
      reset();
    }
  }

  // end

  /** Isn't called here. The tests of the bindings run such a program. */
  static void closesAtExit(Plugin hello) {
    // guide
    LateLogManager logging = (LateLogManager) LogManager.getLogManager();
    logging.keepHandlers();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              hello.close();
              logging.end();
            }));
    // end
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
      // Calls still run. New ones are refused, and another close continues to wait.
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

  // guide
  record Pause(long duration_ms) {}

  record Slept(long slept_ms) {}

  // end

  @Test
  void later() throws Exception {
    try (Plugin hello = Plugin.load(library)) {
      Executor executor = Runnable::run;
      // guide
      Method sleep = hello.method("test.sleep");
      CompletableFuture<Slept> slept = sleep.callAsync(new Pause(20), Slept.class);
      System.out.println(slept.join().slept_ms()); // 20
      // end
      // guide
      CompletableFuture<Slept> tooLong =
          sleep
              .callAsync(new Pause(60_000), Slept.class)
              .orTimeout(50, TimeUnit.MILLISECONDS); // then the handler's future is dropped
      // end
      assertThrows(CompletionException.class, tooLong::join);
      // guide
      CallOptions options =
          CallOptions.timeout(Duration.ofSeconds(2))
              .withMetadata("tenant", "blue")
              .withHeaders()
              .withExecutor(executor);
      Slept also = sleep.callAsync(new Pause(1), Slept.class, options).get();
      Reply reply = sleep.call(new Pause(1), Reply.class, options); // waits
      System.out.println(reply.headers() + " " + reply.json(Slept.class) + " " + reply.trailers());
      // end
      assertEquals(1, also.slept_ms());
    }
  }

  // guide
  record Download(long size, long chunk, long pause_ms) {}

  record Chunk(long received, long size) {}

  // end

  @Test
  void streams() throws Exception {
    try (Plugin hello = Plugin.load(library)) {
      // guide
      Method download = hello.method("download");
      try (Items<Chunk> chunks = download.iterate(new Download(100, 10, 1), Chunk.class)) {
        for (Chunk chunk : chunks) {
          System.out.println(chunk.received() + " of " + chunk.size());
        }
      }
      // end
      // guide
      Flow.Publisher<Chunk> chunks = download.publish(new Download(100, 10, 1), Chunk.class);
      // end
      CompletableFuture<Void> done = new CompletableFuture<>();
      chunks.subscribe(new Draining(done));
      done.get(60, TimeUnit.SECONDS);
    }
  }

  private static final class Draining implements Flow.Subscriber<Chunk> {
    private final CompletableFuture<Void> done;

    Draining(CompletableFuture<Void> done) {
      this.done = done;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Chunk chunk) {}

    @Override
    public void onError(Throwable failure) {
      done.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      done.complete(null);
    }
  }

  // guide
  record Article(String article) {}

  record Price(long cents) {}

  static class Prices {
    @Service("prices.get")
    Price get(Article article) {
      return new Price(article.article().equals("bread") ? 250 : 100);
    }
  }

  // end

  @Test
  void services() {
    // guide
    PluginConfig config = PluginConfig.defaults().services(new Prices());
    // end
    // guide
    PluginConfig same =
        PluginConfig.defaults()
            .service("prices.get", Article.class, (article, call) -> new Price(250));
    // end
    for (PluginConfig each : List.of(config, same)) {
      try (Plugin hello = Plugin.load(library, each)) {
        assertEquals(State.ACTIVE, hello.state());
      }
    }
  }

  private static final ThreadLocal<String> USER = new ThreadLocal<>();

  @Test
  void service_contexts() {
    AtomicReference<String> asked = new AtomicReference<>();
    PluginConfig prices =
        PluginConfig.defaults()
            .service(
                "prices.get",
                Article.class,
                (article, with) -> {
                  asked.set(USER.get() + carried());
                  return new Price(250);
                });
    // guide
    PluginConfig config =
        prices.contextPropagation(() -> {
          String user = USER.get(); // on the calling thread
          return function ->
              () -> {
                USER.set(user); // on the thread that runs the service
                try {
                  return function.call();
                } finally {
                  USER.remove();
                }
              };
        });
    // end
    try (Plugin hello = Plugin.load(library, config)) {
      USER.set("ada");
      CallOptions options =
          CallOptions.timeout(Duration.ofMinutes(1)).withMetadata("tenant", "blue").offloaded();
      String basket = "{\"lines\":[{\"article\":\"bread\",\"count\":2}]}";
      String total = hello.method("checkout.total").callAsync(basket, options).join();
      assertEquals("{\"cents\":500}", total);
      assertEquals("ada blue true", asked.get());
    } finally {
      USER.remove();
    }
  }

  private static String carried() {
    // guide
    ServiceCall call = ServiceCall.current();
    Optional<Duration> left = call.timeLeft();
    Optional<String> tenant = call.metadata().text("tenant");
    // end
    return " " + tenant.orElse("none") + " " + left.isPresent();
  }

  // guide
  record NewCounter(long start) {}

  record Step(long by) {}

  record Count(long count) {}

  // end

  @Test
  void objects() {
    try (Plugin hello = Plugin.load(library)) {
      CallOptions defaults = CallOptions.defaults();
      // guide
      Method open = hello.method("counter.new");
      try (PluginObject counter = open.call(new NewCounter(7), PluginObject.class, defaults)) {
        Count count = counter.call("Counter.add", new Step(3), Count.class);
        System.out.println(count.count()); // 10
      }
      // end
    }
  }
}
