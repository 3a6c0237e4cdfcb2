package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * Methods that ask their host: by services, and by hand at the address of an upcall. That is FFM's
 * for both transports, as JNI has none without a library of one's own.
 */
public final class Asked {
  private static final byte[] NOTHING = {};

  private Asked() {}

  /** What all of them have. */
  public abstract static class Asking extends Scenario {
    final byte[] request = Payloads.ints(23);
    Method method;
    Method byHand;

    void asking(String transport, String name) {
      plugin =
          Libraries.open(
              transport,
              "bench_plugin",
              "{\"upcall\":" + upcall() + "}",
              config ->
                  config
                      .rawService("numbers.answer", Encoding.POD, (asked, call) -> more(asked))
                      .rawService("numbers.add", Encoding.POD, (asked, call) -> sum(asked))
                      .rawAsyncService(
                          "numbers.answer_later",
                          Encoding.POD,
                          (asked, call) -> CompletableFuture.completedFuture(more(asked))));
      method = plugin.method(name, Encoding.POD);
    }
  }

  private static ByteBuffer in(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  private static byte[] more(byte[] asked) {
    return Payloads.ints(answer(in(asked).getInt(0)));
  }

  private static byte[] sum(byte[] summands) {
    byte[] sum = new byte[Long.BYTES];
    in(sum).putLong(in(summands).getLong(0) + in(summands).getLong(Long.BYTES));
    return sum;
  }

  private static int answer(int question) {
    return question + 41;
  }

  // Restricted: the function has to be called as this says, which is what bench-plugin does.
  @SuppressWarnings("restricted")
  private static long upcall() {
    MethodType type = MethodType.methodType(int.class, int.class);
    try {
      return Linker.nativeLinker()
          .upcallStub(
              MethodHandles.lookup().findStatic(Asked.class, "answer", type),
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
              Arena.global())
          .address();
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** A function that answers at once. */
  public abstract static class Sync extends Asking {
    @Override
    void asking(String transport, String name) {
      super.asking(transport, name);
      byHand = plugin.method(name + "_by_hand", Encoding.POD);
    }

    /** By a service. */
    @Benchmark
    public int ours() {
      return in(method.callRawBytes(request)).getInt(0);
    }

    /** At a bare address. */
    @Benchmark
    public int floor() {
      return in(byHand.callRawBytes(request)).getInt(0);
    }
  }

  /** A function that begins to answer, for a method that is asynchronous. */
  public abstract static class Async extends Asking {
    @Override
    void asking(String transport, String name) {
      super.asking(transport, name + "_later");
      byHand = plugin.method(name + "_by_hand_later", Encoding.POD);
    }

    /** By a service. */
    @Benchmark
    public int ours() {
      return in(method.callRawAsync(request).join()).getInt(0);
    }

    /** At a bare address. */
    @Benchmark
    public int floor() {
      return in(byHand.callRawAsync(request).join()).getInt(0);
    }
  }

  /** MetaFFI's: the plugin has 1 and 2 added. */
  public abstract static class Callback extends Asking {
    /** By a service. */
    @Benchmark
    public long ours() {
      return in(method.callRawBytes(NOTHING)).getLong(0);
    }

    @Override
    protected Object expected() {
      return 3;
    }
  }

  /** {@link Sync} over FFM. */
  public static class SyncFfm extends Sync {
    @Param("service sync")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      asking(transport, "ask");
    }
  }

  /** {@link Sync} over JNI. */
  public static class SyncJni extends Sync {
    @Param("service sync")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      asking(transport, "ask");
    }
  }

  /** {@link Async} over FFM. */
  public static class AsyncFfm extends Async {
    @Param("service async")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      asking(transport, "ask");
    }
  }

  /** {@link Async} over JNI. */
  public static class AsyncJni extends Async {
    @Param("service async")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      asking(transport, "ask");
    }
  }

  /** {@link Callback} over FFM. */
  public static class CallbackFfm extends Callback {
    @Param("M callback")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      asking(transport, "callback");
    }
  }

  /** {@link Callback} over JNI. */
  public static class CallbackJni extends Callback {
    @Param("M callback")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      asking(transport, "callback");
    }
  }
}
