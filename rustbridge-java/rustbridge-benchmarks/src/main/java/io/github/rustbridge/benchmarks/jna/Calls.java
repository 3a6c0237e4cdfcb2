package io.github.rustbridge.benchmarks.jna;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.github.rustbridge.benchmarks.Bridges;
import io.github.rustbridge.benchmarks.Payloads;
import io.github.rustbridge.benchmarks.Scenario;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The scenarios that peers can express. Nothing of rustbridge is in them but payloads and names.
 */
public abstract class Calls extends Scenario {
  /** Where functions say how long their response is. */
  final Memory responseLength = new Memory(Long.BYTES);

  /** Where texts come back. */
  final Memory response = new Memory(4096);

  /** Neither of our lanes. */
  @Param("")
  public String transport;

  @Override
  protected void prepare() {}

  @Override
  protected void forget() {
    responseLength.setLong(0, -1);
    response.clear();
  }

  /** Throws if a call failed. */
  static void check(int status) {
    if (status != 0) {
      throw new IllegalStateException("the floor refused with status " + status);
    }
  }

  /** Copies the response that has come back. */
  byte[] bytes() {
    return response.getByteArray(0, (int) responseLength.getLong(0));
  }

  /** Nothing in and nothing out. */
  public static class Empty extends Calls {
    @Param("empty call")
    public String scenario;

    @Override
    protected Object expected() {
      return 0;
    }

    /** By direct mapping. */
    @Benchmark
    public int jna() {
      return DirectFloor.empty(0, 1, Pointer.NULL, 0, Pointer.NULL, 0, responseLength);
    }

    /** By an interface. */
    @Benchmark
    public int jnaInterface() {
      return FloorLibrary.INSTANCE.empty(0, 1, Pointer.NULL, 0, Pointer.NULL, 0, responseLength);
    }
  }

  /** Structs in arrays. */
  public static class Small extends Calls {
    @Param("bench.small 76/80")
    public String scenario;

    private final byte[] request = Payloads.small();

    /** By direct mapping. */
    @Benchmark
    public byte[] jna() {
      byte[] answer = new byte[Payloads.SMALL_RESPONSE];
      check(
          DirectFloor.small(0, 1, request, request.length, answer, answer.length, responseLength));
      return answer;
    }

    /** By an interface. */
    @Benchmark
    public byte[] jnaInterface() {
      byte[] answer = new byte[Payloads.SMALL_RESPONSE];
      check(
          FloorLibrary.INSTANCE.small(
              0, 1, request, request.length, answer, answer.length, responseLength));
      return answer;
    }
  }

  /** From text to text. */
  public static class Echo extends Calls {
    @Param("json echo 13 B")
    public String scenario;

    private String request;

    @Override
    protected void prepare() {
      request = Payloads.echo(scenario);
    }

    @Override
    protected Object expected() {
      return "{\"message\":\"Hello, World!\",\"length\":13}";
    }

    /** By direct mapping. */
    @Benchmark
    public String jna() {
      byte[] json = request.getBytes(StandardCharsets.UTF_8);
      check(
          DirectFloor.echoJson(0, 1, json, json.length, response, response.size(), responseLength));
      return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** By an interface. */
    @Benchmark
    public String jnaInterface() {
      byte[] json = request.getBytes(StandardCharsets.UTF_8);
      check(
          FloorLibrary.INSTANCE.echoJson(
              0, 1, json, json.length, response, response.size(), responseLength));
      return new String(bytes(), StandardCharsets.UTF_8);
    }
  }

  /** Two integers in, a double out. */
  public static class Primitive extends Calls {
    @Param("M primitive")
    public String scenario;

    @Override
    protected Object expected() {
      return 5.0;
    }

    /** By direct mapping. */
    @Benchmark
    public double jna() {
      byte[] request = Payloads.longs(10, 2);
      byte[] answer = new byte[Double.BYTES];
      check(DirectFloor.div(0, 1, request, request.length, answer, answer.length, responseLength));
      return Payloads.real(answer);
    }
  }

  /** Two texts in, one out, by Jackson. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public static class Join extends Calls {
    @Param("M string join")
    public String scenario;

    @Override
    protected Object expected() {
      return "hello,world";
    }

    /** By direct mapping. */
    @Benchmark
    public String jna() throws Exception {
      byte[] json = Bridges.Join.WRITER.writeValueAsBytes(Bridges.Join.parts());
      check(DirectFloor.join(0, 1, json, json.length, response, response.size(), responseLength));
      Bridges.Joined joined = Bridges.Join.READER.readValue(bytes());
      return joined.text();
    }
  }

  /** An array of numbers in, their sum out. */
  public static class Sum extends Calls {
    @Param("M sum 10000")
    public String scenario;

    private final long[] numbers = LongStream.rangeClosed(1, 10_000).toArray();

    @Override
    protected Object expected() {
      return 50_005_000L;
    }

    /** By direct mapping, the array as it is. */
    @Benchmark
    public long jna() {
      byte[] answer = new byte[Long.BYTES];
      long length = (long) numbers.length * Long.BYTES;
      check(DirectFloor.sum(0, 1, numbers, length, answer, answer.length, responseLength));
      return Payloads.integer64(answer);
    }
  }

  /** An integer in, another one out. */
  public static class Answer extends Calls {
    @Param("get_answer")
    public String scenario;

    @Override
    protected Object expected() {
      return 64;
    }

    /** By direct mapping. */
    @Benchmark
    public int jna() {
      byte[] request = Payloads.ints(23);
      byte[] answer = new byte[Integer.BYTES];
      check(
          DirectFloor.answer(0, 1, request, request.length, answer, answer.length, responseLength));
      return Payloads.integer32(answer);
    }
  }

  /** A size in, as many bytes out. */
  public static class Blob extends Calls {
    private static final int SIZE = 1 << 20;

    @Param("get_blob 1 MB")
    public String scenario;

    @Override
    protected Object expected() {
      byte[] blob = new byte[SIZE];
      for (int i = 0; i < SIZE; i++) {
        blob[i] = (byte) (i % 251);
      }
      return blob;
    }

    /** By direct mapping, into a new array. */
    @Benchmark
    public byte[] jna() {
      byte[] request = Payloads.ints(SIZE);
      byte[] answer = new byte[SIZE];
      check(DirectFloor.blob(0, 1, request, request.length, answer, SIZE, responseLength));
      return answer;
    }
  }
}
