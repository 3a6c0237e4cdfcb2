package io.github.rustbridge.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class ScratchesTest {
  private static final class Pad extends Scratches.Scratch {
    /**
     * Set for the time of a call; not volatile, so that it shows whether giving and taking order.
     */
    private Thread user;

    private long uses;
  }

  private final AtomicInteger made = new AtomicInteger();
  private final Scratches<Pad> scratches =
      new Scratches<>(() -> {
        made.incrementAndGet();
        return new Pad();
      });

  private static ExecutorService virtualThreads() {
    try {
      return (ExecutorService)
          MethodHandles.publicLookup()
              .findStatic(
                  Executors.class,
                  "newVirtualThreadPerTaskExecutor",
                  MethodType.methodType(ExecutorService.class))
              .invoke();
    } catch (NoSuchMethodException old) {
      Assumptions.abort("this JDK has no virtual threads");
      return null;
    } catch (Throwable error) {
      throw new AssertionError(error);
    }
  }

  private void use() {
    Pad pad = scratches.take();
    try {
      assertEquals(null, pad.user);
      pad.user = Thread.currentThread();
      pad.uses++;
      Thread.onSpinWait();
      assertSame(Thread.currentThread(), pad.user);
      pad.user = null;
    } finally {
      scratches.give(pad);
    }
  }

  @Test
  void a_thread_has_one_of_its_own() throws Exception {
    Pad first = scratches.take();
    scratches.give(first);
    assertSame(first, scratches.take());
    scratches.give(first);
    Pad[] others = new Pad[1];
    Thread other =
        new Thread(() -> {
          others[0] = scratches.take();
          scratches.give(others[0]);
        });
    other.start();
    other.join();
    assertNotSame(first, others[0]);
    assertEquals(2, made.get());
  }

  @Test
  void a_call_inside_a_call_gets_another() {
    Pad outer = scratches.take();
    Pad inner = scratches.take();
    Pad innermost = scratches.take();
    assertNotSame(outer, inner);
    assertNotSame(outer, innermost);
    assertNotSame(inner, innermost);
    scratches.give(innermost);
    scratches.give(inner);
    // The outer call still has its own.
    assertNotSame(outer, scratches.take());
    scratches.give(outer);
    assertSame(outer, scratches.take());
  }

  @Test
  void one_that_is_never_given_back_is_replaced_for_good() {
    Pad lost = scratches.take();
    Pad next = scratches.take();
    scratches.give(next);
    for (int i = 0; i < 3; i++) {
      Pad again = scratches.take();
      assertNotSame(lost, again);
      assertSame(next, again);
      scratches.give(again);
    }
    assertEquals(2, made.get());
  }

  @Test
  void sets_have_nothing_to_do_with_each_other() {
    Pad mine = scratches.take();
    Scratches<Pad> others = new Scratches<>(Pad::new);
    assertNotSame(mine, others.take());
  }

  @Test
  void platform_threads_never_meet() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            threads.submit(() -> {
              for (int round = 0; round < 10_000; round++) {
                use();
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(8, made.get());
  }

  @Test
  void ten_thousand_virtual_threads_share_a_few() throws Exception {
    ExecutorService threads = virtualThreads();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        all.add(
            threads.submit(() -> {
              for (int round = 0; round < 20; round++) {
                use();
                Thread.yield();
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
    // As many as run at once, which the JVM may raise a little for threads that are pinned.
    int most = Runtime.getRuntime().availableProcessors() * 4 + 16;
    assertTrue(made.get() <= most, made + " were made, and " + most + " are enough");
  }

  @Test
  void a_virtual_thread_that_changes_its_carrier_keeps_its_scratch() throws Exception {
    ExecutorService threads = virtualThreads();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        all.add(
            threads.submit(() -> {
              for (int round = 0; round < 20; round++) {
                Pad pad = scratches.take();
                assertEquals(null, pad.user);
                pad.user = Thread.currentThread();
                Thread.sleep(0, 10_000);
                Pad inner = scratches.take();
                assertNotSame(pad, inner);
                assertEquals(null, inner.user);
                scratches.give(inner);
                assertSame(Thread.currentThread(), pad.user);
                pad.user = null;
                scratches.give(pad);
              }
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void what_many_virtual_threads_hold_at_once_is_not_all_kept() throws Exception {
    ExecutorService threads = virtualThreads();
    int count = 1000;
    CountDownLatch allHold = new CountDownLatch(count);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(
            threads.submit(() -> {
              Pad pad = scratches.take();
              allHold.countDown();
              allHold.await();
              scratches.give(pad);
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertEquals(count, made.get());
      // The pool gives what it has kept, then new ones.
      int kept =
          threads
              .submit(() -> {
                int before = made.get();
                int taken = 0;
                while (made.get() == before) {
                  scratches.take();
                  taken++;
                }
                return taken - 1;
              })
              .get();
      int most = Runtime.getRuntime().availableProcessors() * 4;
      assertTrue(kept > 0 && kept <= most, kept + " were kept");
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void platform_threads_take_nothing_from_the_pool() throws Exception {
    ExecutorService threads = virtualThreads();
    Pad pooled;
    try {
      pooled =
          threads
              .submit(() -> {
                Pad pad = scratches.take();
                scratches.give(pad);
                return pad;
              })
              .get();
    } finally {
      threads.shutdown();
    }
    assertNotSame(pooled, scratches.take());
    assertFalse(pooled.uses > 0);
  }
}
