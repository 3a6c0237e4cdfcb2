package io.github.rustbridge.benchmarks;

import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ffm.SegmentResponse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * The call of the tables that rustbridge is compared with, {@code bench.small}: 76 bytes in, 80
 * out, by each way there is to hand them over.
 */
public final class Small {
  private static final int LENGTH_AT = Payloads.SMALL_VALUE_LENGTH;

  private Small() {}

  /** Over FFM. */
  public static class Ffm extends Pods.Ffm {
    @Param("bench.small 76/80")
    public String scenario;

    @Param("ffm")
    public String transport;

    private ByteBuffer requestBuffer;
    private ByteBuffer responseBuffer;

    @Override
    protected void prepare() {
      pod("hello_plugin", "bench.small", Payloads.small());
      requestBuffer = direct(request.length).put(0, request);
      responseBuffer = direct(response.length);
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() throws Throwable {
      return byHand(request);
    }

    /** With the making of the request. */
    @Benchmark
    public byte[] requestBuiltInside_ours() {
      return method.callRawBytes(Payloads.small());
    }

    /** By hand. */
    @Benchmark
    public byte[] requestBuiltInside_floor() throws Throwable {
      return byHand(Payloads.small());
    }

    private byte[] byHand(byte[] bytes) throws Throwable {
      byte[] answer = new byte[Payloads.SMALL_RESPONSE];
      FfmFloor.small(
          scratch,
          MemorySegment.ofArray(bytes),
          bytes.length,
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
      FfmFloor.small(
          scratch,
          MemorySegment.ofArray(request),
          request.length,
          MemorySegment.ofArray(response),
          response.length);
      return response;
    }

    /** From direct buffer to direct buffer. */
    @Benchmark
    public ByteBuffer buffer_ours() {
      method.callRaw(requestBuffer.clear(), responseBuffer.clear());
      return responseBuffer;
    }

    /** By hand. */
    @Benchmark
    public ByteBuffer buffer_floor() throws Throwable {
      FfmFloor.small(
          scratch,
          MemorySegment.ofBuffer(requestBuffer.clear()),
          Payloads.SMALL_REQUEST,
          MemorySegment.ofBuffer(responseBuffer.clear()),
          Payloads.SMALL_RESPONSE);
      return responseBuffer;
    }

    /** By hand. */
    @Benchmark
    public MemorySegment segment_floor() throws Throwable {
      FfmFloor.small(
          scratch,
          requestSegment,
          requestSegment.byteSize(),
          responseSegment,
          responseSegment.byteSize());
      return responseSegment;
    }

    /** With the making of the request. */
    @Benchmark
    public MemorySegment segment_requestBuiltInside_ours() {
      Payloads.small(requestSegment);
      segments.callRaw(requestSegment, responseSegment);
      return responseSegment;
    }

    /** By hand. */
    @Benchmark
    public MemorySegment segment_requestBuiltInside_floor() throws Throwable {
      Payloads.small(requestSegment);
      FfmFloor.small(
          scratch,
          requestSegment,
          requestSegment.byteSize(),
          responseSegment,
          responseSegment.byteSize());
      return responseSegment;
    }

    /** The response stays with the plugin; one value is read. */
    @Benchmark
    public int lease_ours() {
      try (SegmentResponse lease = segments.callRawZeroCopy(requestSegment)) {
        return lease.getInt(LENGTH_AT);
      }
    }

    /** With the making of the request. */
    @Benchmark
    public int lease_requestBuiltInside_ours() {
      Payloads.small(requestSegment);
      try (SegmentResponse lease = segments.callRawZeroCopy(requestSegment)) {
        return lease.getInt(LENGTH_AT);
      }
    }

    /** The response is moved to an arena of the caller's. */
    @Benchmark
    public int lease_confinedSegment_ours() {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment answer = segments.callRawZeroCopy(requestSegment).segment(arena);
        return answer.get(ValueLayout.JAVA_INT, LENGTH_AT);
      }
    }

    /** The response is seen through a segment that any thread may use. */
    @Benchmark
    public int lease_sharedSegment_ours() {
      try (SegmentResponse lease = segments.callRawZeroCopy(requestSegment)) {
        return lease.checkedSegment().get(ValueLayout.JAVA_INT, LENGTH_AT);
      }
    }
  }

  /** Over JNI. */
  public static class Jni extends Pods.Jni {
    @Param("bench.small 76/80")
    public String scenario;

    @Param("jni")
    public String transport;

    private ByteBuffer requestBuffer;
    private ByteBuffer responseBuffer;
    private long requestAddress;
    private long responseAddress;

    @Override
    protected void prepare() {
      pod("hello_plugin", "bench.small", Payloads.small());
      requestBuffer = direct(request.length).put(0, request);
      responseBuffer = direct(response.length);
      requestAddress = JniFloor.address(requestBuffer);
      responseAddress = JniFloor.address(responseBuffer);
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() {
      return byHand(request);
    }

    /** With the making of the request. */
    @Benchmark
    public byte[] requestBuiltInside_ours() {
      return method.callRawBytes(Payloads.small());
    }

    /** By hand. */
    @Benchmark
    public byte[] requestBuiltInside_floor() {
      return byHand(Payloads.small());
    }

    private byte[] byHand(byte[] bytes) {
      scratch.put(bytes);
      return scratch.get(
          JniFloor.small(scratch.request, bytes.length, scratch.response, Payloads.SMALL_RESPONSE));
    }

    /** Into the caller's array. */
    @Benchmark
    public byte[] intoArray_ours() {
      method.callRaw(request, response);
      return response;
    }

    /** By hand. */
    @Benchmark
    public byte[] intoArray_floor() {
      scratch.put(request);
      long length =
          JniFloor.small(
              scratch.request, request.length, scratch.response, Payloads.SMALL_RESPONSE);
      return scratch.get(length, response);
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
          JniFloor.small(
              requestAddress, Payloads.SMALL_REQUEST, responseAddress, Payloads.SMALL_RESPONSE));
      return responseBuffer;
    }

    /** The response stays with the plugin. */
    @Benchmark
    public int lease_ours() {
      try (RawResponse lease = method.callRawZeroCopy(request)) {
        return lease.buffer().getInt(LENGTH_AT);
      }
    }

    /** With the making of the request. */
    @Benchmark
    public int lease_requestBuiltInside_ours() {
      try (RawResponse lease = method.callRawZeroCopy(Payloads.small())) {
        return lease.buffer().getInt(LENGTH_AT);
      }
    }
  }

  private static ByteBuffer direct(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }
}
