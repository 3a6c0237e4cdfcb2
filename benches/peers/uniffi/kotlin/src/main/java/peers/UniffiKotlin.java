package peers;

import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.runner.RunnerException;

/** UniFFI's generated Kotlin, which is JNA. */
public class UniffiKotlin extends Peer {
  private final List<Long> thousand = Arrays.stream(numbers(1000)).boxed().toList();
  private final List<Long> tenThousand = Arrays.stream(numbers(10_000)).boxed().toList();

  /** Runs the harness. */
  public static void main(String[] arguments) throws java.io.IOException, RunnerException {
    new Harness(UniffiKotlin.class, "uniffi", "kotlin").run(arguments);
  }

  @Benchmark
  @Override
  public void empty() {
    Calls.empty();
  }

  @Benchmark
  @Override
  public Object pod8() {
    return Calls.pod8();
  }

  @Benchmark
  @Override
  public Object small() {
    return Calls.small();
  }

  @Benchmark
  @Override
  public String echo() {
    return Calls.echo(ECHO);
  }

  @Benchmark
  @Override
  public double primitive() {
    return Calls.div(10, 2);
  }

  @Benchmark
  @Override
  public String join() {
    return Calls.join();
  }

  @Benchmark
  @Override
  public long sum1000() {
    return Calls.sum(thousand);
  }

  @Benchmark
  @Override
  public long sum10000() {
    return Calls.sum(tenThousand);
  }

  @Benchmark
  @Override
  public String error() {
    return Calls.error(REASON);
  }

  @Benchmark
  @Override
  public int answer() {
    return Calls.answer(23);
  }

  @Benchmark
  @Override
  public byte[] blob64k() {
    return Calls.blob(1 << 16);
  }

  @Benchmark
  @Override
  public byte[] blob1m() {
    return Calls.blob(1 << 20);
  }

  @Benchmark
  @Override
  public List<?> structs() {
    return Calls.structs();
  }

  @Benchmark
  @Override
  public int ready() {
    return Calls.ready(23);
  }

  @Benchmark
  @Override
  public Object text() {
    return Calls.text();
  }

  @Benchmark
  @Override
  public Object reading() {
    return Calls.reading();
  }

  @Benchmark
  @Override
  public List<?> records() {
    return Calls.records();
  }

  @Benchmark
  @Override
  public Object variant() {
    return Calls.variant();
  }

  @Benchmark
  @Override
  public Object doubles() {
    return Calls.doubles();
  }

  @Override
  protected int emailsOf(List<?> students) {
    return Calls.emailsOf(students.get(33));
  }

  @Override
  protected String words(Object answer) {
    return Calls.words(answer);
  }
}
