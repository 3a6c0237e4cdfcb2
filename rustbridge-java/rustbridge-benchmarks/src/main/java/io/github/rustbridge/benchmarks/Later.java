package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/** Calls that end later, and the plain call that they're compared with. */
public final class Later {
  private static final int TOGETHER = 64;

  private Later() {}

  private static int number(byte[] answer) {
    return ByteBuffer.wrap(answer).order(ByteOrder.nativeOrder()).getInt(0);
  }

  /** What all of them have. */
  public abstract static class Calls extends Scenario {
    final byte[] request = Payloads.ints(23);
    Method method;

    void method(String transport, String name, Encoding encoding) {
      plugin = Libraries.plugin(transport, "bench_plugin");
      method = plugin.method(name, encoding);
    }
  }

  /** A call that is neither leaf nor asynchronous. */
  public abstract static class Plain extends Calls {
    /** The call of a prepared method. */
    @Benchmark
    public int ours() {
      return number(method.callRawBytes(request));
    }
  }

  /** What is done when it's first polled. */
  public abstract static class Ready extends Calls {
    /** Begins it, and takes the answer that is there. */
    @Benchmark
    public int ours() {
      return number(method.callRawAsync(request).join());
    }
  }

  /** What waits once. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public abstract static class Alone extends Calls {
    /** Begins it and waits. */
    @Benchmark
    public int ours() {
      return number(method.callRawAsync(request).join());
    }
  }

  /** The same, many at a time. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public abstract static class Together extends Calls {
    @SuppressWarnings({"unchecked", "rawtypes"})
    private final CompletableFuture<byte[]>[] calls = new CompletableFuture[TOGETHER];

    /** Begins all, then waits for all. */
    @Benchmark
    @OperationsPerInvocation(TOGETHER)
    public int ours() {
      for (int i = 0; i < TOGETHER; i++) {
        calls[i] = method.callRawAsync(request);
      }
      int sum = 0;
      for (CompletableFuture<byte[]> call : calls) {
        sum += number(call.join());
      }
      return sum;
    }
  }

  /** What waits for good, and is cancelled. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public abstract static class Cancel extends Calls {
    private static final byte[] NOTHING = {};

    /** Begins it, cancels it and waits for that. */
    @Benchmark
    public int ours() {
      CompletableFuture<byte[]> call = method.callRawAsync(NOTHING);
      call.cancel(true);
      try {
        return call.join().length;
      } catch (CancellationException cancelled) {
        return -1;
      }
    }
  }

  private static int answered(FfmFloor.Scratch scratch, byte[] request) throws Throwable {
    scratch.put(request);
    return number(
        scratch.get(
            FfmFloor.plain(
                scratch, scratch.request, request.length, scratch.response, scratch.capacity)));
  }

  private static int answered(JniFloor.Scratch scratch, byte[] request) {
    scratch.put(request);
    return number(
        scratch.get(
            JniFloor.answer(scratch.request, request.length, scratch.response, scratch.capacity)));
  }

  /** {@link Plain} over FFM. */
  public static class PlainFfm extends Plain {
    @Param("plain call")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      method(transport, "plain", Encoding.POD);
    }

    /** By hand. */
    @Benchmark
    public int floor() throws Throwable {
      return answered(scratch, request);
    }
  }

  /** {@link Plain} over JNI. */
  public static class PlainJni extends Plain {
    @Param("plain call")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      method(transport, "plain", Encoding.POD);
    }

    /** By hand. */
    @Benchmark
    public int floor() {
      return answered(scratch, request);
    }
  }

  /** {@link Ready} over FFM. */
  public static class ReadyFfm extends Ready {
    @Param("ready")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      method(transport, "ready", Encoding.POD);
    }

    /** By hand: the bare function. */
    @Benchmark
    public int floor() throws Throwable {
      return answered(scratch, request);
    }
  }

  /** {@link Ready} over JNI. */
  public static class ReadyJni extends Ready {
    @Param("ready")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      method(transport, "ready", Encoding.POD);
    }

    /** By hand: the bare function. */
    @Benchmark
    public int floor() {
      return answered(scratch, request);
    }
  }

  // By hand an upcall is FFM's in both: it's the cheaper one, and so what JNI has to keep up with.

  /** {@link Alone} over both. */
  public static class AloneBoth extends Alone {
    @Param("pending alone")
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private final LaterByHand byHand = new LaterByHand(new FfmFloor.Scratch());

    @Override
    protected void prepare() {
      method(transport, "later", Encoding.POD);
    }

    /** By hand. */
    @Benchmark
    public int floor() throws Throwable {
      return byHand.begin(request).join();
    }
  }

  /** {@link Together} over both. */
  public static class TogetherBoth extends Together {
    @Param("pending 64 in flight")
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private final LaterByHand byHand = new LaterByHand(new FfmFloor.Scratch());

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final CompletableFuture<Integer>[] calls = new CompletableFuture[TOGETHER];

    @Override
    protected void prepare() {
      method(transport, "later", Encoding.POD);
    }

    /** By hand. */
    @Benchmark
    @OperationsPerInvocation(TOGETHER)
    public int floor() throws Throwable {
      for (int i = 0; i < TOGETHER; i++) {
        calls[i] = byHand.begin(request);
      }
      int sum = 0;
      for (CompletableFuture<Integer> call : calls) {
        sum += call.join();
      }
      return sum;
    }
  }

  /** {@link Cancel} over both. */
  public static class CancelBoth extends Cancel {
    @Param("cancel")
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private final LaterByHand byHand = new LaterByHand(new FfmFloor.Scratch());

    @Override
    protected void prepare() {
      method(transport, "never", Encoding.RAW);
    }

    /** By hand. */
    @Benchmark
    public int floor() throws Throwable {
      return byHand.cancelled();
    }
  }
}
