package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.RawResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * The Java rows of the tables that rustbridge is compared with, and others for which there is no
 * floor.
 */
public final class Tables {
  private Tables() {}

  /** Calls by name with a text made before. */
  public static class ByName extends Scenario {
    @Param({"A json latency", "A small echo", "A small greet", "A small math.add"})
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private String name;
    private String request;

    @Override
    void prepare() {
      plugin = Libraries.plugin(transport, "hello_plugin");
      name = "echo";
      switch (scenario) {
        case "A json latency" -> request = "{\"message\": \"benchmark test\"}";
        case "A small echo" -> request = "{\"message\":\"hello world from benchmark\"}";
        case "A small greet" -> {
          name = "greet";
          request = "{\"name\":\"BenchmarkUser\"}";
        }
        case "A small math.add" -> {
          name = "math.add";
          request = "{\"a\":123456789,\"b\":987654321}";
        }
        default -> throw new IllegalArgumentException(scenario);
      }
    }

    /** From text to text. */
    @Benchmark
    public String ours() {
      return plugin.call(name, request);
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
    private Method echo;
    private boolean binary;
    private Object last;
    private final byte[] struct = Payloads.small();
    private final String text = "{\"message\": \"benchmark test\"}";

    @Override
    void prepare() {
      plugin = Libraries.plugin(transport, "hello_plugin");
      small = plugin.method(1, Encoding.POD);
      echo = plugin.method("echo");
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
          last = echo.call(text);
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
    void prepare() {}

    /** All three. */
    @Benchmark
    public String ours() {
      try (Plugin own = Libraries.open(transport, "hello_plugin")) {
        return own.call("echo", "{\"message\":\"hello world from benchmark\"}");
      }
    }
  }

  /** Responses that the plugin lends out as they are, whatever their size. */
  public static class Leases extends Scenario {
    @Param({"lease 65536", "lease 16777216"})
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private Method blob;
    private byte[] request;
    private int last;

    @Override
    void prepare() {
      plugin = Libraries.plugin(transport, "conformance_plugin");
      blob = plugin.method("raw.blob", Encoding.RAW);
      int size = Integer.parseInt(scenario.substring("lease ".length()));
      request = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0, size).array();
      last = size - 1;
    }

    /** Borrows, reads one byte, gives back. */
    @Benchmark
    public byte ours() {
      try (RawResponse lease = blob.callRawZeroCopy(request)) {
        return lease.buffer().get(last);
      }
    }
  }
}
