package io.github.rustbridge.benchmarks;

import io.github.rustbridge.benchmarks.kotlin.clients.Greeting;
import io.github.rustbridge.benchmarks.kotlin.clients.Item;
import io.github.rustbridge.benchmarks.kotlin.clients.Reading;
import io.github.rustbridge.benchmarks.kotlin.clients.Shape;
import io.github.rustbridge.benchmarks.kotlin.clients.Students;
import io.github.rustbridge.benchmarks.kotlin.clients.Values_;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * The generated client in Kotlin, and its floors by hand: what is measured is Kotlin, and only
 * JMH's annotations are here, which its processor reads in Java.
 */
public final class KotlinTyped {
  private KotlinTyped() {}

  /** What all of them have. */
  public abstract static class Client extends Scenario {
    @Param("ffm")
    public String transport;

    /** The generated client. */
    KotlinClient client;

    /** The codec by hand. */
    final KotlinFloor hand = new KotlinFloor();

    @Override
    protected void prepare() {
      plugin = Libraries.plugin(transport, "bench_plugin");
      client = new KotlinClient(plugin);
    }

    @Override
    protected void forget() {
      hand.forget();
    }
  }

  /** A text in a record, there and back. */
  public static class Text extends Client {
    @Param("typed text")
    public String scenario;

    /** Through the generated client. */
    @Benchmark
    public Greeting ours() {
      return client.text();
    }

    /** By hand. */
    @Benchmark
    public Greeting floor() {
      return hand.text(KotlinClient.Companion.person());
    }
  }

  /** A record of numbers, there and back. */
  public static class Numbers extends Client {
    @Param("typed numbers")
    public String scenario;

    /** Through the generated client. */
    @Benchmark
    public Reading ours() {
      return client.numbers();
    }

    /** By hand. */
    @Benchmark
    public Reading floor() {
      return hand.numbers(KotlinClient.Companion.reading());
    }
  }

  /** A list of records, there and back. */
  public static class Records extends Client {
    @Param("typed 100 records")
    public String scenario;

    /** Through the generated client. */
    @Benchmark
    public List<Item> ours() {
      return client.records();
    }

    /** By hand. */
    @Benchmark
    public List<Item> floor() {
      return hand.records(client.getItems());
    }
  }

  /** An enum with data, there and back. */
  public static class Variant extends Client {
    @Param("typed enum")
    public String scenario;

    /** Through the generated client. */
    @Benchmark
    public Shape ours() {
      return client.variant();
    }

    /** By hand. */
    @Benchmark
    public Shape floor() {
      return hand.variant(KotlinClient.Companion.rectangle());
    }
  }

  /** A list of doubles, there and back. */
  public static class Doubles extends Client {
    @Param("typed 1000 doubles")
    public String scenario;

    /** Through the generated client. */
    @Benchmark
    public double[] ours() {
      return client.twice();
    }

    /** By hand. */
    @Benchmark
    public double[] floor() {
      return hand.twice(client.getDoubles());
    }
  }

  /** Two numbers to a number. */
  public static class Primitive extends Client {
    @Param("M primitive")
    public String scenario;

    /** Through the generated client. */
    @Benchmark
    public double typed_ours() {
      return client.divide();
    }

    /** By hand. */
    @Benchmark
    public double typed_floor() {
      return hand.divide(10, 2);
    }
  }

  /** A list of texts to a text. */
  public static class Join extends Client {
    @Param("M string join")
    public String scenario;

    /** Through the generated client. */
    @Benchmark
    public String typed_ours() {
      return client.join();
    }
  }

  /** A number to a number. */
  public static class Answer extends Client {
    @Param("get_answer")
    public String scenario;

    /** Through the generated client. */
    @Benchmark
    public int typed_ours() {
      return client.answer();
    }

    /** By hand. */
    @Benchmark
    public int typed_floor() {
      return hand.answer(23);
    }
  }

  /** A tree of objects. */
  public static class Structs extends Client {
    @Param("get_structs")
    public String scenario;

    /** Through the generated client. */
    @Benchmark
    public Students typed_ours() {
      return client.structs();
    }
  }

  /** A list of values that tell their types themselves. */
  public static class Any extends Client {
    @Param({"M any 100", "M any 10000"})
    public String scenario;

    private Values_ values;

    @Override
    protected void prepare() {
      super.prepare();
      int count = Integer.parseInt(scenario.substring("M any ".length()));
      values = KotlinClient.Companion.values(count);
      if (!typed_ours().equals(values)) {
        throw new IllegalStateException("the list came back as another one");
      }
    }

    /** Through the generated client. */
    @Benchmark
    public Values_ typed_ours() {
      return client.any(values);
    }
  }
}
