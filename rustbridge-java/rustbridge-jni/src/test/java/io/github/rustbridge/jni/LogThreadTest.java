package io.github.rustbridge.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.LogRecord;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.interop.LogSink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The thread that records arrive on, and the texts in them. */
class LogThreadTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void records_come_from_few_daemon_threads_which_end_with_the_last_instance()
      throws InterruptedException {
    Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
    AtomicInteger records = new AtomicInteger();
    Plugin plugin = Plugins.conformance(Plugins.config().logLevel(LogLevel.INFO));
    plugin.setLogListener(record -> {
      threads.add(Thread.currentThread());
      records.incrementAndGet();
    });
    for (int i = 0; i < 10; i++) {
      plugin.call("log.emit", "{\"level\":\"INFO\",\"message\":\"x\",\"count\":1000}");
      plugin.flushLogs(LONG);
    }
    assertTrue(records.get() >= 10_000, () -> records + " records");
    assertTrue(threads.size() < 10, threads::toString);
    for (Thread thread : threads) {
      assertEquals("rustbridge log", thread.getName());
      assertTrue(thread.isDaemon());
    }
    plugin.close();
    for (Thread thread : threads) {
      thread.join(LONG.toMillis());
      assertFalse(thread.isAlive(), "a thread is still attached after all were closed");
    }
  }

  @Test
  void texts_keep_what_modified_utf8_writes_otherwise() {
    List<LogRecord> records = Collections.synchronizedList(new ArrayList<>());
    try (Plugin plugin = Plugins.conformance(Plugins.config().logLevel(LogLevel.INFO))) {
      plugin.setLogListener(records::add);
      plugin.call(
          "log.emit", "{\"level\":\"INFO\",\"message\":\"a\\u0000b 🦀 größer\",\"count\":1}");
      plugin.flushLogs(LONG);
    }
    LogRecord record =
        records.stream().filter(one -> one.message().contains("größer")).findFirst().orElseThrow();
    assertEquals("a\0b 🦀 größer", record.message());
    assertEquals("größer 🦀", record.fields().get("text"));
  }

  @Test
  void a_delivery_replaces_what_is_no_utf8_and_splits_the_texts() {
    List<String> texts = new ArrayList<>();
    LogSink sink =
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
            instance) ->
            texts.addAll(List.of(target, message, fields, spans, file, thread, instance));
    byte[] bytes = "ab\u00ff{}[]fileäthreadö".getBytes(StandardCharsets.UTF_8);
    bytes[2] = (byte) 0xff;
    bytes[3] = 'c';
    new LogDelivery(sink).deliver(3, 0, 1, 2, 3, bytes, 1, 4, 6, 8, 14, 20);
    assertEquals(List.of("a", "b\ufffdc", "{}", "[]", "fileä", "thread", "ö"), texts);
    texts.clear();
    new LogDelivery(sink).deliver(3, 0, 1, 2, 3, new byte[0], 0, 0, 0, 0, 0, 0);
    assertEquals(List.of("", "", "", "", "", "", ""), texts);
  }

  @Test
  void a_sink_that_throws_harms_nothing_and_is_told_of_once() {
    AtomicInteger records = new AtomicInteger();
    PrintStream old = System.err;
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
    try (Plugin plugin = Plugins.conformance(Plugins.config().logLevel(LogLevel.INFO))) {
      LogSink sink =
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
            records.incrementAndGet();
            throw new AssertionError("thrown by a sink");
          };
      new JniBackend().setLogSink(plugin.handle(), sink, -1);
      plugin.call("log.emit", "{\"level\":\"INFO\",\"message\":\"x\",\"count\":100}");
      plugin.flushLogs(LONG);
      assertEquals("{\"label\":\"jni\"}", label(plugin));
    } finally {
      System.setErr(old);
    }
    assertTrue(records.get() >= 100);
    String output = told.toString(StandardCharsets.UTF_8);
    assertEquals(1, output.split("thrown by a sink", -1).length - 1, output);
  }

  private static String label(Plugin plugin) {
    return plugin.call("state.config", "null").contains("\"label\":\"jni\"")
        ? "{\"label\":\"jni\"}"
        : "another";
  }
}
