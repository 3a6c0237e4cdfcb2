package io.github.rustbridge.calls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PollerTest {
  private static final class Pending extends AsyncCall {
    private final BlockingQueue<Answer> told = new LinkedBlockingQueue<>();

    @Override
    public void done(Answer answer) {
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
    Poller poller = new Poller(fetching(next), null);
    Pending pending = new Pending();
    Pending begins = new Pending();
    poller.slots.put(pending);
    poller.slots.put(begins);
    pending.number = 7;
    poller.ensureRunning();
    Answer answer = pending.told.poll(60, TimeUnit.SECONDS);
    assertNotNull(answer, "nobody tells that the call has failed");
    // Its number isn't known yet, so it asks for a thread of its own.
    begins.number = 8;
    for (int tries = 0; begins.told.isEmpty() && tries < 6_000; tries++) {
      poller.ensureRunning();
      Thread.sleep(10);
    }
    assertEquals(1, begins.told.size());
    assertEquals(2, detached.get());
    assertTrue(poller.slots.isEmpty());
    assertTrue(pending.told.isEmpty());
    return answer;
  }

  @Test
  void what_is_pending_fails_when_the_queue_gives_nothing_any_more() throws InterruptedException {
    assertEquals(AbiLayout.RB_DATA_LOSS, answer(() -> AbiLayout.RB_DATA_LOSS).status());
  }

  @Test
  void what_is_pending_fails_when_fetching_throws() throws InterruptedException {
    IntSupplier full =
        () -> {
          throw new OutOfMemoryError("for the test");
        };
    assertEquals(AbiLayout.RB_RESOURCE_EXHAUSTED, answer(full).status());
  }

  /** What the native library does when it's asked for events. */
  private interface Round {
    int next(ByteBuffer events, int number);
  }

  /** How long each fetch was to wait. */
  private final BlockingQueue<Long> timeouts = new LinkedBlockingQueue<>();

  /** A native library that has events, for what fetches them writes them. */
  private Natives telling(Round round) {
    List<ByteBuffer> buffers = new ArrayList<>();
    AtomicInteger rounds = new AtomicInteger();
    // Nothing but events is read where the first buffer lies.
    Natives none = fetching(() -> round.next(buffers.get(0), rounds.getAndIncrement()));
    return (Natives)
        Proxy.newProxyInstance(
            Natives.class.getClassLoader(),
            new Class<?>[] {Natives.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("address")) {
                buffers.add((ByteBuffer) arguments[0]);
              }
              if (method.getName().equals("next")) {
                timeouts.add((Long) arguments[5]);
              }
              return Proxy.getInvocationHandler(none).invoke(proxy, method, arguments);
            });
  }

  /** Writes ends as the native library does, and gives its status. */
  private static int ends(ByteBuffer events, AsyncCall... operations) {
    for (int index = 0; index < operations.length; index++) {
      int at = index * AbiLayout.SIZEOF_EVENT;
      events.putLong(at + AbiLayout.EVENT_USER_DATA, operations[index].key);
      events.putInt(at + AbiLayout.EVENT_KIND, AbiLayout.RB_EVENT_DONE);
    }
    events.putLong(events.capacity() - Long.BYTES, operations.length);
    return 0;
  }

  /** A poller for which these are pending. */
  private static Poller poller(Natives natives, AsyncCall... pending) {
    Poller poller = new Poller(natives, null);
    for (AsyncCall each : pending) {
      poller.slots.put(each);
      each.number = 7;
    }
    return poller;
  }

  private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();

  /** Notes when it ends and when those who wait are woken; waking may fail at first. */
  private final class Noting extends AsyncCall {
    private final String name;
    private boolean fails;

    Noting(String name, boolean fails) {
      this.name = name;
      this.fails = fails;
    }

    @Override
    public void done(Answer answer) {
      notes.add("done " + name);
    }

    @Override
    public boolean awakensLater() {
      return true;
    }

    @Override
    public void awaken() {
      if (fails) {
        fails = false;
        throw new OutOfMemoryError("for the test");
      }
      notes.add("awaken " + name);
    }
  }

  private List<String> heard(int count) throws InterruptedException {
    List<String> heard = new ArrayList<>();
    while (heard.size() < count) {
      heard.add(notes.poll(60, TimeUnit.SECONDS));
    }
    return heard;
  }

  @Test
  void those_who_wait_are_woken_when_all_that_has_ended_is_known() throws InterruptedException {
    Noting first = new Noting("1", true);
    Noting second = new Noting("2", false);
    Noting third = new Noting("3", false);
    Round round =
        (events, number) ->
            switch (number) {
              case 0 -> ends(events, first, second);
              case 1 -> ends(events, third);
              default -> ends(events);
            };
    poller(telling(round), first, second, third).ensureRunning();
    assertEquals(
        List.of("done 1", "done 2", "done 3", "awaken 1", "awaken 2", "awaken 3"), heard(6));
    assertTrue(notes.isEmpty());
    assertEquals(0, detached.get());
  }

  @Test
  void as_many_as_two_looks_find_are_woken_together() throws InterruptedException {
    Noting[] all = new Noting[129];
    for (int index = 0; index < all.length; index++) {
      all[index] = new Noting(Integer.toString(index), false);
    }
    Round round =
        (events, number) ->
            number > 2
                ? ends(events)
                : ends(
                    events,
                    Arrays.copyOfRange(all, 64 * number, Math.min(64 * number + 64, all.length)));
    poller(telling(round), all).ensureRunning();
    List<String> expected = new ArrayList<>();
    for (Noting each : Arrays.copyOf(all, 128)) {
      expected.add("done " + each.name);
    }
    for (Noting each : Arrays.copyOf(all, 128)) {
      expected.add("awaken " + each.name);
    }
    expected.addAll(List.of("done 128", "awaken 128"));
    assertEquals(expected, heard(258));
  }

  @Test
  void nobody_looks_a_second_time_where_none_is_woken_later() throws InterruptedException {
    Pending first = new Pending();
    Pending second = new Pending();
    Noting third = new Noting("3", false);
    Round round =
        (events, number) ->
            switch (number) {
              case 0 -> ends(events, first, second);
              case 1 -> ends(events, third);
              default -> ends(events);
            };
    poller(telling(round), first, second, third).ensureRunning();
    assertEquals(List.of("done 3", "awaken 3"), heard(2));
    assertEquals(1, first.told.size());
    assertEquals(1, second.told.size());
    for (int fetches = 0; fetches < 3; fetches++) {
      assertTrue(timeouts.poll(60, TimeUnit.SECONDS) > 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_has_ended_is_told_also_if_the_second_look_fails(boolean throwing)
      throws InterruptedException {
    Noting first = new Noting("1", false);
    Noting second = new Noting("2", false);
    Noting third = new Noting("3", false);
    Round round =
        (events, number) -> {
          if (number == 0) {
            return ends(events, first, second);
          }
          if (throwing) {
            throw new OutOfMemoryError("for the test");
          }
          return AbiLayout.RB_DATA_LOSS;
        };
    poller(telling(round), first, second, third).ensureRunning();
    assertEquals(
        List.of("done 1", "done 2", "awaken 1", "awaken 2", "done 3", "awaken 3"), heard(6));
    assertEquals(1, detached.get());
  }

  @Test
  void who_waits_for_one_that_has_failed_is_woken_a_second_time_where_that_fails()
      throws InterruptedException {
    Noting one = new Noting("1", true);
    poller(fetching(() -> AbiLayout.RB_DATA_LOSS), one).ensureRunning();
    assertEquals(List.of("done 1", "awaken 1"), heard(2));
  }

  @Test
  void who_has_waited_as_long_as_it_wants_gets_what_is_there() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    AsyncCall slow =
        new AsyncCall() {
          @Override
          public void done(Answer answer) {}

          @Override
          public boolean awakensLater() {
            return true;
          }

          @Override
          public void awaken() {
            assertDoesNotThrow(() -> over.await(60, TimeUnit.SECONDS));
          }
        };
    try {
      PendingCall<byte[]> call =
          new PendingCall<>(new Callee(null, null, null), new NoSettings(), new Bytes(), null);
      FutureTask<byte[]> waited = new FutureTask<>(() -> call.get(2, TimeUnit.SECONDS));
      Thread waiter = new Thread(waited);
      Round round =
          (events, number) -> {
            if (number > 0) {
              return ends(events);
            }
            // What it waits for is there when it waits already, and it isn't woken in time.
            for (int tries = 0; tries < 60_000 && !isWaiting(waiter); tries++) {
              assertDoesNotThrow(() -> Thread.sleep(1));
            }
            return ends(events, slow, call.events);
          };
      Poller poller = poller(telling(round), slow, call.events);
      waiter.start();
      poller.ensureRunning();
      assertArrayEquals(new byte[0], waited.get(60, TimeUnit.SECONDS));
    } finally {
      over.countDown();
    }
  }

  /** Call options without any data. */
  private static final class NoSettings extends CallSettings {
    @Override
    public CallData data(boolean wantsReply, boolean offloads, ContextCapture capture) {
      return CallData.NOTHING;
    }

    @Override
    public boolean passesMetadata() {
      return false;
    }

    @Override
    public void passHeaders(byte[] headers) {}

    @Override
    public void passTrailers(byte[] trailers) {}
  }

  private static final class Bytes implements ResponseReader<byte[]> {
    @Override
    public byte[] read(Answer answer) {
      return answer.bytes();
    }

    @Override
    public RuntimeException failure(Answer answer) {
      return new IllegalStateException("status " + answer.status());
    }
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING;
  }
}
