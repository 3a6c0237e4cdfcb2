package io.github.rustbridge.tests;

import static io.github.rustbridge.tests.Failures.fails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.State;
import io.github.rustbridge.Status;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Everything that crosses the boundary, once under the JVM's own checks of JNI. On the FFM backend
 * it's the same workload, and whatever JNI the JDK itself does.
 */
class CheckJniTest {
  private static final Pattern COMPLAINT =
      Pattern.compile(
          "(?mi)^.*(WARNING in native method|FATAL ERROR|WARNING: JNI|exceeds capacity|pending exception|ReleasePrimitive"
              + "|invalid JNI|guard words|bad global|thread .* not attached|A fatal error has been).*$");

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
