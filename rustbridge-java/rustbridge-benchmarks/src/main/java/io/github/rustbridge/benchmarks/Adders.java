package io.github.rustbridge.benchmarks;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.PluginObject;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Objects of the plugin: by hand an address that nobody checks. */
public final class Adders {
  private static final byte[] NOTHING = {};

  private Adders() {}

  /** What all of them have. */
  public abstract static class Objects extends Scenario {
    final byte[] request = Payloads.ints(23);
    private Method make;

    void bench(String transport) {
      plugin = Libraries.plugin(transport, "bench_plugin");
      make = plugin.method("adder", Encoding.RAW);
    }

    final PluginObject adder() {
      return make.callForReply(NOTHING, CallOptions.defaults()).object();
    }
  }

  /** A method of an object that exists. */
  public abstract static class Add extends Objects {
    private Method add;
    private PluginObject adder;

    @Override
    void bench(String transport) {
      super.bench(transport);
      add = plugin.method("Adder.add", Encoding.POD);
      // The collector gives it back when the state is dropped; the process ends before that.
      adder = adder();
    }

    /** Lends the object to a call. */
    @Benchmark
    public int ours() {
      return number(adder.callRawBytes(add, request, CallOptions.defaults()));
    }
  }

  /** Made and given back. */
  public abstract static class Create extends Objects {
    /** Asks for an object and closes it. */
    @Benchmark
    public int ours() {
      adder().close();
      return 0;
    }
  }

  private static int number(byte[] answer) {
    return ByteBuffer.wrap(answer).order(ByteOrder.nativeOrder()).getInt(0);
  }

  /** By {@code java.lang.foreign}, by hand. */
  static final class ByFfm {
    private static final MethodHandle NEW = FfmFloor.ordinary("floor_adder_new");
    private static final MethodHandle ADD = FfmFloor.ordinary("floor_adder_add");
    private static final MethodHandle DROP = FfmFloor.ordinary("floor_adder_drop");

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    long make() throws Throwable {
      long room = Long.BYTES;
      checked((int) NEW.invokeExact(0L, 0, 0L, 0L, scratch.response, room, 0L));
      return scratch.number();
    }

    int add(long adder, byte[] request) throws Throwable {
      scratch.put(request);
      long length = request.length;
      // The length is known; where it's written is behind the sum.
      checked(
          (int)
              ADD.invokeExact(
                  adder,
                  0,
                  scratch.request,
                  length,
                  scratch.response,
                  (long) Integer.BYTES,
                  scratch.response + Long.BYTES));
      return Adders.number(scratch.get(Integer.BYTES));
    }

    void drop(long adder) throws Throwable {
      checked((int) DROP.invokeExact(adder, 0, 0L, 0L, 0L, 0L, 0L));
    }

    private static void checked(int status) {
      if (status != 0) {
        throw new IllegalStateException("the floor refused with status " + status);
      }
    }
  }

  /** {@link Add} over FFM. */
  public static class AddFfm extends Add {
    @Param("object method")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final ByFfm byHand = new ByFfm();
    private long address;

    @Override
    protected void prepare() {
      bench(transport);
      try {
        address = byHand.make();
      } catch (Throwable problem) {
        throw new IllegalStateException(problem);
      }
    }

    /** By hand. */
    @Benchmark
    public int floor() throws Throwable {
      return byHand.add(address, request);
    }
  }

  /** {@link Create} over FFM. */
  public static class CreateFfm extends Create {
    @Param("object create and drop")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final ByFfm byHand = new ByFfm();

    @Override
    protected void prepare() {
      bench(transport);
    }

    /** By hand. */
    @Benchmark
    public int floor() throws Throwable {
      byHand.drop(byHand.make());
      return 0;
    }
  }

  private static long madeByJni(JniFloor.Scratch scratch) {
    // It says nothing of the length.
    JniFloor.adderNew(0, 0, scratch.response, Long.BYTES);
    return scratch.number(Long.BYTES);
  }

  /** {@link Add} over JNI. */
  public static class AddJni extends Add {
    @Param("object method")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();
    private long address;

    @Override
    protected void prepare() {
      bench(transport);
      address = madeByJni(scratch);
    }

    /** By hand. */
    @Benchmark
    public int floor() {
      scratch.put(request);
      return number(
          scratch.get(
              JniFloor.adderAdd(
                  address, scratch.request, request.length, scratch.response, Integer.BYTES)));
    }
  }

  /** {@link Create} over JNI. */
  public static class CreateJni extends Create {
    @Param("object create and drop")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      bench(transport);
    }

    /** By hand. */
    @Benchmark
    public int floor() {
      JniFloor.checked(JniFloor.adderDrop(madeByJni(scratch), 0, 0, 0, 0));
      return 0;
    }
  }
}
