package io.github.rustbridge.benchmarks;

import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Structs over FFM, with their floors. */
public final class FfmPods {
  private FfmPods() {}

  /** A leaf with two numbers each way: the smallest call that carries anything. */
  public static class Pair extends Pods.Ffm {
    @Param("pod 8/8")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      pod("conformance_plugin", "pod.add32", Payloads.ints(20, 22));
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() throws Throwable {
      byte[] answer = new byte[8];
      FfmFloor.pod8(
          scratch,
          MemorySegment.ofArray(request),
          request.length,
          MemorySegment.ofArray(answer),
          answer.length);
      return answer;
    }

    /** Into the caller's array. */
    @Benchmark
    public byte[] intoArray_ours() {
      method.callRaw(request, response);
      return response;
    }

    /** By hand. */
    @Benchmark
    public byte[] intoArray_floor() throws Throwable {
      FfmFloor.pod8(
          scratch,
          MemorySegment.ofArray(request),
          request.length,
          MemorySegment.ofArray(response),
          response.length);
      return response;
    }

    /** By hand. */
    @Benchmark
    public MemorySegment segment_floor() throws Throwable {
      FfmFloor.pod8(
          scratch,
          requestSegment,
          requestSegment.byteSize(),
          responseSegment,
          responseSegment.byteSize());
      return responseSegment;
    }
  }

  /**
   * A method that isn't a leaf, {@code pod.nested}: the ordinary way, which lets it block and call
   * back.
   */
  public static class Nested extends Pods.Ffm {
    @Param("pod 32/32, ordinary")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      pod("conformance_plugin", "pod.nested", Payloads.ints(1, 2, 3, 4, 5, 6, 7, 8));
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() throws Throwable {
      scratch.put(request);
      return scratch.get(FfmFloor.nested(scratch, scratch.request, 32, scratch.response, 32));
    }

    /** By hand. */
    @Benchmark
    public MemorySegment segment_floor() throws Throwable {
      FfmFloor.nested(scratch, requestSegment.address(), 32, responseSegment.address(), 32);
      return responseSegment;
    }
  }

  /** A struct of 268 bytes, a leaf. */
  public static class Big extends Pods.Ffm {
    @Param("pod 268/272")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      pod("conformance_plugin", "pod.big", Payloads.big());
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() throws Throwable {
      byte[] answer = new byte[272];
      FfmFloor.big(
          scratch,
          MemorySegment.ofArray(request),
          request.length,
          MemorySegment.ofArray(answer),
          answer.length);
      return answer;
    }

    /** By hand. */
    @Benchmark
    public MemorySegment segment_floor() throws Throwable {
      FfmFloor.big(
          scratch,
          requestSegment,
          requestSegment.byteSize(),
          responseSegment,
          responseSegment.byteSize());
      return responseSegment;
    }
  }

  /** The example that users start from, in its pod encoding. */
  public static class Add extends Pods.Ffm {
    @Param("math.add 16/8")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      pod("hello_plugin", "math.add", Payloads.ints(123_456_789, 0, 987_654_321, 0));
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() throws Throwable {
      byte[] answer = new byte[8];
      FfmFloor.add16(
          scratch,
          MemorySegment.ofArray(request),
          request.length,
          MemorySegment.ofArray(answer),
          answer.length);
      return answer;
    }

    /** By hand. */
    @Benchmark
    public MemorySegment segment_floor() throws Throwable {
      FfmFloor.add16(
          scratch,
          requestSegment,
          requestSegment.byteSize(),
          responseSegment,
          responseSegment.byteSize());
      return responseSegment;
    }
  }
}
