package io.github.rustbridge.benchmarks;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.PluginObject;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** MetaFFI's object. What it costs by hand {@link Adders} says. */
public final class Greeters {
  private static final byte[] NAME = "bench".getBytes(StandardCharsets.UTF_8);
  private static final byte[] NOTHING = {};

  private Greeters() {}

  /** What all of them have. */
  public abstract static class Objects extends Scenario {
    private Method make;
    private Method greet;

    void bench(String transport) {
      plugin = Libraries.plugin(transport, "bench_plugin");
      make = plugin.method("some_class", Encoding.RAW);
      greet = plugin.method("SomeClass.greet", Encoding.RAW);
    }

    final PluginObject made() {
      return make.callForReply(NAME, CallOptions.defaults()).object();
    }

    final String greeting(PluginObject greeter) {
      byte[] text = greeter.callRawBytes(greet, NOTHING, CallOptions.defaults());
      return new String(text, StandardCharsets.UTF_8);
    }
  }

  /** Made, called and given back. */
  public abstract static class Whole extends Objects {
    /** All of it. */
    @Benchmark
    public String ours() {
      try (PluginObject greeter = made()) {
        return greeting(greeter);
      }
    }

    @Override
    protected Object expected() {
      return "Hello from SomeClass bench";
    }
  }

  /** A method of one that exists. */
  public abstract static class Greet extends Objects {
    private PluginObject greeter;

    @Override
    void bench(String transport) {
      super.bench(transport);
      // The collector gives it back when the state is dropped; the process ends before that.
      greeter = made();
    }

    /** The call. */
    @Benchmark
    public String ours() {
      return greeting(greeter);
    }

    @Override
    protected Object expected() {
      return "Hello from SomeClass bench";
    }
  }

  /** Made and given back. */
  public abstract static class Create extends Objects {
    /** Asks for an object and closes it. */
    @Benchmark
    public int ours() {
      made().close();
      return 0;
    }
  }

  /** {@link Whole} over FFM. */
  public static class WholeFfm extends Whole {
    @Param("M object method")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      bench(transport);
    }
  }

  /** {@link Whole} over JNI. */
  public static class WholeJni extends Whole {
    @Param("M object method")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      bench(transport);
    }
  }

  /** {@link Greet} over FFM. */
  public static class GreetFfm extends Greet {
    @Param("M method on an existing object")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      bench(transport);
    }
  }

  /** {@link Greet} over JNI. */
  public static class GreetJni extends Greet {
    @Param("M method on an existing object")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      bench(transport);
    }
  }

  /** {@link Create} over FFM. */
  public static class CreateFfm extends Create {
    @Param("M create and drop")
    public String scenario;

    @Param("ffm")
    public String transport;

    @Override
    protected void prepare() {
      bench(transport);
    }
  }

  /** {@link Create} over JNI. */
  public static class CreateJni extends Create {
    @Param("M create and drop")
    public String scenario;

    @Param("jni")
    public String transport;

    @Override
    protected void prepare() {
      bench(transport);
    }
  }
}
