package io.github.rustbridge.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Items;
import io.github.rustbridge.Method;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/** Items of a stream, taken in a loop; by hand they're fetched by calls. */
public final class Streams {
  private static final int PODS = 100_000;
  private static final int TICKS = 10_000;
  private static final int WINDOW = 1024;
  private static final CallOptions OPTIONS = CallOptions.defaults().withWindow(WINDOW, 1 << 20);
  private static final VarHandle NUMBERS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private Streams() {}

  /** Fetches a batch into an array: the numbers between two, as many as there's room for. */
  private interface Fetching {
    byte[] fetch(long from, long end, int room);
  }

  private static byte[] range(long from, long end) {
    byte[] range = new byte[2 * Long.BYTES];
    NUMBERS.set(range, 0, from);
    NUMBERS.set(range, Long.BYTES, end);
    return range;
  }

  private static final class ByFfm {
    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    ByFfm() {
      scratch.reserve(WINDOW * Long.BYTES);
    }

    byte[] count(long from, long end, int room) {
      scratch.put(range(from, end));
      try {
        return scratch.get(
            FfmFloor.count(scratch, scratch.request, 2 * Long.BYTES, scratch.response, room));
      } catch (Throwable problem) {
        throw new IllegalStateException(problem);
      }
    }

    byte[] tick(long from, long end, int room) {
      scratch.put(range(from, end));
      try {
        return scratch.get(
            FfmFloor.ticks(scratch, scratch.request, 2 * Long.BYTES, scratch.response, room));
      } catch (Throwable problem) {
        throw new IllegalStateException(problem);
      }
    }
  }

  private static final class ByJni {
    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    ByJni() {
      scratch.reserve(WINDOW * Long.BYTES);
    }

    byte[] count(long from, long end, int room) {
      scratch.put(range(from, end));
      return scratch.get(JniFloor.count(scratch.request, 2 * Long.BYTES, scratch.response, room));
    }

    byte[] tick(long from, long end, int room) {
      scratch.put(range(from, end));
      return scratch.get(JniFloor.ticks(scratch.request, 2 * Long.BYTES, scratch.response, room));
    }
  }

  /** Structs of one number. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public static class Pods extends Scenario {
    @Param("stream of pods")
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private final byte[] request = new byte[Long.BYTES];
    private Method count;
    private Fetching byHand;

    @Override
    protected void prepare() {
      plugin = Libraries.plugin(transport, "bench_plugin");
      count = plugin.method("count", Encoding.POD);
      NUMBERS.set(request, 0, (long) PODS);
      byHand = transport.equals("ffm") ? new ByFfm()::count : new ByJni()::count;
    }

    /** An array each. */
    @Benchmark
    @OperationsPerInvocation(PODS)
    public long ours() {
      long sum = 0;
      try (Items<byte[]> items = count.iterateRaw(request, OPTIONS)) {
        while (items.hasNext()) {
          sum += (long) NUMBERS.get(items.next(), 0);
        }
      }
      return sum;
    }

    /** By the batch, by hand. */
    @Benchmark
    @OperationsPerInvocation(PODS)
    public long floor() {
      long sum = 0;
      for (int at = 0; at < PODS; ) {
        byte[] batch = byHand.fetch(at, PODS, WINDOW * Long.BYTES);
        for (int i = 0; i < batch.length; i += Long.BYTES) {
          sum += (long) NUMBERS.get(batch, i);
        }
        at += batch.length / Long.BYTES;
      }
      return sum;
    }
  }

  /** Small JSON objects, read. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public static class Json extends Scenario {
    @Param("stream of JSON")
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private final ObjectMapper mapper = new ObjectMapper();
    private Method ticks;
    private Fetching byHand;

    @Override
    protected void prepare() {
      plugin = Libraries.plugin(transport, "bench_plugin");
      ticks = plugin.method("ticks");
      byHand = transport.equals("ffm") ? new ByFfm()::tick : new ByJni()::tick;
    }

    /** A tree each. */
    @Benchmark
    @OperationsPerInvocation(TICKS)
    public long ours() {
      long sum = 0;
      try (Items<JsonNode> items = ticks.iterate(TICKS, JsonNode.class, OPTIONS)) {
        while (items.hasNext()) {
          sum += items.next().get("number").longValue();
        }
      }
      return sum;
    }

    /** A call each, by hand. */
    @Benchmark
    @OperationsPerInvocation(TICKS)
    public long floor() throws IOException {
      long sum = 0;
      for (int at = 0; at < TICKS; at++) {
        sum += mapper.readTree(byHand.fetch(at, TICKS, 256)).get("number").longValue();
      }
      return sum;
    }
  }
}
