package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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

  /** Notes when it ends and when those who wait are woken; waking may fail at first. */
  private static final class Noting extends Operation {
    private final BlockingQueue<String> notes;
    private final String name;
    private boolean fails;

    Noting(BlockingQueue<String> notes, String name, boolean fails) {
      this.notes = notes;
      this.name = name;
      this.fails = fails;
    }

    @Override
    void done(Answer answer) {
      notes.add("done " + name);
    }

    @Override
    void awaken() {
      if (fails) {
        fails = false;
        throw new OutOfMemoryError("for the test");
      }
      notes.add("awaken " + name);
    }
  }

  /** Writes ends as the native library does, into the first buffer that's asked the address of. */
  private static void ends(ByteBuffer events, Operation... operations) {
    for (int index = 0; index < operations.length; index++) {
      int at = index * Layout.EVENT;
      events.putLong(at + Layout.EVENT_USER_DATA, operations[index].key);
      events.putInt(at + Layout.EVENT_KIND, Layout.DONE);
    }
    events.putLong(events.capacity() - Long.BYTES, operations.length);
  }

  @Test
  void those_who_wait_are_woken_when_all_that_has_ended_is_known() throws InterruptedException {
    BlockingQueue<String> notes = new LinkedBlockingQueue<>();
    Noting first = new Noting(notes, "1", true);
    Noting second = new Noting(notes, "2", false);
    Noting third = new Noting(notes, "3", false);
    List<ByteBuffer> buffers = new ArrayList<>();
    AtomicInteger rounds = new AtomicInteger();
    Natives none = fetching(() -> 0);
    Natives some =
        (Natives)
            Proxy.newProxyInstance(
                Natives.class.getClassLoader(),
                new Class<?>[] {Natives.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("address")) {
                    buffers.add((ByteBuffer) arguments[0]);
                  }
                  if (method.getName().equals("next")) {
                    switch (rounds.getAndIncrement()) {
                      case 0 -> ends(buffers.get(0), first, second);
                      case 1 -> ends(buffers.get(0), third);
                      default -> ends(buffers.get(0));
                    }
                  }
                  return Proxy.getInvocationHandler(none).invoke(proxy, method, arguments);
                });
    Drainer drainer = new Drainer(some);
    for (Noting each : List.of(first, second, third)) {
      drainer.slots.put(each);
      each.number = 7;
    }
    drainer.ensureRunning();
    List<String> heard = new ArrayList<>();
    for (int count = 0; count < 6; count++) {
      heard.add(notes.poll(60, TimeUnit.SECONDS));
    }
    assertEquals(List.of("done 1", "done 2", "done 3", "awaken 1", "awaken 2", "awaken 3"), heard);
    assertTrue(notes.isEmpty());
    assertEquals(0, detached.get());
  }
}
