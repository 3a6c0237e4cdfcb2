package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The Java rows of the tables that rustbridge is compared with, and others for which there is no
 * floor.
 */
public final class Tables {
  private Tables() {}

  /** Calls by name with a text made before. */
  public static class ByName extends Scenario {
    @Param({
      "A json latency",
      "A small echo",
      "A medium echo",
      "A large echo",
      "A small greet",
      "A small math.add"
    })
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private String name;
    private String request;

    @Override
    protected void prepare() {
      plugin = Libraries.plugin(transport, "hello_plugin");
      switch (scenario) {
        case "A small greet" -> {
          name = "greet";
          request = "{\"name\":\"BenchmarkUser\"}";
        }
        case "A small math.add" -> {
          name = "math.add";
          request = "{\"a\":123456789,\"b\":987654321}";
        }
        default -> {
          name = "echo";
          request = Payloads.echo(scenario);
        }
      }
    }

    /** From text to text. */
    @Benchmark
    public String ours() {
      return plugin.call(name, request);
    }
  }

  /** A call by name from object to object, by Jackson. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public static class Typed extends Scenario {
    @Param("A json latency")
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private String text;

    @Override
    protected void prepare() {
      plugin = Libraries.plugin(transport, "hello_plugin");
      text = Payloads.message(scenario);
    }

    /** The request is made, the response read. */
    @Benchmark
    public Objects.Echoed objectToObject_ours() {
      return plugin.call("echo", new Objects.Message(text), Objects.Echoed.class);
    }
  }

  /** A thousand calls in a loop; per call. */
  public static class Throughput extends Scenario {
    private static final int CALLS = 1000;

    @Param({"A throughput binary", "A throughput json"})
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private Method small;
    private boolean binary;
    private Object last;
    private final byte[] struct = Payloads.small();
    private final String text = Payloads.echo("A json latency");

    @Override
    protected void prepare() {
      plugin = Libraries.plugin(transport, "hello_plugin");
      small = plugin.method(1, Encoding.POD);
      binary = scenario.endsWith("binary");
    }

    /** A thousand calls; each response is stored, so that it has to be made. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public Object ours() {
      if (binary) {
        for (int i = 0; i < CALLS; i++) {
          last = small.callRawBytes(struct);
        }
      } else {
        for (int i = 0; i < CALLS; i++) {
          last = plugin.call("echo", text);
        }
      }
      return last;
    }
  }

  /** Loads a plugin whose content is mapped already, makes one call, closes it. */
  public static class Lifecycle extends Scenario {
    @Param("load, call, close: mapped before")
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    @Override
    protected void prepare() {}

    /** All three. */
    @Benchmark
    public String ours() {
      try (Plugin own = Libraries.open(transport, "hello_plugin")) {
        return own.call("echo", "{\"message\":\"hello world from benchmark\"}");
      }
    }
  }
}
