package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Plugin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What all benchmarks have in common: how they are named, how long they run, and that they are
 * checked before they are measured.
 *
 * <p>Each concrete class has two parameters that its results carry: {@code scenario}, the name of
 * the row, and {@code transport}. Its methods are called as who does the work, {@code ours}, {@code
 * floor} or a peer's name, or {@code VARIANT_ours} and so on; a variant's name in words is added to
 * the scenario's.
 *
 * <p>State is per thread, so that each has its own memory for responses; the plugin is shared by
 * all of the process.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {Scenario.YOUNG, Scenario.HEAP, Scenario.NATIVE})
@Warmup(iterations = 2, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 90, timeUnit = TimeUnit.MILLISECONDS)
public abstract class Scenario {
  /**
   * A young generation that is gone through during the warm-up: memory that is touched for the
   * first time costs more than the calls that ask for it.
   */
  static final String YOUNG = "-Xms256m";

  static final String HEAP = "-Xmx2g";
  static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

  /**
   * How many iterations it takes until Jackson, exceptions and threads are compiled: they are a lot
   * more code than a call.
   */
  public static final int LONG_WARM_UP = 6;

  /** What the JVM of a benchmark is started with. */
  static final List<String> JVM_ARGUMENTS = List.of(YOUNG, HEAP, NATIVE);

  /** The plugin that is measured, if there is one. */
  protected Plugin plugin;

  private int iterations;

  /** Loads what is measured, and refuses to measure what answers wrongly. */
  @Setup
  public final void start() {
    prepare();
    answersAgree();
  }

  /**
   * Times single operations once the JVM is warm, if the command line wants that. Not after the
   * last iteration: JMH would count what they allocate as that iteration's.
   *
   * @param params which method is measured, and how
   * @param blackhole where answers go
   * @throws Exception if the method fails
   */
  @TearDown(Level.Iteration)
  public final void timeSingles(BenchmarkParams params, Blackhole blackhole) throws Exception {
    if (++iterations == params.getWarmup().getCount() && params.getThreads() == 1) {
      String method = Row.method(params.getBenchmark());
      Stopwatch.time(this, getClass().getMethod(method), blackhole);
    }
  }

  /** Loads the plugin and makes requests. */
  protected abstract void prepare();

  /**
   * Overwrites what earlier calls left in kept memory, so that an answer that doesn't come shows.
   */
  protected void forget() {}

  /**
   * Gives what the scenario itself has to answer, without a variant.
   *
   * @return the answer, or null where it's enough that all answer the same
   */
  protected Object expected() {
    return null;
  }

  private void answersAgree() {
    Map<String, byte[]> answers = new HashMap<>();
    Object expected = expected();
    if (expected != null) {
      answers.put("", bytes(expected));
    }
    for (Method method : getClass().getMethods()) {
      if (!method.isAnnotationPresent(Benchmark.class)) {
        continue;
      }
      forget();
      byte[] answer = bytes(answer(method));
      byte[] before = answers.putIfAbsent(Row.variant(method.getName()), answer);
      if (before != null && !Arrays.equals(before, answer)) {
        throw new IllegalStateException(
            method
                + " answers "
                + told(answer)
                + ", another one, or the scenario, "
                + told(before));
      }
    }
  }

  private Object answer(Method method) {
    try {
      return method.invoke(this);
    } catch (ReflectiveOperationException problem) {
      throw new IllegalStateException(method + " fails", problem);
    }
  }

  private static byte[] bytes(Object answer) {
    return switch (answer) {
      case byte[] array -> array.clone();
      case long[] array -> MemorySegment.ofArray(array).toArray(ValueLayout.JAVA_BYTE);
      case double[] array -> MemorySegment.ofArray(array).toArray(ValueLayout.JAVA_BYTE);
      case MemorySegment segment -> segment.toArray(ValueLayout.JAVA_BYTE);
      case ByteBuffer buffer -> {
        byte[] array = new byte[buffer.capacity()];
        buffer.get(0, array);
        yield array;
      }
      // Texts, numbers and records have one.
      default -> String.valueOf(answer).getBytes(StandardCharsets.UTF_8);
    };
  }

  private static String told(byte[] answer) {
    return answer.length
        + " bytes "
        + new String(answer, 0, Math.min(answer.length, 80), StandardCharsets.UTF_8);
  }
}
