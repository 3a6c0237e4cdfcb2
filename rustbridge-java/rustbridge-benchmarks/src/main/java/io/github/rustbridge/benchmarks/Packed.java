package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.benchmarks.clients.Bench;
import io.github.rustbridge.ffm.SegmentMethod;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** MetaFFI's arrays: numbers to be added up, bytes echoed, numbers returned. */
public final class Packed {
  private static final String LIBRARY = "bench_plugin";

  private Packed() {}

  /** An array of numbers in, their sum out. */
  public abstract static class Arrayed extends Scenario {
    Method method;
    long[] numbers;

    void sum(String transport, String scenario) {
      plugin = Libraries.plugin(transport, LIBRARY);
      method = plugin.method("sum", Encoding.RAW);
      int count = Integer.parseInt(scenario.substring("M sum ".length()));
      numbers = LongStream.rangeClosed(1, count).toArray();
    }

    @Override
    protected Object expected() {
      return LongStream.of(numbers).sum();
    }
  }

  /** The numbers are packed into an array of bytes. */
  public abstract static class Sum extends Arrayed {
    /** A new one each time. */
    @Benchmark
    public long ours() {
      return Payloads.integer64(method.callRawBytes(Payloads.longs(numbers)));
    }
  }

  /** Over FFM. */
  public static class FfmSum extends Sum {
    @Param({"M sum 10", "M sum 100", "M sum 1000", "M sum 10000"})
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      sum(transport, scenario);
    }

    /** By hand. */
    @Benchmark
    public long floor() throws Throwable {
      byte[] request = Payloads.longs(numbers);
      byte[] response = new byte[Long.BYTES];
      FfmFloor.sum(
          scratch,
          MemorySegment.ofArray(request),
          request.length,
          MemorySegment.ofArray(response),
          response.length);
      return Payloads.integer64(response);
    }
  }

  /** Through the generated client. */
  public abstract static class TypedSum extends Arrayed {
    private Bench client;

    void client(String transport, String scenario) {
      sum(transport, scenario);
      client = Bench.of(plugin);
    }

    /** The array as it is. */
    @Benchmark
    public long typed_ours() {
      return client.addUp(numbers);
    }
  }

  /** Over FFM. */
  public static class FfmTypedSum extends TypedSum {
    @Param("M sum 1000")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      client(transport, scenario);
    }
  }

  /** Over JNI. */
  public static class JniTypedSum extends TypedSum {
    @Param("M sum 1000")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      client(transport, scenario);
    }
  }

  /** Over FFM, the array of numbers as it is. */
  public static class FfmSumSegment extends Arrayed {
    @Param({"M sum 1000", "M sum 10000"})
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();
    private final long[] answer = new long[1];
    private SegmentMethod segments;

    @Override
    protected void prepare() {
      sum(transport, scenario);
      segments = SegmentMethod.of(method);
    }

    @Override
    protected void forget() {
      answer[0] = -1;
    }

    /** Without a copy, up to the size where that would hold off the collector for long. */
    @Benchmark
    public long segment_ours() {
      segments.callRaw(MemorySegment.ofArray(numbers), MemorySegment.ofArray(answer));
      return answer[0];
    }

    /** By hand, without a copy. */
    @Benchmark
    public long segment_floor() throws Throwable {
      FfmFloor.sum(
          scratch,
          MemorySegment.ofArray(numbers),
          (long) numbers.length * Long.BYTES,
          MemorySegment.ofArray(answer),
          Long.BYTES);
      return answer[0];
    }
  }

  /** Over JNI. */
  public static class JniSum extends Sum {
    @Param({"M sum 10", "M sum 100", "M sum 1000", "M sum 10000"})
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      sum(transport, scenario);
      scratch.reserve(Math.max(numbers.length * Long.BYTES, 64));
    }

    /** By hand. */
    @Benchmark
    public long floor() {
      byte[] request = Payloads.longs(numbers);
      scratch.put(request);
      return Payloads.integer64(
          scratch.get(JniFloor.sum(scratch.request, request.length, scratch.response, Long.BYTES)));
    }
  }

  /** Over JNI, the numbers copied into a direct buffer that is kept. */
  public static class JniSumBuffer extends Arrayed {
    @Param({"M sum 1000", "M sum 10000"})
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();
    private ByteBuffer request;
    private ByteBuffer response;
    private LongBuffer packed;

    @Override
    protected void prepare() {
      sum(transport, scenario);
      int size = numbers.length * Long.BYTES;
      scratch.reserve(size);
      request = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
      response = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
      packed = request.asLongBuffer();
    }

    @Override
    protected void forget() {
      response.putLong(0, -1);
    }

    /** From direct buffer to direct buffer. */
    @Benchmark
    public long buffer_ours() {
      packed.put(0, numbers);
      method.callRaw(request.clear(), response.clear());
      return response.getLong(0);
    }

    /** By hand: with addresses that were looked up before. */
    @Benchmark
    public long buffer_floor() {
      scratch.put(numbers);
      return scratch.number(
          JniFloor.sum(
              scratch.request, (long) numbers.length * Long.BYTES, scratch.response, Long.BYTES));
    }
  }

  /** Bytes in, the same bytes out. */
  public abstract static class EchoBytes extends Scenario {
    private Method method;
    byte[] request;

    void echo(String transport, String scenario) {
      plugin = Libraries.plugin(transport, LIBRARY);
      method = plugin.method("echo_bytes", Encoding.RAW);
      String size = scenario.substring("M echo ".length(), scenario.length() - " B".length());
      request = new byte[Integer.parseInt(size)];
      for (int i = 0; i < request.length; i++) {
        request[i] = (byte) i;
      }
    }

    @Override
    protected Object expected() {
      return request;
    }

    /** From array to new array. */
    @Benchmark
    public byte[] ours() {
      return method.callRawBytes(request);
    }
  }

  /** Over FFM. */
  public static class FfmEchoBytes extends EchoBytes {
    @Param({"M echo 10 B", "M echo 100 B", "M echo 1000 B", "M echo 10000 B"})
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      echo(transport, scenario);
      scratch.reserve(request.length);
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() throws Throwable {
      scratch.put(request);
      return scratch.get(
          FfmFloor.rawEcho(
              scratch, scratch.request, request.length, scratch.response, scratch.capacity));
    }
  }

  /** Over JNI. */
  public static class JniEchoBytes extends EchoBytes {
    @Param({"M echo 10 B", "M echo 100 B", "M echo 1000 B", "M echo 10000 B"})
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      echo(transport, scenario);
      scratch.reserve(request.length);
    }

    /** By hand. */
    @Benchmark
    public byte[] floor() {
      scratch.put(request);
      return scratch.get(
          JniFloor.rawEcho(scratch.request, request.length, scratch.response, scratch.capacity));
    }
  }

  /**
   * A count in, an array of numbers out. It's read out of the plugin's memory, so that it's copied
   * once: that is what leases are for.
   */
  public abstract static class Numbers extends Scenario {
    static final int COUNT = 10_000;

    Method method;

    void numbers(String transport) {
      plugin = Libraries.plugin(transport, LIBRARY);
      method = plugin.method("numbers", Encoding.RAW);
    }

    @Override
    protected Object expected() {
      return LongStream.rangeClosed(1, COUNT).toArray();
    }
  }

  /** Over FFM. */
  public static class FfmNumbers extends Numbers {
    @Param("M return 10000")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();
    private SegmentMethod segments;

    @Override
    protected void prepare() {
      numbers(transport);
      segments = SegmentMethod.of(method);
      scratch.reserve(COUNT * Long.BYTES);
    }

    /** From a lease to a new array. */
    @Benchmark
    public long[] ours() {
      // An arena that other threads could use would have to ask all of them before it closes.
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment answer = segments.callRawZeroCopy(Payloads.ints(COUNT)).segment(arena);
        return answer.toArray(ValueLayout.JAVA_LONG);
      }
    }

    /** By hand. */
    @Benchmark
    public long[] floor() throws Throwable {
      byte[] request = Payloads.ints(COUNT);
      scratch.put(request);
      return scratch.longs(
          FfmFloor.numbers(
              scratch, scratch.request, request.length, scratch.response, scratch.capacity));
    }
  }

  /** Over JNI. */
  public static class JniNumbers extends Numbers {
    @Param("M return 10000")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      numbers(transport);
      scratch.reserve(COUNT * Long.BYTES);
    }

    /** From a lease to a new array. */
    @Benchmark
    public long[] ours() {
      try (var lease = method.callRawZeroCopy(Payloads.ints(COUNT))) {
        return Payloads.longs(lease.buffer());
      }
    }

    /** By hand. */
    @Benchmark
    public long[] floor() {
      byte[] request = Payloads.ints(COUNT);
      scratch.put(request);
      return scratch.longs(
          JniFloor.numbers(scratch.request, request.length, scratch.response, scratch.capacity));
    }
  }
}
