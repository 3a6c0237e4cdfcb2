package io.github.rustbridge.jni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.RawResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * What might take the JVM along, in one of its own: its end while plugins log, and what -Xcheck:jni
 * finds.
 */
class ForkedTest {
  /** Logs from several plugins as fast as they can, and never stops. */
  private static void logForGood() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      // Not closed: what's tested is the end of a JVM that has open ones.
      Plugin plugin = Plugins.conformance(Plugins.config().logLevel(LogLevel.INFO));
      plugin.setLogListener(record -> {});
      Method emit = plugin.method("log.emit");
      Thread thread =
          new Thread(() -> {
            while (true) {
              emit.call("{\"level\":\"INFO\",\"message\":\"x\",\"count\":500}");
            }
          });
      thread.setDaemon(true);
      thread.start();
    }
    Thread.sleep(300);
    System.out.println("it logs");
  }

  static final class Exit {
    public static void main(String[] arguments) throws InterruptedException {
      logForGood();
      System.exit(0);
    }
  }

  static final class Return {
    public static void main(String[] arguments) throws InterruptedException {
      logForGood();
    }
  }

  static final class FirstRecordsAtTheEnd {
    public static void main(String[] arguments) throws InterruptedException {
      // Threads are attached, and detached, while the JVM ends.
      for (int i = 0; i < 4; i++) {
        Thread thread =
            new Thread(() -> {
              while (true) {
                Plugin plugin = Plugins.conformance(Plugins.config().logLevel(LogLevel.INFO));
                plugin.setLogListener(record -> {});
                plugin.call("log.emit", "{\"level\":\"INFO\",\"message\":\"x\",\"count\":3}");
                plugin.close();
              }
            });
        thread.setDaemon(true);
        thread.start();
      }
      Thread.sleep(300);
      System.out.println("it logs");
    }
  }

  @RepeatedTest(3)
  void a_jvm_exits_while_plugins_log() throws Exception {
    assertTrue(Fork.run(Exit.class).endsWith("it logs\n"));
  }

  @RepeatedTest(3)
  void a_jvm_ends_while_plugins_log() throws Exception {
    assertTrue(Fork.run(Return.class).endsWith("it logs\n"));
  }

  @RepeatedTest(3)
  void a_jvm_ends_while_threads_are_attached() throws Exception {
    assertTrue(Fork.run(FirstRecordsAtTheEnd.class).endsWith("it logs\n"));
  }

  static final class FullHeap {
    public static void main(String[] arguments) {
      byte[] start = "{\"level\":\"INFO\",\"count\":1,\"message\":\"".getBytes(UTF_8);
      ByteBuffer request = ByteBuffer.allocateDirect(15 << 20).put(start);
      while (request.remaining() > 2) {
        request.put((byte) 'x');
      }
      request.put("\"}".getBytes(UTF_8)).flip();
      try (Plugin plugin = Plugins.conformance(Plugins.config().logLevel(LogLevel.INFO))) {
        Method emit = plugin.method("log.emit");
        plugin.setLogListener(record -> System.out.println("told: " + record.message()));
        emit.call("{\"level\":\"INFO\",\"message\":\"before\",\"count\":1}");
        plugin.flushLogs(Duration.ofSeconds(60));
        ByteBuffer response = ByteBuffer.allocateDirect(1 << 10);
        List<byte[]> hoard = new ArrayList<>();
        try {
          while (true) {
            hoard.add(new byte[1 << 20]);
          }
        } catch (OutOfMemoryError full) {
          // Room enough for all but the large record, made without needing any; each of them took
          // up
          // to twice its size.
          for (int i = 0; i < 4; i++) {
            hoard.remove(hoard.size() - 1);
          }
        }
        emit.callRaw(request, response);
        plugin.flushLogs(Duration.ofSeconds(60));
        hoard.clear();
        emit.call("{\"level\":\"INFO\",\"message\":\"after\",\"count\":1}");
        plugin.flushLogs(Duration.ofSeconds(60));
      }
    }
  }

  @Test
  void a_record_that_the_heap_has_no_room_for_is_lost_alone() throws Exception {
    String output = Fork.run(FullHeap.class, "-Xcheck:jni");
    assertEquals("told: before\ntold: after\n", output);
  }

  /** A bit of everything, so that each native is called, most of them in more than one way. */
  static final class Everything {
    public static void main(String[] arguments) throws InterruptedException {
      Thread[] threads = new Thread[3];
      for (int i = 0; i < threads.length; i++) {
        threads[i] = new Thread(Everything::work);
        threads[i].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println(Plugin.inspect().contains("conformance") + " " + Plugin.nativeVersion());
    }

    private static void work() {
      try (Plugin plugin = Plugins.conformance(Plugins.config().logLevel(LogLevel.TRACE));
          Plugin hello = Plugin.load(Plugins.path("hello_plugin"))) {
        plugin.setLogListener(record -> {});
        plugin.describe();
        hello.describeJson();
        Method echo = plugin.method("raw.echo", Encoding.RAW);
        for (int round = 0; round < 20; round++) {
          plugin.call("log.emit", "{\"level\":\"INFO\",\"message\":\"a\\u0000🦀\",\"count\":50}");
          for (int size : new int[] {0, 1, 2000, 9000, 70_000, 2_000_000}) {
            byte[] data = new byte[size];
            echo.callRawBytes(data);
            echo.callRaw(data, new byte[size]);
            ByteBuffer direct = ByteBuffer.allocateDirect(size);
            echo.callRaw(direct.duplicate(), direct.duplicate());
            echo.callRaw(ByteBuffer.wrap(data).asReadOnlyBuffer(), ByteBuffer.allocate(size));
            try (RawResponse lease = echo.callRawZeroCopy(data)) {
              lease.toByteArray();
              lease.buffer();
            }
          }
          fails(() -> plugin.call("panic.now", "{\"message\":\"x\"}"));
          fails(() -> plugin.method("raw.fail", Encoding.RAW).callRawBytes(new byte[20_000]));
          fails(() -> plugin.method("none"));
          fails(() -> plugin.method(12345, Encoding.POD));
          fails(() -> echo.callRaw(new byte[20_000], new byte[3]));
          fails(() -> Native.takeOutcome(1, 0, new long[1]));
          fails(() -> Native.callArray(1, 1, null, 0, 0, 0, 0));
          fails(() -> Native.describe(1, new long[0]));
          hello.call("greet", "{\"name\":\"Ada\"}");
          hello.setLogLevel(LogLevel.DEBUG);
          hello.setLogListener(record -> {});
          plugin.flushLogs(Duration.ofSeconds(60));
          plugin.state();
        }
        JniBackend backend = new JniBackend();
        backend.setLogSink(
            plugin.handle(),
            (level,
                kind,
                line,
                time,
                duration,
                target,
                message,
                fields,
                spans,
                file,
                thread,
                instance) -> {
              throw new IllegalStateException("on purpose");
            },
            -1);
        plugin.call("log.emit", "{\"level\":\"INFO\",\"message\":\"x\",\"count\":3}");
        plugin.flushLogs(Duration.ofSeconds(60));
        backend.setLogSink(plugin.handle(), null, -1);
        fails(() -> Plugin.load(Plugins.path("hello_plugin").resolveSibling("none.so")));
        fails(() -> Plugin.load(new byte[100]));
      }
    }

    private static void fails(Runnable call) {
      try {
        call.run();
      } catch (RuntimeException expected) {
        return;
      }
      throw new AssertionError("it didn't fail");
    }
  }

  @Test
  void check_jni_finds_nothing() throws Exception {
    String output = Fork.run(Everything.class, "-Xcheck:jni");
    List<String> findings =
        output
            .lines()
            .filter(line -> line.startsWith("WARNING") || line.startsWith("FATAL"))
            .toList();
    assertEquals(List.of(), findings, output);
    assertTrue(output.contains("true 0."), output);
    assertFalse(output.contains("Exception in thread"), output);
  }
}
