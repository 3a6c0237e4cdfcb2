package peers;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What every peer of the JVM does. A method's name stands for a scenario of the catalogue; {@link
 * Harness} has the table.
 *
 * <p>JMH wants each method annotated where it has a body. Requests exist before, except the list
 * that is joined. Answers are given to JMH as they are.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class Peer {
  /** The text of an echo. */
  protected static final String ECHO = "{\"message\":\"Hello, World!\"}";

  /** What a failed call is to say. */
  protected static final String REASON = "Error";

  /** Does nothing. */
  public abstract void empty();

  /** Adds two numbers of a record. */
  public abstract Object pod8();

  /** Looks a key up. */
  public abstract Object small();

  /** Echoes a text of JSON. */
  public abstract String echo();

  /** Divides 10 by 2. */
  public abstract double primitive();

  /** Joins a new list of two texts. */
  public abstract String join();

  /** Adds a thousand numbers up. */
  public abstract long sum1000();

  /** Adds ten thousand numbers up. */
  public abstract long sum10000();

  /** Fails, and reads why. */
  public abstract String error();

  /** Asks with 23. */
  public abstract int answer();

  /** Gets 64 KB. */
  public abstract byte[] blob64k();

  /** Gets 1 MB. */
  public abstract byte[] blob1m();

  /** Gets 34 students. */
  public abstract List<?> structs();

  /** Gets a record with a text for a new one. */
  public abstract Object text();

  /** Gets a record of numbers for a new one. */
  public abstract Object reading();

  /** Gets a list of records for one that exists. */
  public abstract List<?> records();

  /** Gets the circle around a new rectangle. */
  public abstract Object variant();

  /** Gets doubles for doubles that exist. */
  public abstract Object doubles();

  /** Asks with 23 and waits for the answer, which is there at once. */
  public abstract int ready();

  /** How many addresses of mail the last school of the last student has. */
  protected abstract int emailsOf(List<?> students);

  /** A record's fields in words, as in {@code 42 42}. */
  protected abstract String words(Object answer);

  /** Numbers from one. */
  protected static long[] numbers(int count) {
    return LongStream.rangeClosed(1, count).toArray();
  }

  /** Refuses to measure what answers wrongly. */
  @Setup
  public final void check() {
    empty();
    expect("42 42", words(pod8()));
    expect("value_for_bench_key 3600 true", words(small()));
    expect("{\"message\":\"Hello, World!\",\"length\":13}", echo());
    expect(5.0, primitive());
    expect("hello,world", join());
    expect(500_500L, sum1000());
    expect(50_005_000L, sum10000());
    expect(REASON, error());
    expect(64, answer());
    for (byte[] blob : List.of(blob64k(), blob1m())) {
      expect(250, blob[250] & 0xff);
      expect(0, (int) blob[251]);
    }
    expect(1 << 20, blob1m().length);
    List<?> students = structs();
    expect(34, students.size());
    expect(34, emailsOf(students));
    expect("Hello, Ada Lovelace!", words(text()));
    expect("1060 -3.0 5.0 12", words(reading()));
    expect("2 item number 2 1.0", words(records().get(1)));
    expect("2.5", words(variant()));
    expect("999.0", words(doubles()));
    expect(64, ready());
  }

  private static void expect(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new IllegalStateException("expected " + expected + ", but got " + found);
    }
  }
}
