package io.github.rustbridge.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Times single operations, one by one, in the JVM that JMH has just measured their mean in: it's
 * warm, nothing but this operation was ever compiled in it, and it has been started anyway.
 *
 * <p>JMH's own mode for it, {@code SampleTime}, would need a JVM of its own for each.
 */
final class Stopwatch {
  /** The system property that says where times go; without it none are taken. */
  static final String FILE = "rustbridge.benchmarks.times";

  /** The system property that says how many are taken at most. */
  static final String COUNT = "rustbridge.benchmarks.count";

  /** How few are taken of operations that last. */
  private static final int FEWEST = 100;

  private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int WARM_UP_CALLS = 20_000;

  private Stopwatch() {}

  /**
   * Times calls of a method without parameters, and writes the times: on the first line what
   * reading the clock twice takes, then one each.
   */
  static void time(Object target, Method method, Blackhole blackhole) throws Exception {
    String file = System.getProperty(FILE);
    if (file == null) {
      return;
    }
    Callable<?> operation = callable(target, method);
    int most = Integer.getInteger(COUNT);
    long clock = clock();
    // As many as fit into the time that the most would take at 100 µs each.
    long budget = most * 100_000L;
    long[] one = new long[1];
    warmUp(operation, blackhole, budget / 2);
    time(operation, one, blackhole);
    int count = Math.clamp(budget / Math.max(one[0], 1), Math.min(FEWEST, most), most);
    long[] times = new long[count];
    time(operation, times, blackhole);
    write(Path.of(file), clock, times);
  }

  /**
   * In many short loops, so that what is compiled is the method and not just one loop in the middle
   * of it.
   */
  private static void warmUp(Callable<?> operation, Blackhole blackhole, long budget)
      throws Exception {
    long[] some = new long[1];
    long end = System.nanoTime() + Math.min(budget, WARM_UP);
    for (int calls = 0; calls < WARM_UP_CALLS && System.nanoTime() < end; calls += some.length) {
      time(operation, some, blackhole);
      // Longer loops as soon as it's clear that they don't take long.
      some = new long[Math.min(some.length * 2, 200)];
    }
  }

  private static void time(Callable<?> operation, long[] times, Blackhole blackhole)
      throws Exception {
    for (int i = 0; i < times.length; i++) {
      long begin = System.nanoTime();
      Object answer = operation.call();
      times[i] = System.nanoTime() - begin;
      blackhole.consume(answer);
    }
  }

  /** What two readings right after each other are apart, median. */
  private static long clock() {
    long[] times = new long[1_000];
    for (int repeat = 0; repeat < 100; repeat++) {
      clock(times);
    }
    Arrays.sort(times);
    return times[times.length / 2];
  }

  private static void clock(long[] times) {
    for (int i = 0; i < times.length; i++) {
      long begin = System.nanoTime();
      times[i] = System.nanoTime() - begin;
    }
  }

  /**
   * Makes a method's call one that the JIT compiler sees through, as reflection and a handle in a
   * variable aren't.
   */
  private static Callable<?> callable(Object target, Method method) throws Exception {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(target.getClass(), MethodHandles.lookup());
    MethodHandle handle = lookup.unreflect(method);
    MethodType boxed = MethodType.methodType(handle.type().returnType()).wrap();
    MethodHandle factory =
        LambdaMetafactory.metafactory(
                lookup,
                "call",
                MethodType.methodType(Callable.class, target.getClass()),
                MethodType.methodType(Object.class),
                handle,
                boxed)
            .getTarget();
    try {
      return (Callable<?>) factory.invoke(target);
    } catch (Throwable problem) {
      throw new IllegalStateException(method + " can't be called", problem);
    }
  }

  private static void write(Path file, long clock, long[] times) {
    StringBuilder text = new StringBuilder().append(clock).append('\n');
    for (long time : times) {
      text.append(time).append('\n');
    }
    try {
      Files.writeString(file, text);
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }
}
