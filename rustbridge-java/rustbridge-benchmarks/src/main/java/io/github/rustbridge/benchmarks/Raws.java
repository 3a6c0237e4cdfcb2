package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ffm.SegmentMethod;
import io.github.rustbridge.ffm.SegmentResponse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Large requests and responses of bytes, {@code echo_bytes}. */
public abstract class Raws extends Scenario {
  Method method;
  byte[] request;

  void raw(String transport, String scenario) {
    plugin = Libraries.plugin(transport, "bench_plugin");
    method = plugin.method("echo_bytes", Encoding.RAW);
    request = Payloads.raw(scenario);
  }

  /** From array to new array. */
  @Benchmark
  public byte[] ours() {
    return method.callRawBytes(request);
  }

  /** Over FFM. */
  public static class Ffm extends Raws {
    @Param({"raw 100 KB", "raw 16 MB"})
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();
    private SegmentMethod segments;
    private MemorySegment requestSegment;
    private MemorySegment responseSegment;

    @Override
    protected void prepare() {
      raw(transport, scenario);
      scratch.reserve(request.length);
      segments = SegmentMethod.of(method);
      Arena arena = Arena.ofConfined();
      requestSegment = arena.allocate(request.length, 8).copyFrom(MemorySegment.ofArray(request));
      responseSegment = arena.allocate(request.length, 8);
    }

    @Override
    protected void forget() {
      responseSegment.fill((byte) 0xaa);
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() throws Throwable {
      scratch.put(request);
      return scratch.get(
          FfmFloor.rawEcho(
              scratch, scratch.request, request.length, scratch.response, scratch.capacity));
    }

    /** From segment to segment, both the caller's. */
    @Benchmark
    public MemorySegment segment_ours() {
      segments.callRaw(requestSegment, responseSegment);
      return responseSegment;
    }

    /** By hand. */
    @Benchmark
    public MemorySegment segment_floor() throws Throwable {
      FfmFloor.rawEcho(
          scratch,
          requestSegment.address(),
          request.length,
          responseSegment.address(),
          request.length);
      return responseSegment;
    }

    /** The response stays with the plugin. */
    @Benchmark
    public byte lease_ours() {
      try (SegmentResponse lease = segments.callRawZeroCopy(requestSegment)) {
        return lease.getByte(request.length - 1L);
      }
    }
  }

  /** Over JNI. */
  public static class Jni extends Raws {
    @Param({"raw 100 KB", "raw 16 MB"})
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();
    private ByteBuffer requestBuffer;
    private ByteBuffer responseBuffer;
    private long requestAddress;
    private long responseAddress;

    @Override
    protected void prepare() {
      raw(transport, scenario);
      scratch.reserve(request.length);
      requestBuffer = ByteBuffer.allocateDirect(request.length).put(0, request);
      responseBuffer = ByteBuffer.allocateDirect(request.length);
      requestAddress = JniFloor.address(requestBuffer);
      responseAddress = JniFloor.address(responseBuffer);
    }

    @Override
    protected void forget() {
      MemorySegment.ofBuffer(responseBuffer.clear()).fill((byte) 0xaa);
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() {
      scratch.put(request);
      return scratch.get(
          JniFloor.rawEcho(scratch.request, request.length, scratch.response, scratch.capacity));
    }

    /** From direct buffer to direct buffer. */
    @Benchmark
    public ByteBuffer buffer_ours() {
      method.callRaw(requestBuffer.clear(), responseBuffer.clear());
      return responseBuffer;
    }

    /** By hand: with addresses that were looked up before. */
    @Benchmark
    public ByteBuffer buffer_floor() {
      JniFloor.checked(
          JniFloor.rawEcho(requestAddress, request.length, responseAddress, request.length));
      return responseBuffer;
    }

    /** The response stays with the plugin. */
    @Benchmark
    public byte lease_ours() {
      try (RawResponse lease = method.callRawZeroCopy(request)) {
        return lease.buffer().get(request.length - 1);
      }
    }
  }
}
