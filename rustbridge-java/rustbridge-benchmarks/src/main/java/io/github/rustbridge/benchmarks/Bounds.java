package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.benchmarks.clients.Bench;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/** The two ends of the scale: a call that carries nothing, and one that fails. */
public abstract class Bounds extends Scenario {
  Method method;
  byte[] request;

  void raw(String transport, String library, String name, String message) {
    plugin = Libraries.plugin(transport, library);
    method = plugin.method(name, Encoding.RAW);
    request = message.getBytes(StandardCharsets.UTF_8);
  }

  /** Nothing in and nothing out, by a leaf. */
  public static class FfmEmpty extends Bounds {
    @Param("empty call")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      raw(transport, "bench_plugin", "void", "");
    }

    /** There and back; the array for the response is as empty as the request. */
    @Benchmark
    public int ours() {
      return method.callRaw(request, request);
    }

    /** By hand. */
    @Benchmark
    public int floor() throws Throwable {
      return FfmFloor.empty(scratch, MemorySegment.NULL, 0, MemorySegment.NULL, 0);
    }
  }

  /** The same over JNI. */
  public static class JniEmpty extends Bounds {
    @Param("empty call")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      raw(transport, "bench_plugin", "void", "");
    }

    /** There and back; the array for the response is as empty as the request. */
    @Benchmark
    public int ours() {
      return method.callRaw(request, request);
    }

    /** By hand. */
    @Benchmark
    public int floor() {
      return (int) JniFloor.empty(scratch.request, 0, scratch.response, 0);
    }
  }

  /** A failure, thrown, caught, its message read. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public static class FfmError extends Bounds {
    @Param("error, message read")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      raw(transport, "conformance_plugin", "raw.fail", "Error");
    }

    /** Thrown by the backend. */
    @Benchmark
    public String ours() {
      try {
        return "no failure: " + method.callRawBytes(request).length;
      } catch (PluginException failure) {
        return failure.getMessage();
      }
    }

    /** By hand. */
    @Benchmark
    public String floor() throws Throwable {
      try {
        scratch.put(request);
        return "no failure: " + FfmFloor.rawFail(scratch, request.length).length;
      } catch (IllegalStateException failure) {
        return failure.getMessage();
      }
    }
  }

  /** The same over JNI. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public static class JniError extends Bounds {
    @Param("error, message read")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      raw(transport, "conformance_plugin", "raw.fail", "Error");
    }

    /** Thrown by the backend. */
    @Benchmark
    public String ours() {
      try {
        return "no failure: " + method.callRawBytes(request).length;
      } catch (PluginException failure) {
        return failure.getMessage();
      }
    }

    /** By hand. */
    @Benchmark
    public String floor() {
      try {
        scratch.put(request);
        long length =
            JniFloor.rawFail(scratch.request, request.length, scratch.response, scratch.capacity);
        return "no failure: " + scratch.orThrow(length).length;
      } catch (IllegalStateException failure) {
        return failure.getMessage();
      }
    }
  }

  /** A failure of the generated client's. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public abstract static class TypedError extends Scenario {
    private Bench client;

    void client(String transport) {
      plugin = Libraries.plugin(transport, "bench_plugin");
      client = Bench.of(plugin);
    }

    @Override
    protected Object expected() {
      return typed_ours();
    }

    /** Thrown by the client. */
    @Benchmark
    public String typed_ours() {
      try {
        return "no failure: " + client.divide(1, 0);
      } catch (PluginException failure) {
        return failure.getMessage();
      }
    }
  }

  /** Over FFM. */
  public static class FfmTypedError extends TypedError {
    @Param("error, message read")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      client(transport);
    }
  }

  /** Over JNI. */
  public static class JniTypedError extends TypedError {
    @Param("error, message read")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      client(transport);
    }
  }
}
