package io.github.rustbridge.benchmarks.grpc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The times of one operation, run again and again.
 *
 * @param samples means of operations one after another, in nanoseconds
 * @param single percentiles of operations that are each timed by themselves, or null of several
 *     threads
 */
record Measurement(List<Double> samples, Map<String, Number> single) {
  private static final int SAMPLES = 100;

  /**
   * More than HotSpot's {@code Tier4CompileThreshold}, 15,000, after which it compiles for good.
   */
  private static final int CALLS_TO_COMPILE = 20_000;

  /**
   * How long to measure.
   *
   * @param compile nanoseconds before the first measure of all
   * @param warmUp nanoseconds before anything of a measure counts
   * @param measure nanoseconds for each measure
   * @param least how many operations at least, however long they take
   * @param batch a sample is the mean of as many operations as fill so many nanoseconds
   */
  record Effort(long compile, long warmUp, long measure, int least, long batch) {
    static final Effort FULL =
        new Effort(3_000_000_000L, 400_000_000, 800_000_000, 200, 10_000_000);
    static final Effort QUICK = new Effort(1_000_000_000, 80_000_000, 80_000_000, 10, 5_000_000);

    /**
     * What the JVM's compilers need before the first measure; on a busy machine, up to four times
     * as long.
     */
    void compile(Calls.Operation operation) {
      long began = System.nanoTime();
      for (int calls = 0; ; calls++) {
        long time = System.nanoTime() - began;
        if (time >= 4 * compile || (time >= compile && calls >= CALLS_TO_COMPILE)) {
          return;
        }
        check(operation.run(false));
      }
    }
  }

  /**
   * Times every operation by itself: even the shortest takes a thousand times as long as reading
   * the clock.
   */
  static Measurement of(Effort effort, Calls.Operation operation) {
    repeat(operation, effort.warmUp);
    List<Long> times = new ArrayList<>();
    List<Double> samples = new ArrayList<>();
    long end = System.nanoTime() + effort.measure;
    while (System.nanoTime() - end < 0 || times.size() < effort.least) {
      int first = times.size();
      long batch = 0;
      while (batch < effort.batch) {
        long before = System.nanoTime();
        boolean right = operation.run(false);
        long time = System.nanoTime() - before;
        check(right);
        times.add(time);
        batch += time;
      }
      samples.add((double) batch / (times.size() - first));
    }
    long[] sorted = sorted(times.stream().mapToLong(Long::longValue));
    Map<String, Number> single =
        Map.of(
            "count", sorted.length,
            "p50", quantile(sorted, 0.5),
            "p90", quantile(sorted, 0.9),
            "p99", quantile(sorted, 0.99),
            "p999", quantile(sorted, 0.999),
            "clock", clock());
    return new Measurement(thin(samples), single);
  }

  /**
   * Runs an operation on each of several threads; a sample is the time of one on one thread, over
   * some milliseconds.
   */
  static Measurement together(Effort effort, List<Calls.Operation> operations)
      throws InterruptedException {
    var stop = new AtomicBoolean();
    var count = new LongAdder();
    var problem = new AtomicReference<RuntimeException>();
    List<Thread> threads = new ArrayList<>();
    for (Calls.Operation operation : operations) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  while (!stop.get()) {
                    check(operation.run(false));
                    count.increment();
                  }
                } catch (RuntimeException failure) {
                  problem.set(failure);
                }
              }));
    }
    List<Double> samples = new ArrayList<>();
    TimeUnit.NANOSECONDS.sleep(effort.warmUp);
    long before = System.nanoTime();
    long done = count.sum();
    long end = before + effort.measure;
    while (before - end < 0 && problem.get() == null) {
      TimeUnit.NANOSECONDS.sleep(2 * effort.batch);
      long now = System.nanoTime();
      long sum = count.sum();
      if (sum > done) {
        samples.add((double) (now - before) * threads.size() / (sum - done));
        before = now;
        done = sum;
      }
    }
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    if (problem.get() != null) {
      throw problem.get();
    }
    return new Measurement(thin(samples), null);
  }

  /** The middle of the samples. */
  double median() {
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static void repeat(Calls.Operation operation, long nanoseconds) {
    long end = System.nanoTime() + nanoseconds;
    while (System.nanoTime() - end < 0) {
      check(operation.run(false));
    }
  }

  private static void check(boolean right) {
    if (!right) {
      throw new IllegalStateException("an answer isn't what it should be");
    }
  }

  private static double clock() {
    LongStream readings =
        LongStream.generate(() -> {
          long before = System.nanoTime();
          return System.nanoTime() - before;
        });
    return quantile(sorted(readings.limit(1001)), 0.5);
  }

  private static long[] sorted(LongStream values) {
    long[] array = values.toArray();
    Arrays.sort(array);
    return array;
  }

  /** The value below which that share of the values lies, between two of them if need be. */
  private static double quantile(long[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int low = (int) place;
    int high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
  }

  /** At most so many values, evenly by their order. */
  private static List<Double> thin(List<Double> samples) {
    if (samples.size() <= SAMPLES) {
      return samples;
    }
    List<Double> sorted = samples.stream().sorted().toList();
    int last = sorted.size() - 1;
    return IntStream.range(0, SAMPLES).mapToObj(i -> sorted.get(i * last / (SAMPLES - 1))).toList();
  }
}
