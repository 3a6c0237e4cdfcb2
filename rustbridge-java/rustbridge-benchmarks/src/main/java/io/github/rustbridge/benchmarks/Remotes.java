package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.benchmarks.clients.Bench;
import io.github.rustbridge.ffm.SegmentMethod;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/** What rpclib's comparison of remote calls measures. */
public final class Remotes {
  private static final String LIBRARY = "bench_plugin";

  private Remotes() {}

  /** An integer in, another one out. */
  public abstract static class Answer extends Scenario {
    private Method method;
    private Bench client;

    void answer(String transport) {
      plugin = Libraries.plugin(transport, LIBRARY);
      client = Bench.of(plugin);
      method = plugin.method("get_answer", Encoding.POD);
    }

    @Override
    protected Object expected() {
      return 64;
    }

    /** Through structs in arrays. */
    @Benchmark
    public int ours() {
      return Payloads.integer32(method.callRawBytes(Payloads.ints(23)));
    }

    /** Through the generated client. */
    @Benchmark
    public int typed_ours() {
      return client.answerTo(23);
    }
  }

  /** Over FFM. */
  public static class FfmAnswer extends Answer {
    @Param("get_answer")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      answer(transport);
    }

    /** By hand. */
    @Benchmark
    public int floor() throws Throwable {
      byte[] response = new byte[Integer.BYTES];
      FfmFloor.answer(
          scratch,
          MemorySegment.ofArray(Payloads.ints(23)),
          Integer.BYTES,
          MemorySegment.ofArray(response),
          response.length);
      return Payloads.integer32(response);
    }

    /** The same, for the variant. */
    @Benchmark
    public int typed_floor() throws Throwable {
      return floor();
    }
  }

  /** Over JNI. */
  public static class JniAnswer extends Answer {
    @Param("get_answer")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      answer(transport);
    }

    /** By hand. */
    @Benchmark
    public int floor() {
      scratch.put(Payloads.ints(23));
      return Payloads.integer32(
          scratch.get(
              JniFloor.answer(scratch.request, Integer.BYTES, scratch.response, Integer.BYTES)));
    }

    /** The same, for the variant. */
    @Benchmark
    public int typed_floor() {
      return floor();
    }
  }

  /** A size in, as many bytes out, which the plugin holds ready. */
  public abstract static class Blob extends Scenario {
    Method method;
    int size;

    void blob(String transport, String scenario) {
      plugin = Libraries.plugin(transport, LIBRARY);
      method = plugin.method("get_blob", Encoding.RAW);
      size =
          switch (scenario) {
            case "get_blob 1 KB" -> 1 << 10;
            case "get_blob 64 KB" -> 1 << 16;
            case "get_blob 1 MB" -> 1 << 20;
            case "get_blob 16 MB" -> 1 << 24;
            default -> throw new IllegalArgumentException(scenario);
          };
    }

    @Override
    protected Object expected() {
      byte[] blob = new byte[size];
      for (int i = 0; i < size; i++) {
        blob[i] = (byte) (i % 251);
      }
      return blob;
    }

    /** Copied into a new array. */
    @Benchmark
    public byte[] ours() {
      return method.callRawBytes(Payloads.ints(size));
    }
  }

  /** Over FFM. */
  public static class FfmBlob extends Blob {
    @Param({"get_blob 1 KB", "get_blob 64 KB", "get_blob 1 MB", "get_blob 16 MB"})
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();
    private SegmentMethod segments;

    @Override
    protected void prepare() {
      blob(transport, scenario);
      segments = SegmentMethod.of(method);
    }

    /**
     * By hand: copied once, straight into the new array, however long that holds off the collector.
     */
    @Benchmark
    public byte[] floor() throws Throwable {
      byte[] answer = new byte[size];
      FfmFloor.blob(
          scratch,
          MemorySegment.ofArray(Payloads.ints(size)),
          Integer.BYTES,
          MemorySegment.ofArray(answer),
          size);
      return answer;
    }

    /** The response stays with the plugin; one byte is read. */
    @Benchmark
    public byte lease_ours() {
      try (var lease = segments.callRawZeroCopy(Payloads.ints(size))) {
        return lease.getByte(size - 1L);
      }
    }
  }

  /** Over JNI. */
  public static class JniBlob extends Blob {
    @Param({"get_blob 1 KB", "get_blob 64 KB", "get_blob 1 MB", "get_blob 16 MB"})
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      blob(transport, scenario);
      scratch.reserve(size);
    }

    /**
     * By hand: copied twice, since native code can't write into an array without copying it too.
     */
    @Benchmark
    public byte[] floor() {
      scratch.put(Payloads.ints(size));
      return scratch.get(
          JniFloor.blob(scratch.request, Integer.BYTES, scratch.response, scratch.capacity));
    }

    /** The response stays with the plugin; one byte is read. */
    @Benchmark
    public byte lease_ours() {
      try (var lease = method.callRawZeroCopy(Payloads.ints(size))) {
        return lease.buffer().get(size - 1);
      }
    }
  }

  /** Nothing in, 4,760 objects with 46,410 texts out, by Jackson. */
  @Warmup(iterations = Scenario.LONG_WARM_UP)
  public static class Structs extends Scenario {
    @Param("get_structs")
    public String scenario;

    @Param({"ffm", "jni"})
    public String transport;

    private Method method;
    private Bench client;

    @Override
    protected void prepare() {
      plugin = Libraries.plugin(transport, LIBRARY);
      method = plugin.method("get_structs");
      client = Bench.of(plugin);
      checkTotals(ours());
      if (!typed_ours().toString().equals(ours().toString())) {
        throw new IllegalStateException("the typed client has other students");
      }
    }

    /** All of them as records. */
    @Benchmark
    public Students ours() {
      return method.call(new Nothing(), Students.class);
    }

    /** Through the generated client. */
    @Benchmark
    public io.github.rustbridge.benchmarks.clients.Students typed_ours() {
      return client.getStructs();
    }

    private static void checkTotals(Students students) {
      long structs = 0;
      long texts = 0;
      for (Student student : students.students()) {
        // The student, home, birth, the date; the name and what the two addresses are made of.
        structs += 4 + student.subjects().size();
        texts += 5 + 2L * student.subjects().size() + student.emails().size();
        for (School school : student.schools()) {
          structs += 3;
          texts += 3L + school.emails().size();
        }
      }
      if (structs != 4_760 || texts != 46_410) {
        throw new IllegalStateException(structs + " structs with " + texts + " texts");
      }
    }
  }

  /** The request of {@code get_structs}. */
  public record Nothing() {}

  /** Its response. */
  public record Students(List<Student> students) {}

  /** One of 34. */
  public record Student(
      String name,
      int friends,
      Address home,
      Address birth,
      Date date,
      List<Subject> subjects,
      List<String> emails,
      List<School> schools) {}

  /** A place. */
  public record Address(String city, int zip, String street, short number) {}

  /** A day. */
  public record Date(int year, int month, int day) {}

  /** One of 34 that a student went to. */
  public record School(String name, Address address, Date date, List<String> emails) {}

  /** One of 34 that a student studies. */
  public record Subject(int id, String title, String text) {}
}
