package io.github.rustbridge.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Plugin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A shared arena that another thread closes during a call: one of the two loses, and nobody reads
 * freed memory.
 */
class ArenasClosedMeanwhileTest {
  private static final int ROUNDS = 1_000;

  @Test
  void an_arena_stays_open_during_a_call() throws InterruptedException {
    try (Plugin hello = Plugins.hello()) {
      SegmentMethod sleep = SegmentMethod.of(hello.method("test.sleep"));
      byte[] json = "{\"duration_ms\":300}".getBytes(StandardCharsets.UTF_8);
      Arena requests = Arena.ofShared();
      Arena responses = Arena.ofShared();
      MemorySegment request = requests.allocateFrom(ValueLayout.JAVA_BYTE, json);
      MemorySegment response = responses.allocate(100);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread caller =
          new Thread(() -> {
            try {
              assertTrue(sleep.callRaw(request, response) > 0);
            } catch (Throwable error) {
              failure.set(error);
            }
          });
      caller.start();
      Plugins.awaitCall();
      assertThrows(IllegalStateException.class, requests::close);
      assertThrows(IllegalStateException.class, responses::close);
      caller.join();
      assertNull(failure.get());
      requests.close();
      responses.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.echo", "raw.leaf"})
  void a_thousand_arenas_are_closed_at_any_moment(String name) throws InterruptedException {
    try (Plugin plugin = Plugins.conformance()) {
      SegmentMethod echo = SegmentMethod.of(plugin.method(name, Encoding.RAW));
      BlockingQueue<Arena> arenas = new SynchronousQueue<>();
      Thread closer = new Thread(() -> closeAll(arenas));
      closer.start();
      for (int round = 0; round < ROUNDS; round++) {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(4_000).fill((byte) round);
        MemorySegment request = memory.asSlice(0, 2_000);
        MemorySegment response = memory.asSlice(2_000);
        arenas.put(arena);
        // Closing comes between two calls some time: there is no other way out.
        assertThrows(
            IllegalStateException.class,
            () -> {
              while (true) {
                assertEquals(2_000, echo.callRaw(request, response));
              }
            });
      }
      closer.join();
    }
  }

  private static void closeAll(BlockingQueue<Arena> arenas) {
    try {
      for (int round = 0; round < ROUNDS; round++) {
        Arena arena = arenas.take();
        while (arena.scope().isAlive()) {
          try {
            arena.close();
          } catch (IllegalStateException inUse) {
            Thread.onSpinWait();
          }
        }
      }
    } catch (InterruptedException nobodyDoes) {
      throw new AssertionError(nobodyDoes);
    }
  }
}
