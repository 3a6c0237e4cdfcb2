package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.LogRecord;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Service;
import io.github.rustbridge.Status;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an application throws comes back to it through a plugin. */
@Timeout(120)
class CausesTest {
  /** One that no other test throws. */
  @SuppressWarnings("serial")
  static final class OwnException extends RuntimeException {
    OwnException(String message) {
      super(message);
    }
  }

  static OwnException thrownHere(String message) {
    throw new OwnException(message);
  }

  /** All of them throw. */
  static final class Throwing {
    @Service("prices.get")
    long get(long id) {
      if (id == 404) {
        throw new PluginException(Status.NOT_FOUND, "Unknown", "no such", Map.of(), null);
      }
      throw thrownHere("no " + id);
    }

    @Service("prices.quote")
    CompletionStage<Long> quote(long id) {
      return CompletableFuture.supplyAsync(
          () -> {
            throw thrownHere("no " + id);
          },
          CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS));
    }
  }

  /** A number that is sent. */
  record Value(long value) {}

  private static void assertCause(Throwable failed, String message) {
    assertTrue(failed instanceof PluginException, String.valueOf(failed));
    PluginException of = (PluginException) failed;
    assertEquals(Status.INTERNAL, of.status());
    assertEquals(OwnException.class.getName(), of.type());
    assertEquals(message, of.getMessage());
    assertEquals(Map.of(), of.details());
    assertEquals(OwnException.class, of.getCause().getClass());
    assertEquals("thrownHere", of.getCause().getStackTrace()[0].getMethodName());
  }

  @Test
  void what_a_service_throws_is_the_cause_and_logged() {
    Recorder recorder = new Recorder();
    PluginConfig config = PluginConfig.defaults().logger(recorder).services(new Throwing());
    try (Plugin plugin = Plugins.load("operations-plugin", config)) {
      for (String name : List.of("service.one", "service.quote", "service.task")) {
        Method method = plugin.method(name);
        PluginException failed =
            assertThrows(PluginException.class, () -> method.call(7, Long.class));
        assertCause(failed, "no 7");
        assertEquals(
            List.of(failed.getCause()),
            recorder.entries().stream()
                .map(Recorder.Entry::thrown)
                .filter(failed.getCause()::equals)
                .toList());
        CompletionException later =
            assertThrows(CompletionException.class, () -> method.callAsync(8, Long.class).join());
        assertCause(later.getCause(), "no 8");
      }
      assertEquals(6, recorder.entries().size());
      recorder.entries().forEach(entry -> assertEquals(System.Logger.Level.ERROR, entry.level()));
      assertTrue(recorder.texts().get(0).contains("prices.get"));

      PluginException status =
          assertThrows(
              PluginException.class, () -> plugin.method("service.one").call(404, Long.class));
      assertEquals(Status.NOT_FOUND, status.status());
      assertEquals("no such", status.getCause().getMessage());
      assertNotSame(status, status.getCause());
      assertEquals(6, recorder.entries().size());
    }
  }

  @Test
  void a_listener_gets_the_stack_as_text_and_nothing_if_the_level_is_off() {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    PluginConfig config =
        PluginConfig.defaults()
            .named("listened")
            .logListener(records::add)
            .services(new Throwing());
    try (Plugin plugin = Plugins.load("operations-plugin", config)) {
      assertThrows(PluginException.class, () -> plugin.method("service.one").call(7, Long.class));
      LogRecord record = records.get(0);
      assertEquals(LogLevel.ERROR, record.level());
      assertEquals("listened", record.instance());
      assertTrue(String.valueOf(record.fields().get("exception")).contains("thrownHere"));
    }
    records.clear();
    try (Plugin plugin = Plugins.load("operations-plugin", config.logLevel(LogLevel.OFF))) {
      assertThrows(PluginException.class, () -> plugin.method("service.one").call(7, Long.class));
      assertEquals(List.of(), records);
    }
  }

  @Test
  void what_a_source_throws_is_the_cause() {
    Iterable<Value> failing =
        () ->
            new Iterator<>() {
              private boolean begun;

              @Override
              public boolean hasNext() {
                return true;
              }

              @Override
              public Value next() {
                if (begun) {
                  throw thrownHere("no item");
                }
                begun = true;
                return new Value(1);
              }
            };
    OwnException published = assertThrows(OwnException.class, () -> thrownHere("no item"));
    Flow.Publisher<Value> publisher =
        subscriber ->
            subscriber.onSubscribe(
                new Flow.Subscription() {
                  @Override
                  public void request(long count) {
                    subscriber.onError(published);
                  }

                  @Override
                  public void cancel() {}
                });
    try (Plugin plugin = Plugins.operations()) {
      Method sum = plugin.method("items.sum");
      CompletionException failed =
          assertThrows(
              CompletionException.class,
              () -> sum.sending(failing).callAsync(new Value(1), Value.class).join());
      assertCause(failed.getCause(), "no item");
      failed =
          assertThrows(
              CompletionException.class,
              () -> sum.sending(publisher).callAsync(new Value(1), Value.class).join());
      assertSame(published, failed.getCause().getCause());
    }
  }

  @Test
  void of_those_that_no_plugin_sends_back_only_the_last_are_kept() throws Exception {
    Class<?> causes = Class.forName("io.github.rustbridge.Causes");
    var keep = causes.getDeclaredMethod("keep", Throwable.class);
    var take = causes.getDeclaredMethod("take", byte[].class);
    keep.setAccessible(true);
    take.setAccessible(true);
    Throwable[] thrown = new Throwable[600];
    byte[][] payloads = new byte[thrown.length][];
    for (int at = 0; at < thrown.length; at++) {
      thrown[at] = new OwnException("no " + at);
      payloads[at] =
          ("{\"details\":{\"cause\":\"none\"},\"cause\":\"" + keep.invoke(null, thrown[at]) + "\"}")
              .getBytes(StandardCharsets.UTF_8);
    }
    assertNull(take.invoke(null, payloads[0]));
    assertSame(thrown[599], take.invoke(null, payloads[599]));
    assertNull(take.invoke(null, payloads[599]));
    long found = 0;
    for (byte[] payload : Arrays.copyOf(payloads, 599)) {
      found += take.invoke(null, payload) == null ? 0 : 1;
    }
    assertEquals(255, found);
  }
}
