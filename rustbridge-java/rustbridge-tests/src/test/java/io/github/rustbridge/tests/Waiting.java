package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Waits for what happens on another thread, or in the garbage collector, sooner or later. */
public final class Waiting {
  private static final long NANOS = 30_000_000_000L;

  private Waiting() {}

  /** Waits until something holds. */
  public static void until(String what, BooleanSupplier holds) {
    until(what, holds, () -> {});
  }

  /** Collects garbage until something holds. */
  public static void collectingUntil(String what, BooleanSupplier holds) {
    until(what, holds, System::gc);
  }

  /** Waits for a latch, on a thread that nobody interrupts. */
  public static void quietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      fail("interrupted while it was to wait");
    }
  }

  private static void until(String what, BooleanSupplier holds, Runnable meanwhile) {
    long start = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - start > NANOS) {
        fail("it hasn't come to this: " + what);
      }
      meanwhile.run();
      try {
        Thread.sleep(2);
      } catch (InterruptedException ended) {
        fail("interrupted before it came to this: " + what);
      }
    }
  }
}
