package io.github.rustbridge.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.rustbridge.Method;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Typed calls by Jackson, from object to object; the floor is Jackson and the bare call, one after
 * the other.
 */
public final class Objects {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private Objects() {}

  /** The request of {@code echo}. */
  public record Message(String message) {}

  /** Its response. */
  public record Echoed(String message, long length) {}

  /** An echo. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public abstract static class Echo extends Scenario {
    static final ObjectWriter WRITER = MAPPER.writerFor(Message.class);
    static final ObjectReader READER = MAPPER.readerFor(Echoed.class);

    private Method method;
    private String text;

    void echo(String transport, String scenario) {
      plugin = Libraries.plugin(transport, "hello_plugin");
      method = plugin.method("echo");
      text = Payloads.message(scenario);
    }

    /** The request, made anew. */
    Message message() {
      return new Message(text);
    }

    /** From object to object. */
    @Benchmark
    public Echoed objectToObject_ours() {
      return method.call(message(), Echoed.class);
    }
  }

  /** Over FFM. */
  public static class FfmEcho extends Echo {
    @Param("json echo 13 B")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      echo(transport, scenario);
    }

    /** By hand. */
    @Benchmark
    public Echoed objectToObject_floor() throws Throwable {
      byte[] json = WRITER.writeValueAsBytes(message());
      scratch.put(json);
      return READER.readValue(
          scratch.get(
              FfmFloor.echoJson(
                  scratch, scratch.request, json.length, scratch.response, scratch.capacity)));
    }
  }

  /** Over JNI. */
  public static class JniEcho extends Echo {
    @Param("json echo 13 B")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      echo(transport, scenario);
    }

    /** By hand. */
    @Benchmark
    public Echoed objectToObject_floor() throws Exception {
      byte[] json = WRITER.writeValueAsBytes(message());
      scratch.put(json);
      return READER.readValue(
          scratch.get(
              JniFloor.echoJson(scratch.request, json.length, scratch.response, scratch.capacity)));
    }
  }
}
