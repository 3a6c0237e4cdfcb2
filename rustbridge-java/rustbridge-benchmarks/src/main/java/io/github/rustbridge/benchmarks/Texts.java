package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Method;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Calls with JSON, from String to String. */
public abstract class Texts extends Scenario {
  private static final String KEY = "{\"key\":\"bench_key\",\"flags\":1}";

  Method method;
  String request;

  /** From text to text. */
  @Benchmark
  public String ours() {
    return method.call(request);
  }

  void text(String transport, String name, String json) {
    plugin = Libraries.plugin(transport, "hello_plugin");
    method = plugin.method(name);
    request = json;
  }

  /** Room for a response a little longer than the request. */
  int room() {
    return request.length() + 256;
  }

  /** An echo over FFM. */
  public static class FfmEcho extends Texts {
    @Param({"json echo 13 B", "json echo 1 KB", "json echo 100 KB", "json echo 16 MB"})
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      text(transport, "echo", Payloads.echo(scenario));
      scratch.reserve(room());
    }

    /** By hand. */
    @Benchmark
    public String floor() throws Throwable {
      byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
      scratch.put(bytes);
      return scratch.text(
          FfmFloor.echoJson(
              scratch, scratch.request, bytes.length, scratch.response, scratch.capacity));
    }
  }

  /** An echo over JNI. */
  public static class JniEcho extends Texts {
    @Param({"json echo 13 B", "json echo 1 KB", "json echo 100 KB", "json echo 16 MB"})
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      text(transport, "echo", Payloads.echo(scenario));
      scratch.reserve(room());
    }

    /** By hand. */
    @Benchmark
    public String floor() {
      byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
      scratch.put(bytes);
      return scratch.text(
          JniFloor.echoJson(scratch.request, bytes.length, scratch.response, scratch.capacity));
    }
  }

  /**
   * {@code bench.small} in JSON over FFM, a leaf: the tables compare its struct with an echo, which
   * is other work.
   */
  public static class FfmSmall extends Texts {
    @Param("json bench.small")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      text(transport, "bench.small", KEY);
    }

    /** By hand. */
    @Benchmark
    public String floor() throws Throwable {
      byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
      byte[] answer = scratch.array();
      int length =
          FfmFloor.smallJson(
              scratch,
              MemorySegment.ofArray(bytes),
              bytes.length,
              MemorySegment.ofArray(answer),
              answer.length);
      return new String(answer, 0, length, StandardCharsets.UTF_8);
    }
  }

  /** The same over JNI. */
  public static class JniSmall extends Texts {
    @Param("json bench.small")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      text(transport, "bench.small", KEY);
    }

    /** By hand. */
    @Benchmark
    public String floor() {
      byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
      scratch.put(bytes);
      return scratch.text(
          JniFloor.smallJson(scratch.request, bytes.length, scratch.response, scratch.capacity));
    }
  }
}
