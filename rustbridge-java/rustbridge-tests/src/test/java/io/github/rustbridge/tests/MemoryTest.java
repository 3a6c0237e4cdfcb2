package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What would fill a process's memory, in a JVM with a fixed heap, so that what grows isn't Java's.
 */
class MemoryTest {
  private static final Path STATUS = Path.of("/proc/self/status");

  /**
   * What resident memory may grow by: allocators and the JVM's own compilers take some now and
   * then.
   */
  private static final long TOLERANCE_KB = 8_000;

  @BeforeEach
  void proc() {
    // Wine has the /proc of the system below.
    assumeTrue(
        !Plugins.WINDOWS && Files.exists(STATUS),
        "there is no /proc, so resident memory can't be measured");
  }

  /** A heap that is there from the beginning, touched, and two arenas, since glibc's grow apart. */
  private static void run(Class<? extends Scenario> scenario) {
    ForkedJvm.of(scenario)
        .without("-Xmx")
        .with("-Xms96m")
        .with("-Xmx96m")
        .with("-XX:+AlwaysPreTouch")
        .with("-XX:TieredStopAtLevel=1")
        .environment("MALLOC_ARENA_MAX", "2")
        .succeeds();
  }

  private static long residentKb() {
    return statusKb("VmRSS");
  }

  private static long statusKb(String what) {
    try {
      Matcher resident = Pattern.compile(what + ":\\s+(\\d+) kB").matcher(Files.readString(STATUS));
      assertTrue(resident.find());
      return Long.parseLong(resident.group(1));
    } catch (IOException problem) {
      throw new AssertionError(problem);
    }
  }

  private interface Rounds {
    void run(int count) throws Exception;
  }

  /**
   * Runs some rounds to warm up, measures, runs many more, and measures again.
   *
   * <p>The garbage collector gives memory back when it likes, so one growth proves nothing: what
   * leaks grows each time that the rounds are run.
   */
  private static void growsNot(String what, int warmUp, int rounds, Rounds work) throws Exception {
    work.run(warmUp);
    long before = residentAfterCollectionKb();
    List<Long> measured = new ArrayList<>(List.of(before));
    for (int attempt = 0; attempt < 4; attempt++) {
      work.run(rounds);
      long after = residentAfterCollectionKb();
      measured.add(after);
      System.out.println(what + ": " + before + " kB, then " + after + " kB");
      if (after - before < TOLERANCE_KB) {
        return;
      }
      before = after;
    }
    fail(what + " grew each time, in kB: " + measured);
  }

  private static long residentAfterCollectionKb() throws Exception {
    System.gc();
    // What the collector found is freed by other threads.
    Thread.sleep(100);
    System.gc();
    return residentKb();
  }

  @Test
  void loads_and_closes_leave_nothing() {
    run(Loads.class);
  }

  static final class Loads implements Scenario {
    @Override
    public void run() throws Exception {
      growsNot(
          "loads",
          1_000,
          1_000 * ForkedJvm.SOAK,
          count -> {
            for (int round = 0; round < count; round++) {
              try (Plugin plugin = Plugins.hello()) {
                if (round % 100 == 0) {
                  assertEquals("{\"result\":3}", plugin.call("math.add", "{\"a\":1,\"b\":2}"));
                }
              }
            }
          });
      assertTrue(Plugin.inspect().contains("\"instances\":[]"), Plugin::inspect);
    }
  }

  @Test
  void calls_leave_nothing() {
    run(Calls.class);
  }

  static final class Calls implements Scenario {
    @Override
    public void run() throws Exception {
      try (Plugin plugin = Plugins.conformance();
          Plugin hello = Plugins.hello()) {
        Method echo = plugin.method("raw.echo", Encoding.RAW);
        Method value = plugin.method("types.value");
        Method add = hello.method("math.add", Encoding.POD);
        byte[] small = new byte[16];
        byte[] large = new byte[50_000];
        ByteBuffer direct = ByteBuffer.allocateDirect(50_000);
        ByteBuffer storage = ByteBuffer.allocateDirect(50_000);
        String text = "\"" + "größer 🦀".repeat(3_000) + "\"";
        growsNot(
            "bytes",
            2_000,
            20_000,
            count -> {
              for (int round = 0; round < count; round++) {
                echo.callRawBytes(small);
                echo.callRawBytes(large);
                echo.callRaw(large, large);
                echo.callRaw(direct.clear(), storage.clear());
                add.callRawBytes(small);
              }
            });
        growsNot(
            "texts",
            500,
            5_000,
            count -> {
              for (int round = 0; round < count; round++) {
                value.call("\"x\"");
                value.call(text);
                plugin.call("types.value", text);
              }
            });
        growsNot(
            "leases",
            2_000,
            20_000,
            count -> {
              for (int round = 0; round < count; round++) {
                try (RawResponse response = echo.callRawZeroCopy(large);
                    RawResponse other = echo.callRawZeroCopy(direct.clear())) {
                  assertEquals(response.length(), other.length());
                }
              }
            });
        growsNot(
            "errors",
            1_000,
            10_000,
            count -> {
              for (int round = 0; round < count; round++) {
                fails(Status.INVALID_ARGUMENT, () -> value.call("{"));
                fails(Status.INVALID_ARGUMENT, () -> add.callRawBytes(large));
                fails(Status.NOT_FOUND, () -> plugin.method("none"));
                assertThrows(
                    ResponseTooLargeException.class, () -> echo.callRaw(large, new byte[3]));
              }
            });
      }
    }
  }

  @Test
  void records_and_failed_loads_leave_nothing() {
    run(Records.class);
  }

  static final class Records implements Scenario {
    @Override
    public void run() throws Exception {
      Recorder forgetful =
          new Recorder() {
            @Override
            protected void kept(Entry entry) {
              entries().clear();
            }
          };
      PluginConfig config =
          PluginConfig.json("{\"log\":true}").logger(forgetful).logLevel(LogLevel.TRACE);
      growsNot(
          "loads with a log",
          500,
          3_000,
          count -> {
            for (int round = 0; round < count; round++) {
              try (Plugin plugin = Plugins.load("fault-plugin", config)) {
                plugin.call("count", "null");
                plugin.setLogListener(record -> {});
                plugin.setLogger(forgetful);
              }
              fails(
                  Status.UNAVAILABLE,
                  () -> Plugins.load("fault-plugin", PluginConfig.json("{\"create\":\"error\"}")));
            }
          });
      try (Plugin plugin = Plugins.load("fault-plugin", config)) {
        growsNot(
            "records",
            500,
            5_000,
            count -> {
              for (int round = 0; round < count; round++) {
                plugin.call("log.flood", "{\"n\":20}");
              }
              plugin.flushLogs(Duration.ofSeconds(30));
            });
      }
    }
  }

  @Test
  void threads_that_have_ended_leave_nothing() {
    run(Threads.class);
  }

  static final class Threads implements Scenario {
    @Override
    public void run() throws Exception {
      try (Plugin plugin = Plugins.conformance()) {
        Method echo = plugin.method("raw.echo", Encoding.RAW);
        byte[] data = new byte[30_000];
        growsNot(
            "threads",
            500,
            3_000,
            count -> {
              for (int round = 0; round < count; round++) {
                Thread thread = new Thread(() -> echo.callRawBytes(data));
                thread.start();
                thread.join();
              }
              System.gc();
            });
        if (Runtime.version().feature() >= 21) {
          growsNot(
              "virtual threads",
              2_000,
              20_000,
              count -> {
                ExecutorService executor =
                    (ExecutorService)
                        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
                for (int round = 0; round < count; round += 500) {
                  List<Callable<byte[]>> calls =
                      Collections.nCopies(500, () -> echo.callRawBytes(data));
                  for (Future<byte[]> call : executor.invokeAll(calls)) {
                    assertEquals(data.length, call.get().length);
                  }
                }
                executor.shutdown();
              });
        }
      }
    }
  }

  @Test
  void leases_that_nobody_closes_do_not_pile_up() {
    megabytes(Forgotten.class);
  }

  @Test
  void buffers_of_closed_leases_do_not_pile_up() {
    megabytes(Read.class);
  }

  private static void megabytes(Class<? extends Scenario> scenario) {
    ForkedJvm.of(scenario)
        .without("-Xmx")
        .with("-Xmx64m")
        .environment("MALLOC_ARENA_MAX", "2")
        .succeeds();
  }

  /** Nine gigabytes, of which the heap sees nine thousand small objects. */
  static final class Forgotten implements Scenario {
    @Override
    public void run() {
      takeMegabytes(response -> {});
    }
  }

  /** The same, by the book: the memory stays as long as a buffer of JNI's may be read. */
  static final class Read implements Scenario {
    @Override
    public void run() {
      takeMegabytes(response -> {
        try (response) {
          assertEquals(1 << 20, response.buffer().remaining());
        }
      });
    }
  }

  /** Far below nine thousand responses of a megabyte, and far above the usual hundred. */
  private static final long MOST_KB = 1_000_000;

  /** Held, since the JVM forgets loggers that nobody holds, and their levels. */
  private static final Logger QUIET = Logger.getLogger("rustbridge");

  private static void takeMegabytes(Consumer<RawResponse> take) {
    QUIET.setLevel(Level.OFF);
    byte[] megabyte = "1048576".getBytes(StandardCharsets.US_ASCII);
    try (Plugin plugin = Plugins.conformance()) {
      Method fill = plugin.method("raw.fill", Encoding.RAW);
      for (int count = 0; count < 9_000; count++) {
        RawResponse response = fill.callRawZeroCopy(megabyte);
        assertEquals(1 << 20, response.length());
        take.accept(response);
      }
    }
    long peak = statusKb("VmHWM");
    System.out.println("resident at most: " + peak + " kB");
    assertTrue(peak < MOST_KB, () -> peak + " kB");
  }
}
