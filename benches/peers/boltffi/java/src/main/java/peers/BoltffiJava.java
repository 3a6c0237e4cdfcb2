package peers;

import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.runner.RunnerException;
import peers.boltffi.Failure;
import peers.boltffi.Found;
import peers.boltffi.Greeting;
import peers.boltffi.Item;
import peers.boltffi.Pair;
import peers.boltffi.PairAnswer;
import peers.boltffi.PeerBoltffi;
import peers.boltffi.Person;
import peers.boltffi.Reading;
import peers.boltffi.Shape;
import peers.boltffi.Student;
import peers.boltffi.Wanted;

/** BoltFFI's generated Java, which is JNI. */
public class BoltffiJava extends Peer {
  private final Pair pair = new Pair(40, 2);
  private final Wanted key = new Wanted("bench_key", 1);
  private final List<Item> items =
      IntStream.rangeClosed(1, 100).mapToObj(n -> new Item(n, "item number " + n, n)).toList();
  private final double[] fractions = IntStream.range(0, 1000).mapToDouble(n -> 0.5 * n).toArray();
  private final long[] thousand = numbers(1000);
  private final long[] tenThousand = numbers(10_000);

  /** Runs the harness. */
  public static void main(String[] arguments) throws java.io.IOException, RunnerException {
    new Harness(BoltffiJava.class, "boltffi", "java").run(arguments);
  }

  @Benchmark
  @Override
  public void empty() {
    PeerBoltffi.empty();
  }

  @Benchmark
  @Override
  public Object pod8() {
    return PeerBoltffi.pod8(pair);
  }

  @Benchmark
  @Override
  public Object small() {
    return PeerBoltffi.small(key);
  }

  @Benchmark
  @Override
  public String echo() {
    return PeerBoltffi.echoJson(ECHO);
  }

  @Benchmark
  @Override
  public double primitive() {
    return PeerBoltffi.div(10, 2);
  }

  @Benchmark
  @Override
  public String join() {
    return PeerBoltffi.join(List.of("hello", "world"));
  }

  @Benchmark
  @Override
  public long sum1000() {
    return PeerBoltffi.sum(thousand);
  }

  @Benchmark
  @Override
  public long sum10000() {
    return PeerBoltffi.sum(tenThousand);
  }

  @Benchmark
  @Override
  public String error() {
    try {
      PeerBoltffi.fail(REASON);
    } catch (Failure failure) {
      return failure.reason();
    }
    return "";
  }

  @Benchmark
  @Override
  public int answer() {
    return PeerBoltffi.answer(23);
  }

  @Benchmark
  @Override
  public byte[] blob64k() {
    return PeerBoltffi.blob(1 << 16);
  }

  @Benchmark
  @Override
  public byte[] blob1m() {
    return PeerBoltffi.blob(1 << 20);
  }

  @Benchmark
  @Override
  public List<?> structs() {
    return PeerBoltffi.structs();
  }

  @Benchmark
  @Override
  public int ready() {
    return PeerBoltffi.ready(23).join();
  }

  @Benchmark
  @Override
  public Object text() {
    return PeerBoltffi.greet(new Person("Ada Lovelace"));
  }

  @Benchmark
  @Override
  public Object reading() {
    return PeerBoltffi.nextReading(new Reading(7, 1000, -1.0, 3.0, 0.5f, (short) 11));
  }

  @Benchmark
  @Override
  public List<?> records() {
    return PeerBoltffi.discount(items);
  }

  @Benchmark
  @Override
  public Object variant() {
    return PeerBoltffi.around(new Shape.Rectangle(3.0, 4.0));
  }

  @Benchmark
  @Override
  public Object doubles() {
    return PeerBoltffi.twice(fractions);
  }

  @Override
  protected int emailsOf(List<?> students) {
    return ((Student) students.get(33)).schools().get(33).emails().size();
  }

  @Override
  protected String words(Object answer) {
    if (answer instanceof PairAnswer pair) {
      return pair.sum() + " " + pair.xor();
    }
    if (answer instanceof Greeting greeting) {
      return greeting.text();
    }
    if (answer instanceof Reading reading) {
      return reading.at() + " " + reading.low() + " " + reading.high() + " " + reading.count();
    }
    if (answer instanceof Item item) {
      return item.number() + " " + item.name() + " " + item.price();
    }
    if (answer instanceof Shape.Circle circle) {
      return Double.toString(circle.radius());
    }
    if (answer instanceof double[] doubles) {
      return Double.toString(doubles[999]);
    }
    Found found = (Found) answer;
    return found.value() + " " + found.ttlSeconds() + " " + found.cacheHit();
  }
}
