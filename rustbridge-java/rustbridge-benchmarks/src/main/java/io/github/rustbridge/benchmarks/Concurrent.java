package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A hundred virtual threads with one call each, started together and awaited together; the time is
 * that of all hundred. Most of it is what the threads cost, which is why the floor has as many.
 */
@Warmup(iterations = Scenario.LONG_WARM_UP)
public abstract class Concurrent extends Scenario {
  private static final int TASKS = 100;
  private static final String JSON = "A concurrent json";
  private static final String BINARY = "A concurrent binary";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private List<Callable<Integer>> tasks;
  private List<Callable<Integer>> floors;

  /** The request of both, made before. */
  final byte[] struct = Payloads.small();

  final String text = Payloads.echo("A json latency");

  /** Makes the tasks; those by hand each have memory of their own. */
  void tasks(
      String transport,
      String scenario,
      Supplier<Callable<Integer>> binaryFloor,
      Supplier<Callable<Integer>> jsonFloor) {
    plugin = Libraries.plugin(transport, "hello_plugin");
    Method small = plugin.method("bench.small", Encoding.POD);
    Method echo = plugin.method("echo");
    boolean binary = scenario.equals(BINARY);
    Callable<Integer> task =
        binary ? () -> small.callRawBytes(struct).length : () -> echo.call(text).length();
    tasks = new ArrayList<>();
    floors = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(task);
      floors.add(binary ? binaryFloor.get() : jsonFloor.get());
    }
  }

  private int all(List<Callable<Integer>> calls) throws InterruptedException {
    int length = 0;
    for (Future<Integer> answer : threads.invokeAll(calls)) {
      length += answer.resultNow();
    }
    return length;
  }

  /** All hundred. */
  @Benchmark
  public int ours() throws InterruptedException {
    return all(tasks);
  }

  /** The same with calls by hand. */
  @Benchmark
  public int floor() throws InterruptedException {
    return all(floors);
  }

  /** Over FFM. */
  public static class Ffm extends Concurrent {
    @Param({JSON, BINARY})
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      tasks(transport, scenario, this::binary, this::json);
    }

    private Callable<Integer> binary() {
      FfmFloor.Scratch scratch = new FfmFloor.Scratch();
      return () -> {
        byte[] answer = new byte[Payloads.SMALL_RESPONSE];
        MemorySegment response = MemorySegment.ofArray(answer);
        try {
          FfmFloor.small(
              scratch, MemorySegment.ofArray(struct), struct.length, response, answer.length);
        } catch (Throwable problem) {
          throw new IllegalStateException(problem);
        }
        return answer.length;
      };
    }

    private Callable<Integer> json() {
      FfmFloor.Scratch scratch = new FfmFloor.Scratch();
      return () -> {
        byte[] request = text.getBytes(StandardCharsets.UTF_8);
        scratch.put(request);
        try {
          int length =
              FfmFloor.echoJson(
                  scratch, scratch.request, request.length, scratch.response, scratch.capacity);
          return scratch.text(length).length();
        } catch (Throwable problem) {
          throw new IllegalStateException(problem);
        }
      };
    }
  }

  /** Over JNI. */
  public static class Jni extends Concurrent {
    @Param({JSON, BINARY})
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      tasks(transport, scenario, this::binary, this::json);
    }

    private Callable<Integer> binary() {
      JniFloor.Scratch scratch = new JniFloor.Scratch();
      return () -> {
        scratch.put(struct);
        long length =
            JniFloor.small(
                scratch.request, struct.length, scratch.response, Payloads.SMALL_RESPONSE);
        return scratch.get(length).length;
      };
    }

    private Callable<Integer> json() {
      JniFloor.Scratch scratch = new JniFloor.Scratch();
      return () -> {
        byte[] request = text.getBytes(StandardCharsets.UTF_8);
        scratch.put(request);
        long length =
            JniFloor.echoJson(scratch.request, request.length, scratch.response, scratch.capacity);
        return scratch.text(length).length();
      };
    }
  }
}
