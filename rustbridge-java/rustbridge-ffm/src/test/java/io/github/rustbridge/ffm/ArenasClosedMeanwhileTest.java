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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A shared arena that another thread closes during a call: one of the two loses, and nobody reads
 * freed memory.
 */
class ArenasClosedMeanwhileTest {
  @Test
  void anArenaStaysOpenDuringACall() throws InterruptedException {
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
  void aThousandArenasAreClosedAtAnyMoment(String name) throws InterruptedException {
    try (Plugin plugin = Plugins.conformance()) {
      SegmentMethod echo = SegmentMethod.of(plugin.method(name, Encoding.RAW));
      AtomicInteger begun = new AtomicInteger();
      AtomicReference<Arena> current = new AtomicReference<>();
      AtomicReference<MemorySegment> memory = new AtomicReference<>();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      int rounds = 1_000;
      Thread closer =
          new Thread(() -> {
            int round = 0;
            while (round < rounds) {
              Arena arena = current.getAndSet(null);
              if (arena == null) {
                Thread.onSpinWait();
                continue;
              }
              round++;
              while (true) {
                try {
                  arena.close();
                  break;
                } catch (IllegalStateException inUse) {
                  Thread.onSpinWait();
                }
              }
            }
          });
      closer.start();
      for (int round = 0; round < rounds; round++) {
        Arena arena = Arena.ofShared();
        memory.set(arena.allocate(4_000).fill((byte) round));
        MemorySegment request = memory.get().asSlice(0, 2_000);
        MemorySegment response = memory.get().asSlice(2_000);
        current.set(arena);
        try {
          while (true) {
            assertEquals(2_000, echo.callRaw(request, response));
            begun.incrementAndGet();
          }
        } catch (IllegalStateException closed) {
          // The call came too late.
        } catch (Throwable error) {
          failure.set(error);
          break;
        }
      }
      closer.join();
      assertNull(failure.get());
    }
  }
}
