package io.github.rustbridge.benchmarks;

import io.github.rustbridge.benchmarks.clients.Bench;
import io.github.rustbridge.benchmarks.clients.Greeting;
import io.github.rustbridge.benchmarks.clients.Item;
import io.github.rustbridge.benchmarks.clients.Person;
import io.github.rustbridge.benchmarks.clients.Reading;
import io.github.rustbridge.benchmarks.clients.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * One scenario for each way in which typed values travel, through the client that is generated of
 * the plugin.
 */
public final class Typed {
  private Typed() {}

  /** What all of them have. */
  public abstract static class Client extends Scenario {
    /** The generated client. */
    Bench client;

    /** The codec by hand. */
    final TypedFloor hand = new TypedFloor();

    void client(String transport) {
      plugin = Libraries.plugin(transport, "bench_plugin");
      client = Bench.of(plugin);
    }

    @Override
    protected void forget() {
      hand.forget();
    }
  }

  /** A text in a record, there and back. */
  public abstract static class Text extends Client {
    /** Through the generated client. */
    @Benchmark
    public Greeting ours() {
      return client.greet(new Person("Ada Lovelace"));
    }
  }

  /** Over FFM. */
  public static class FfmText extends Text {
    @Param("typed text")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public Greeting floor() throws Throwable {
      int length = hand.put(new Person("Ada Lovelace"));
      return hand.greeting(
          FfmFloor.greet(
              scratch,
              MemorySegment.ofArray(hand.sent),
              length,
              MemorySegment.ofArray(hand.came),
              hand.came.length));
    }
  }

  /** Over JNI. */
  public static class JniText extends Text {
    @Param("typed text")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public Greeting floor() {
      int length = hand.put(new Person("Ada Lovelace"));
      scratch.put(hand.sent, length);
      long came = JniFloor.greet(scratch.request, length, scratch.response, scratch.capacity);
      scratch.get(came, hand.came);
      return hand.greeting((int) came);
    }
  }

  /** A record of numbers, there and back. */
  public abstract static class Numbers extends Client {
    /** Through the generated client. */
    @Benchmark
    public Reading ours() {
      return client.nextReading(new Reading(7, 1_700_000_000, -1.5, 3.25, 0.5f, 11));
    }
  }

  /** Over FFM. */
  public static class FfmNumbers extends Numbers {
    @Param("typed numbers")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public Reading floor() throws Throwable {
      int length = hand.put(new Reading(7, 1_700_000_000, -1.5, 3.25, 0.5f, 11));
      return hand.reading(
          FfmFloor.nextReading(
              scratch,
              MemorySegment.ofArray(hand.sent),
              length,
              MemorySegment.ofArray(hand.came),
              hand.came.length));
    }
  }

  /** Over JNI. */
  public static class JniNumbers extends Numbers {
    @Param("typed numbers")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public Reading floor() {
      int length = hand.put(new Reading(7, 1_700_000_000, -1.5, 3.25, 0.5f, 11));
      scratch.put(hand.sent, length);
      long came = JniFloor.nextReading(scratch.request, length, scratch.response, scratch.capacity);
      scratch.get(came, hand.came);
      return hand.reading((int) came);
    }
  }

  /** A list of records, there and back. */
  public abstract static class Records extends Client {
    final List<Item> items =
        IntStream.rangeClosed(1, 100)
            .mapToObj(number -> new Item(number, "item number " + number, number * 1.25))
            .toList();

    /** Through the generated client. */
    @Benchmark
    public List<Item> ours() {
      return client.discount(items);
    }
  }

  /** Over FFM. */
  public static class FfmRecords extends Records {
    @Param("typed 100 records")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public List<Item> floor() throws Throwable {
      int length = hand.put(items);
      scratch.put(hand.sent, length);
      return hand.items(
          scratch.get(
              FfmFloor.discount(
                  scratch, scratch.request, length, scratch.response, scratch.capacity),
              hand.came));
    }
  }

  /** Over JNI. */
  public static class JniRecords extends Records {
    @Param("typed 100 records")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public List<Item> floor() {
      int length = hand.put(items);
      scratch.put(hand.sent, length);
      long came = JniFloor.discount(scratch.request, length, scratch.response, scratch.capacity);
      scratch.get(came, hand.came);
      return hand.items((int) came);
    }
  }

  /** An enum with data, there and back. */
  public abstract static class Variant extends Client {
    /** Through the generated client. */
    @Benchmark
    public Shape ours() {
      return client.around(new Shape.Rectangle(3, 4));
    }
  }

  /** Over FFM. */
  public static class FfmVariant extends Variant {
    @Param("typed enum")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public Shape floor() throws Throwable {
      int length = hand.put(new Shape.Rectangle(3, 4));
      return hand.shape(
          FfmFloor.around(
              scratch,
              MemorySegment.ofArray(hand.sent),
              length,
              MemorySegment.ofArray(hand.came),
              hand.came.length));
    }
  }

  /** Over JNI. */
  public static class JniVariant extends Variant {
    @Param("typed enum")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public Shape floor() {
      int length = hand.put(new Shape.Rectangle(3, 4));
      scratch.put(hand.sent, length);
      long came = JniFloor.around(scratch.request, length, scratch.response, scratch.capacity);
      scratch.get(came, hand.came);
      return hand.shape((int) came);
    }
  }

  /** A list of doubles, there and back. */
  public abstract static class Doubles extends Client {
    final double[] numbers = IntStream.range(0, 1000).mapToDouble(i -> 0.5 * i).toArray();

    /** Through the generated client. */
    @Benchmark
    public double[] ours() {
      return client.twice(numbers);
    }
  }

  /** Over FFM. */
  public static class FfmDoubles extends Doubles {
    @Param("typed 1000 doubles")
    public String scenario;

    @Param("ffm")
    public String transport;

    private final FfmFloor.Scratch scratch = new FfmFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public double[] floor() throws Throwable {
      int length = hand.put(numbers);
      return hand.doubles(
          FfmFloor.twice(
              scratch,
              MemorySegment.ofArray(hand.sent),
              length,
              MemorySegment.ofArray(hand.came),
              hand.came.length));
    }
  }

  /** Over JNI. */
  public static class JniDoubles extends Doubles {
    @Param("typed 1000 doubles")
    public String scenario;

    @Param("jni")
    public String transport;

    private final JniFloor.Scratch scratch = new JniFloor.Scratch();

    @Override
    protected void prepare() {
      client(transport);
      scratch.reserve(hand.came.length);
    }

    /** By hand. */
    @Benchmark
    public double[] floor() {
      int length = hand.put(numbers);
      scratch.put(hand.sent, length);
      long came = JniFloor.twice(scratch.request, length, scratch.response, scratch.capacity);
      scratch.get(came, hand.came);
      return hand.doubles((int) came);
    }
  }
}
