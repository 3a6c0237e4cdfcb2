package io.github.rustbridge.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import io.github.rustbridge.interop.Backend;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.Instance;
import io.github.rustbridge.interop.LoadRequest;
import io.github.rustbridge.interop.LogSink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sinks straight on the backend, so that nothing of the core's catches what they throw. */
class LogUpcallsTest {
  private static final Backend<?> BACKEND = new FfmBackendProvider().open();

  private static long load(String config, LogSink sink) {
    return BACKEND.load(
        new LoadRequest(
            utf8(Plugins.find("conformance_plugin").toString()),
            null,
            utf8(config),
            null,
            0,
            5,
            0,
            0,
            sink,
            List.of(),
            null));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void emit(long handle, String message) {
    Method emit =
        (Method)
            BACKEND.method(
                CallTarget.of(
                    new Instance(BACKEND.natives(), handle, "logs", null),
                    "log.emit",
                    BACKEND.prepare(handle, utf8("log.emit"), Encoding.JSON.number())));
    emit.call("{\"level\":\"INFO\",\"message\":\"" + message + "\",\"count\":1}");
    BACKEND.flushLogs(handle, -1);
  }

  /** A sink that keeps messages. */
  private static LogSink keeping(List<String> messages) {
    return (level,
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
        instance) -> messages.add(message);
  }

  @Test
  void whatever_a_sink_throws_the_process_and_the_log_go_on() {
    AtomicInteger calls = new AtomicInteger();
    List<Runnable> throwing =
        List.of(
            () -> {
              throw new IllegalStateException("on purpose");
            },
            () -> {
              throw new Error("on purpose");
            },
            () -> {
              throw new OutOfMemoryError("on purpose");
            },
            () -> overflow(1),
            () -> LogUpcallsTest.<RuntimeException>sneak(new InterruptedException()),
            () -> {
              throw new Unprintable();
            });
    long handle =
        load(
            "{\"label\":\"x\"}",
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
              if (message.startsWith("throw")) {
                calls.incrementAndGet();
                throwing.get(Integer.parseInt(message.substring(5))).run();
              }
            });
    for (int i = 0; i < throwing.size(); i++) {
      emit(handle, "throw" + i);
      emit(handle, "throw" + i);
      assertEquals(2 * i + 2, calls.get());
    }
    BACKEND.close(handle, -1);
  }

  /** Deeper than any stack, not for ever. */
  private static long overflow(long depth) {
    return depth > 1L << 40 ? depth : overflow(depth + 1) + 1;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** One that throws while it's told of. */
  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new Unprintable();
    }
  }

  @Test
  void texts_arrive_whole() {
    List<String> messages = new CopyOnWriteArrayList<>();
    long handle = load("{\"label\":\"x\"}", keeping(messages));
    String message = "gr\u00fc\u00dfe \ud83e\udd80 ".repeat(500);
    emit(handle, message);
    assertTrue(messages.contains(message), messages::toString);
    BACKEND.close(handle, -1);
  }

  @Test
  void sinks_are_forgotten_when_they_are_replaced_or_their_instance_is_closed_or_was_never_made() {
    int before = LogUpcalls.held();
    List<String> first = new CopyOnWriteArrayList<>();
    List<String> second = new CopyOnWriteArrayList<>();
    long handle = load("{\"label\":\"x\"}", keeping(first));
    assertEquals(before + 1, LogUpcalls.held());
    BACKEND.setLogSink(handle, keeping(second), -1);
    assertEquals(before + 1, LogUpcalls.held());
    emit(handle, "second");
    assertTrue(second.contains("second") && !first.contains("second"));
    BACKEND.setLogSink(handle, null, -1);
    assertEquals(before, LogUpcalls.held());
    BACKEND.setLogSink(handle, keeping(first), -1);
    BACKEND.close(handle, -1);
    assertEquals(before, LogUpcalls.held());
    var closed =
        assertThrows(PluginException.class, () -> BACKEND.setLogSink(handle, keeping(first), -1));
    assertEquals(Status.UNAVAILABLE, closed.status());
    assertEquals(before, LogUpcalls.held());
    assertThrows(PluginException.class, () -> load("{\"label\":\"refuse\"}", keeping(first)));
    assertEquals(before, LogUpcalls.held());
  }

  @Test
  void what_was_never_issued_has_no_state() {
    var error = assertThrows(PluginException.class, () -> BACKEND.state(12345));
    assertEquals(Status.INVALID_ARGUMENT, error.status());
  }
}
