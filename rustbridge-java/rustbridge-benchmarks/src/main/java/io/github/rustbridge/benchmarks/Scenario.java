package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Plugin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What all benchmarks have in common: how they are named, and that they are checked before they are
 * measured.
 *
 * <p>Each concrete class has two parameters that its results carry: {@code scenario}, the name of
 * the row, and {@code transport}. Its methods are called {@code ours} and {@code floor}, or {@code
 * VARIANT_ours} and {@code VARIANT_floor}; a variant's name in words is added to the scenario's.
 *
 * <p>State is per thread, so that each has its own memory for responses; the plugin is shared by
 * all of the process.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class Scenario {
  private static final String OURS = "ours";
  private static final String FLOOR = "floor";

  Plugin plugin;

  /** Loads what is measured, and refuses to measure what answers wrongly. */
  @Setup
  public final void start() {
    prepare();
    answersAgree();
  }

  /** Loads the plugin and makes requests. */
  abstract void prepare();

  /**
   * Overwrites what earlier calls left in kept memory, so that an answer that doesn't come shows.
   */
  void forget() {}

  private void answersAgree() {
    Map<String, byte[]> ours = new HashMap<>();
    Map<String, byte[]> floors = new HashMap<>();
    for (Method method : getClass().getMethods()) {
      if (!method.isAnnotationPresent(Benchmark.class)) {
        continue;
      }
      String name = method.getName();
      String variant = name.substring(0, Math.max(0, name.lastIndexOf('_')));
      forget();
      byte[] answer = bytes(answer(method));
      if (name.endsWith(OURS)) {
        ours.put(variant, answer);
      } else if (name.endsWith(FLOOR)) {
        floors.put(variant, answer);
      } else {
        throw new IllegalStateException(name + " is called neither ours nor floor");
      }
    }
    floors.forEach((variant, floor) -> {
      if (!Arrays.equals(floor, ours.get(variant))) {
        throw new IllegalStateException(
            getClass().getName() + ": ours and the floor answer differently, variant " + variant);
      }
    });
  }

  private Object answer(Method method) {
    try {
      return method.invoke(this);
    } catch (ReflectiveOperationException problem) {
      throw new IllegalStateException(method + " fails", problem);
    }
  }

  private static byte[] bytes(Object answer) {
    if (answer instanceof byte[] array) {
      return array.clone();
    } else if (answer instanceof MemorySegment segment) {
      return segment.toArray(ValueLayout.JAVA_BYTE);
    } else if (answer instanceof ByteBuffer buffer) {
      byte[] array = new byte[buffer.capacity()];
      buffer.get(0, array);
      return array;
    }
    // Texts, numbers and records have one.
    return String.valueOf(answer).getBytes(StandardCharsets.UTF_8);
  }
}
