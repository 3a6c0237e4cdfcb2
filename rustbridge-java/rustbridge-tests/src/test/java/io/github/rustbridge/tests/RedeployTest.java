package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.internal.Platform;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications that bring their own copy of these classes, as a web application does: several at
 * once, and one after the other, each of which can be collected when it's over.
 */
class RedeployTest {
  private static final String LIBRARY = "rustbridge.library";

  /** Says where the natives are for those that take them from their jar. */
  private static final String NATIVES = "redeploy.natives";

  /** Soft references, such as those of Jackson's buffers, go with the next collection. */
  private static ForkedJvm server(Class<? extends Scenario> scenario, Path cache, Path natives)
      throws IOException {
    ForkedJvm server =
        ForkedJvm.of(scenario)
            .with("-XX:SoftRefLRUPolicyMSPerMB=0")
            .environment("XDG_CACHE_HOME", cache.toString())
            .environment("LOCALAPPDATA", cache.toString())
            .property(NATIVES, natives.toString());
    String given = System.getProperty(LIBRARY);
    return given == null ? server : server.property(LIBRARY, copied(Path.of(given), natives));
  }

  /**
   * Copies the libraries into a folder as a jar has them, for two reasons: where they're given by
   * the property, as under Wine, the jars may have none; and Windows keeps any name of a file that
   * this JVM has loaded, so that the cache couldn't be deleted.
   */
  private static String copied(Path libraries, Path folder) throws IOException {
    Path to = folder.resolve("native").resolve(Platform.of(System::getProperty).toString());
    Files.createDirectories(to);
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(libraries, "*{rustbridge,rustbridge_jni}.{dll,so,dylib}")) {
      for (Path file : files) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    return to.toString();
  }

  @Test
  void several_applications_use_it_at_once_and_can_be_collected(
      @TempDir Path cache, @TempDir Path natives) throws IOException {
    server(AtOnce.class, cache, natives).succeeds();
    assertTrue(libraries(cache) <= 4, "there's one file for each application at most");
  }

  @Test
  void so_can_those_that_take_the_library_from_their_jar(@TempDir Path cache, @TempDir Path natives)
      throws IOException {
    server(AtOnce.class, cache, natives).property(LIBRARY, null).succeeds();
    assertTrue(libraries(cache) <= 5, "there's one file for each application at most");
  }

  @Test
  void those_that_follow_each_other_use_what_those_before_have_left(
      @TempDir Path cache, @TempDir Path natives) throws IOException {
    server(OneAfterTheOther.class, cache, natives).property(LIBRARY, null).succeeds();
    assertTrue(libraries(cache) <= 2, "an application uses the file of one that's gone");
  }

  private static long libraries(Path cache) throws IOException {
    try (Stream<Path> files = Files.walk(cache)) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  /** Four applications side by side, on threads that outlive them. */
  static final class AtOnce implements Scenario {
    @Override
    public void run() throws Exception {
      Server server = new Server();
      for (int round = 0; round < 2; round++) {
        List<Deployed> all = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
          all.add(new Deployed());
        }
        for (Deployed one : all) {
          server.serve(one);
        }
        all.forEach(Deployed::undeploy);
        for (Deployed one : all) {
          one.awaitCollected();
        }
      }
      server.stop();
    }
  }

  /** As a server does it that is kept running while its application is written. */
  static final class OneAfterTheOther implements Scenario {
    @Override
    public void run() throws Exception {
      Server server = new Server();
      for (int number = 0; number < 5; number++) {
        Deployed one = new Deployed();
        server.serve(one);
        one.undeploy();
        one.awaitCollected();
      }
      server.stop();
    }
  }

  /** The threads that serve whatever application there is, as in a container. */
  private static final class Server {
    private final ExecutorService workers = Executors.newFixedThreadPool(2);

    void serve(Deployed application) throws Exception {
      application.call();
      for (int worker = 0; worker < 4; worker++) {
        workers.submit(application).get();
      }
    }

    void stop() {
      workers.shutdown();
    }
  }

  /** An application in a loader of its own, which sees the JDK and nothing of this one. */
  private static final class Deployed implements Callable<Void> {
    private URLClassLoader loader;
    private Callable<?> application;
    private final WeakReference<ClassLoader> collected;

    Deployed() throws Exception {
      String path =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      List<URL> places = new ArrayList<>();
      for (String place : path.split(File.pathSeparator)) {
        places.add(Path.of(place).toUri().toURL());
      }
      places.add(Path.of(System.getProperty(NATIVES)).toUri().toURL());
      loader = new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      collected = new WeakReference<>(loader);
      var constructor = loader.loadClass(Application.class.getName()).getDeclaredConstructor();
      constructor.setAccessible(true);
      application = (Callable<?>) constructor.newInstance();
    }

    /** Calls it, with its own loader as the thread's, as containers do. */
    @Override
    public Void call() throws Exception {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(loader);
      try {
        application.call();
      } finally {
        thread.setContextClassLoader(before);
      }
      return null;
    }

    void undeploy() {
      try {
        loader.close();
      } catch (IOException problem) {
        throw new AssertionError(problem);
      }
      loader = null;
      application = null;
    }

    void awaitCollected() {
      Waiting.collectingUntil(
          "the loader of an application that has ended is collected",
          () -> collected.refersTo(null));
    }
  }

  record Add(long a, long b) {}

  record Sum(@JsonProperty("result") long sum) {}

  /** Uses everything there is. Runs in a loader of its own, with its own copies of all classes. */
  static final class Application implements Callable<Void> {
    @Override
    public Void call() throws Exception {
      assertFalse(Plugin.class.getClassLoader() == ClassLoader.getSystemClassLoader());
      AtomicInteger records = new AtomicInteger();
      PluginConfig config =
          PluginConfig.json("{\"log\":true}").logLevel(LogLevel.TRACE).named("deployed");
      try (Plugin conformance = Plugins.conformance();
          Plugin hello = Plugins.hello();
          Plugin toLoggers = Plugins.load("fault-plugin", config.logLevel(LogLevel.ERROR));
          Plugin toListener =
              Plugins.load(
                  "fault-plugin",
                  config.logListener(record -> {
                    // From inside a sink too.
                    hello.call("math.add", "{\"a\":1,\"b\":2}");
                    records.incrementAndGet();
                  }))) {
        calls(conformance, hello);
        leases(conformance);
        toLoggers.call("log.flood", "{\"n\":20}");
        toListener.call("log.flood", "{\"n\":20}");
        toLoggers.flushLogs(Duration.ofSeconds(30));
        toListener.flushLogs(Duration.ofSeconds(30));
        toListener.setLogListener(record -> {});
        if (Runtime.version().feature() >= 21) {
          virtually(() -> hello.call("math.add", "{\"a\":1,\"b\":2}"));
        }
      }
      assertTrue(records.get() >= 20, () -> records + " records");
      return null;
    }

    private static void calls(Plugin conformance, Plugin hello) {
      // Not the records themselves: JDK 17 keeps the loader of one whose `equals` it has made.
      assertEquals(42, hello.call("math.add", new Add(40, 2), Sum.class).sum());
      assertEquals(
          Map.of("a", List.of(1, 2)),
          conformance.call("types.value", Map.of("a", List.of(1, 2)), Map.class));
      assertEquals(5L, conformance.call("types.value", 5, Long.class));
      assertEquals("hello", hello.describe().name());
      for (String name : new String[] {"raw.echo", "raw.leaf"}) {
        Method echo = conformance.method(name, Encoding.RAW);
        for (int size : new int[] {0, 8, 5_000, 70_000, 3_000_000}) {
          byte[] data = new byte[size];
          assertEquals(size, echo.callRawBytes(data).length);
          assertEquals(size, echo.callRaw(data, new byte[size]));
          ByteBuffer direct = ByteBuffer.allocateDirect(size);
          assertEquals(size, echo.callRaw(ByteBuffer.wrap(data), direct));
          assertEquals(size, echo.callRaw(direct.flip(), ByteBuffer.allocate(size)));
        }
      }
    }

    private static void leases(Plugin conformance) {
      Method echo = conformance.method("raw.echo", Encoding.RAW);
      for (int size : new int[] {0, 8, 5_000, 70_000}) {
        try (RawResponse response = echo.callRawZeroCopy(new byte[size])) {
          assertEquals(size, response.buffer().remaining());
          assertEquals(size, response.toByteArray().length);
        }
      }
      List<RawResponse> many = new ArrayList<>();
      for (int count = 0; count < 100; count++) {
        many.add(echo.callRawZeroCopy(new byte[300]));
      }
      many.forEach(RawResponse::close);
      assertEquals(300, echo.callRawZeroCopy(new byte[300]).length());
    }

    private static void virtually(Runnable work) throws Exception {
      Thread thread =
          (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
      thread.join();
    }
  }
}
