package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

final class DrainerTest {
  private static final class Pending extends Operation {
    private final BlockingQueue<Answer> told = new LinkedBlockingQueue<>();

    @Override
    void done(Answer answer) {
      told.add(answer);
    }
  }

  private final AtomicInteger detached = new AtomicInteger();

  /** A native library that has no events, for what fetches them does something else. */
  private Natives fetching(IntSupplier next) {
    return (Natives)
        Proxy.newProxyInstance(
            Natives.class.getClassLoader(),
            new Class<?>[] {Natives.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "next":
                  return next.getAsInt();
                case "detach":
                  detached.incrementAndGet();
                  return 0;
                case "address":
                  return 4096L;
                case "hashCode":
                  return System.identityHashCode(proxy);
                case "equals":
                  return proxy == arguments[0];
                default:
                  return method.getReturnType() == int.class ? 0 : null;
              }
            });
  }

  private Answer answer(IntSupplier next) throws InterruptedException {
    Drainer drainer = new Drainer(fetching(next));
    Pending pending = new Pending();
    Pending begins = new Pending();
    drainer.slots.put(pending);
    drainer.slots.put(begins);
    pending.number = 7;
    drainer.ensureRunning();
    Answer answer = pending.told.poll(60, TimeUnit.SECONDS);
    assertNotNull(answer, "nobody tells that the call has failed");
    // Its number isn't known yet, so it asks for a thread of its own.
    begins.number = 8;
    for (int tries = 0; begins.told.isEmpty() && tries < 6_000; tries++) {
      drainer.ensureRunning();
      Thread.sleep(10);
    }
    assertEquals(1, begins.told.size());
    assertEquals(2, detached.get());
    assertTrue(drainer.slots.isEmpty());
    assertTrue(pending.told.isEmpty());
    return answer;
  }

  @Test
  void what_is_pending_fails_when_the_queue_gives_nothing_any_more() throws InterruptedException {
    assertEquals(Status.DATA_LOSS.number(), answer(Status.DATA_LOSS::number).status());
  }

  @Test
  void what_is_pending_fails_when_fetching_throws() throws InterruptedException {
    IntSupplier full =
        () -> {
          throw new OutOfMemoryError("for the test");
        };
    assertEquals(Status.RESOURCE_EXHAUSTED.number(), answer(full).status());
  }
}
