package io.github.rustbridge.benchmarks;

import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.benchmarks.clients.Bench;
import io.github.rustbridge.benchmarks.clients.Values_;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What MetaFFI's comparison measures, apart from arrays ({@link Packed}): from values of Java's to
 * values of Java's, so that requests are made and responses read within the timing.
 */
public final class Bridges {
  private static final String LIBRARY = "bench_plugin";

  private Bridges() {}

  /** Two integers in, a double out. */
  public abstract static class Primitive extends Scenario {
    private Method method;
    private Bench client;

    void div(String transport) {
      plugin = Libraries.plugin(transport, LIBRARY);
      client = Bench.of(plugin);
      method = plugin.method("div", Encoding.POD);
    }

    @Override
    protected Object expected() {
      return 5.0;
    }

    /** Through structs in arrays. */
    @Benchmark
    public double ours() {
      return Payloads.real(method.callRawBytes(Payloads.longs(10, 2)));
    }

    /** Through the generated client. */
    @Benchmark
    public double typed_ours() {
      return client.divide(10, 2);
    }
  }

  /** Over FFM. */
  public static class FfmPrimitive extends Primitive {
    @Param("M primitive")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      div(transport);
    }

    /** By hand. */
    @Benchmark
    public double floor() throws Throwable {
      byte[] answer = new byte[Double.BYTES];
      FfmFloor.div(
          scratch,
          MemorySegment.ofArray(Payloads.longs(10, 2)),
          2 * Long.BYTES,
          MemorySegment.ofArray(answer),
          answer.length);
      return Payloads.real(answer);
    }

    /** The same, for the variant. */
    @Benchmark
    public double typed_floor() throws Throwable {
      return floor();
    }
  }

  /** Over JNI. */
  public static class JniPrimitive extends Primitive {
    @Param("M primitive")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      div(transport);
    }

    /** By hand. */
    @Benchmark
    public double floor() {
      byte[] request = Payloads.longs(10, 2);
      scratch.put(request);
      return Payloads.real(
          scratch.get(
              JniFloor.div(scratch.request, request.length, scratch.response, Double.BYTES)));
    }

    /** The same, for the variant. */
    @Benchmark
    public double typed_floor() {
      return floor();
    }
  }

  /** The request of {@code join}. */
  public record Parts(List<String> parts) {}

  /** Its response. */
  public record Joined(String text) {}

  /** Two texts in, one out, by Jackson. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public abstract static class Join extends Scenario {
    /** As the floors make requests. */
    public static final ObjectWriter WRITER = Objects.MAPPER.writerFor(Parts.class);

    /** As the floors read responses. */
    public static final ObjectReader READER = Objects.MAPPER.readerFor(Joined.class);

    private Method method;
    private Bench client;

    void join(String transport) {
      plugin = Libraries.plugin(transport, LIBRARY);
      client = Bench.of(plugin);
      method = plugin.method("join");
    }

    /**
     * Makes what is joined.
     *
     * @return always new
     */
    public static Parts parts() {
      return new Parts(List.of("hello", "world"));
    }

    @Override
    protected Object expected() {
      return "hello,world";
    }

    /** From object to object. */
    @Benchmark
    public String ours() {
      return method.call(parts(), Joined.class).text();
    }

    /** Through the generated client. */
    @Benchmark
    public String typed_ours() {
      return client.joinTexts(List.of("hello", "world"));
    }
  }

  /** Over FFM. */
  public static class FfmJoin extends Join {
    @Param("M string join")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      join(transport);
    }

    /** By hand. */
    @Benchmark
    public String floor() throws Throwable {
      byte[] json = WRITER.writeValueAsBytes(parts());
      scratch.put(json);
      Joined joined =
          READER.readValue(
              scratch.get(
                  FfmFloor.join(
                      scratch, scratch.request, json.length, scratch.response, scratch.capacity)));
      return joined.text();
    }
  }

  /** Over JNI. */
  public static class JniJoin extends Join {
    @Param("M string join")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      join(transport);
    }

    /** By hand. */
    @Benchmark
    public String floor() throws Exception {
      byte[] json = WRITER.writeValueAsBytes(parts());
      scratch.put(json);
      Joined joined =
          READER.readValue(
              scratch.get(
                  JniFloor.join(scratch.request, json.length, scratch.response, scratch.capacity)));
      return joined.text();
    }
  }

  /** The request of {@code any}, and its response. */
  public record Values(List<Object> values) {}

  /** A list of values of any types there and back, by Jackson. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public static class Any extends Scenario {
    private static final List<Object> THREE = List.of(1, "two", 3.0);

    @Param({"M any 100", "M any 10000"})
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private Method method;
    private Values values;
    private Bench client;
    private Values_ typed;

    @Override
    protected void prepare() {
      plugin = Libraries.plugin(transport, LIBRARY);
      method = plugin.method("any");
      int count = Integer.parseInt(scenario.substring("M any ".length()));
      values =
          new Values(IntStream.range(0, count).mapToObj(i -> THREE.get(i % THREE.size())).toList());
      // Not only by their texts: the types have to come back as well.
      if (!ours().equals(values)) {
        throw new IllegalStateException("the list came back as another one");
      }
      client = Bench.of(plugin);
      typed = new Values_(values.values().stream().map(Any::wide).toList());
      if (!typed_ours().equals(typed)) {
        throw new IllegalStateException("the typed list came back as another one");
      }
    }

    /** Integers are of 64 bits where only the value itself tells what it is. */
    private static Object wide(Object value) {
      return value instanceof Integer number ? (Object) number.longValue() : value;
    }

    /** From list to list. */
    @Benchmark
    public Values ours() {
      return method.call(values, Values.class);
    }

    /** Through the generated client. */
    @Benchmark
    public Values_ typed_ours() {
      return client.any(typed);
    }
  }
}
