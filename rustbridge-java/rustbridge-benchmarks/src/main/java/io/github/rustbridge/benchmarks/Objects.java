package io.github.rustbridge.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.rustbridge.Method;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * Typed calls by Jackson, from object to object; the floor is Jackson and the bare call, one after
 * the other.
 */
public abstract class Objects extends Scenario {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  static final ObjectWriter WRITER = MAPPER.writerFor(Echo.class);
  static final ObjectReader READER = MAPPER.readerFor(Echoed.class);

  private Method method;
  final Echo request = new Echo("Hello, World!");

  /** The request of {@code echo}. */
  public record Echo(String message) {}

  /** Its response. */
  public record Echoed(String message, long length) {}

  void echo(String transport) {
    plugin = Libraries.plugin(transport, "hello_plugin");
    method = plugin.method("echo");
  }

  /** From object to object. */
  @Benchmark
  public Echoed ours() {
    return method.call(request, Echoed.class);
  }

  /** Over FFM. */
  public static class Ffm extends Objects {
    @Param("json echo 13 B, object to object")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    void prepare() {
      echo(transport);
    }

    /** By hand. */
    @Benchmark
    public Echoed floor() throws Throwable {
      byte[] json = WRITER.writeValueAsBytes(request);
      scratch.put(json);
      return READER.readValue(
          scratch.get(
              FfmFloor.echoJson(
                  scratch, scratch.request, json.length, scratch.response, scratch.capacity)));
    }
  }

  /** Over JNI. */
  public static class Jni extends Objects {
    @Param("json echo 13 B, object to object")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    void prepare() {
      echo(transport);
    }

    /** By hand. */
    @Benchmark
    public Echoed floor() throws Exception {
      byte[] json = WRITER.writeValueAsBytes(request);
      scratch.put(json);
      return READER.readValue(
          scratch.get(
              JniFloor.echoJson(scratch.request, json.length, scratch.response, scratch.capacity)));
    }
  }
}
