package io.github.rustbridge.benchmarks.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import io.github.rustbridge.benchmarks.grpc.messages.AddRequest;
import io.github.rustbridge.benchmarks.grpc.messages.Address;
import io.github.rustbridge.benchmarks.grpc.messages.Answer;
import io.github.rustbridge.benchmarks.grpc.messages.BenchGrpc.BenchBlockingStub;
import io.github.rustbridge.benchmarks.grpc.messages.BlobRequest;
import io.github.rustbridge.benchmarks.grpc.messages.Date;
import io.github.rustbridge.benchmarks.grpc.messages.DivRequest;
import io.github.rustbridge.benchmarks.grpc.messages.Doubles;
import io.github.rustbridge.benchmarks.grpc.messages.EchoRequest;
import io.github.rustbridge.benchmarks.grpc.messages.FailRequest;
import io.github.rustbridge.benchmarks.grpc.messages.GreetRequest;
import io.github.rustbridge.benchmarks.grpc.messages.Integers;
import io.github.rustbridge.benchmarks.grpc.messages.Item;
import io.github.rustbridge.benchmarks.grpc.messages.Items;
import io.github.rustbridge.benchmarks.grpc.messages.JoinRequest;
import io.github.rustbridge.benchmarks.grpc.messages.NumbersRequest;
import io.github.rustbridge.benchmarks.grpc.messages.Person;
import io.github.rustbridge.benchmarks.grpc.messages.Reading;
import io.github.rustbridge.benchmarks.grpc.messages.Rectangle;
import io.github.rustbridge.benchmarks.grpc.messages.Shape;
import io.github.rustbridge.benchmarks.grpc.messages.SmallRequest;
import io.github.rustbridge.benchmarks.grpc.messages.Students;
import io.github.rustbridge.benchmarks.grpc.messages.Value;
import io.github.rustbridge.benchmarks.grpc.messages.Values;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Every scenario as an operation that can be run again and again. */
final class Calls {
  private static final String PROBLEM = "Error";

  private Calls() {}

  /** Tells whether the answer was right. */
  @FunctionalInterface
  interface Operation {
    /**
     * Calls once.
     *
     * @param check whether to look at all of the answer, and not only at as much as a caller has to
     *     in order to use it
     */
    boolean run(boolean check);
  }

  /**
   * One scenario.
   *
   * @param name as in the catalogue
   * @param pinned whether it's measured with client and server on one core, too: those with small
   *     messages
   * @param make makes the operation
   */
  record Scenario(String name, boolean pinned, Function<BenchBlockingStub, Operation> make) {}

  /** All of them, in the catalogue's order. */
  static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario("empty call", true, Calls::empty),
          new Scenario("bench.small 76/80", true, Calls::small),
          new Scenario("json echo 13 B", true, stub -> echo(stub, "Hello, World!")),
          new Scenario("A small echo", false, stub -> echo(stub, "hello world from benchmark")),
          new Scenario("A small greet", false, Calls::greet),
          new Scenario("A small math.add", false, Calls::add),
          new Scenario("M primitive", true, Calls::div),
          new Scenario("M string join", true, Calls::join),
          new Scenario("M sum 1000", false, stub -> sum(stub, 1_000)),
          new Scenario("M sum 10000", false, stub -> sum(stub, 10_000)),
          new Scenario("M return 10000", false, stub -> numbers(stub, 10_000)),
          new Scenario("error, message read", true, Calls::fail),
          new Scenario("M any 100", false, stub -> any(stub, 100)),
          new Scenario("M any 10000", false, stub -> any(stub, 10_000)),
          new Scenario("get_answer", true, Calls::answer),
          new Scenario("get_blob 1 KB", false, stub -> blob(stub, 1 << 10)),
          new Scenario("get_blob 64 KB", false, stub -> blob(stub, 1 << 16)),
          new Scenario("get_blob 1 MB", false, stub -> blob(stub, 1 << 20)),
          new Scenario("get_blob 16 MB", false, stub -> blob(stub, 1 << 24)),
          new Scenario("get_structs", false, Calls::structs),
          new Scenario("typed text", true, Calls::text),
          new Scenario("typed numbers", true, Calls::reading),
          new Scenario("typed 100 records", false, Calls::records),
          new Scenario("typed enum", true, Calls::around),
          new Scenario("typed 1000 doubles", false, Calls::twice));

  private static Operation empty(BenchBlockingStub stub) {
    return check -> stub.void_(Empty.getDefaultInstance()) != null;
  }

  private static Operation small(BenchBlockingStub stub) {
    SmallRequest request = SmallRequest.newBuilder().setKey("bench_key").setFlags(1).build();
    return check -> {
      var found = stub.small(request);
      return found.getValue().equals("value_for_bench_key")
          && found.getTtlSeconds() == 3600
          && found.getCacheHit();
    };
  }

  private static Operation echo(BenchBlockingStub stub, String message) {
    return check -> {
      var echoed = stub.echo(EchoRequest.newBuilder().setMessage(message).build());
      return echoed.getMessage().equals(message) && echoed.getLength() == message.length();
    };
  }

  private static Operation greet(BenchBlockingStub stub) {
    return check -> {
      var answer = stub.greet(GreetRequest.newBuilder().setName("BenchmarkUser").build());
      return answer.getGreeting().equals("Hello, BenchmarkUser! Welcome to rustbridge.");
    };
  }

  private static Operation add(BenchBlockingStub stub) {
    return check -> {
      var request = AddRequest.newBuilder().setA(123_456_789).setB(987_654_321).build();
      return stub.add(request).getResult() == 1_111_111_110;
    };
  }

  private static Operation div(BenchBlockingStub stub) {
    return check -> stub.div(DivRequest.newBuilder().setA(10).setB(2).build()).getQuotient() == 5.0;
  }

  private static Operation join(BenchBlockingStub stub) {
    return check -> {
      var request = JoinRequest.newBuilder().addParts("hello").addParts("world").build();
      return stub.join(request).getText().equals("hello,world");
    };
  }

  private static Operation sum(BenchBlockingStub stub, int count) {
    long[] numbers = upTo(count);
    long expected = count * (count + 1L) / 2;
    return check -> {
      var request = Integers.newBuilder();
      for (long number : numbers) {
        request.addValues(number);
      }
      return stub.sum(request.build()).getSum() == expected;
    };
  }

  private static Operation numbers(BenchBlockingStub stub, int count) {
    long[] expected = upTo(count);
    return check -> {
      var answer = stub.numbers(NumbersRequest.newBuilder().setCount(count).build());
      long[] numbers = new long[answer.getValuesCount()];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = answer.getValues(i);
      }
      return numbers[count - 1] == count && (!check || Arrays.equals(numbers, expected));
    };
  }

  private static long[] upTo(int count) {
    return LongStream.rangeClosed(1, count).toArray();
  }

  private static Operation fail(BenchBlockingStub stub) {
    return check -> {
      try {
        var ignored = stub.fail(FailRequest.newBuilder().setMessage(PROBLEM).build());
        return ignored == null;
      } catch (StatusRuntimeException failure) {
        Status status = failure.getStatus();
        return status.getCode() == Status.Code.ABORTED && PROBLEM.equals(status.getDescription());
      }
    };
  }

  /** From the host's dynamic list to the message's values, and back to a new dynamic list. */
  private static Operation any(BenchBlockingStub stub, int count) {
    List<Object> three = List.of(1L, "two", 3.0);
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(three.get(i % 3));
    }
    return check -> {
      List<Object> back = fromMessage(stub.any(toMessage(list)));
      return back.size() == count && (!check || back.equals(list));
    };
  }

  private static Values toMessage(List<?> list) {
    var values = Values.newBuilder();
    for (Object item : list) {
      var value = Value.newBuilder();
      switch (item) {
        case null -> {}
        case Boolean it -> value.setBoolean(it);
        case Integer it -> value.setInteger(it);
        case Long it -> value.setInteger(it);
        case Double it -> value.setNumber(it);
        case String it -> value.setText(it);
        case List<?> it -> value.setList(toMessage(it));
        default -> throw new IllegalArgumentException(item.getClass() + " has no message");
      }
      values.addValues(value);
    }
    return values.build();
  }

  private static List<Object> fromMessage(Values values) {
    List<Object> list = new ArrayList<>(values.getValuesCount());
    for (Value value : values.getValuesList()) {
      list.add(
          switch (value.getKindCase()) {
            case BOOLEAN -> value.getBoolean();
            case INTEGER -> value.getInteger();
            case NUMBER -> value.getNumber();
            case TEXT -> value.getText();
            case LIST -> fromMessage(value.getList());
            case KIND_NOT_SET -> null;
          });
    }
    return list;
  }

  private static Operation answer(BenchBlockingStub stub) {
    return check -> stub.getAnswer(Answer.newBuilder().setValue(23).build()).getValue() == 64;
  }

  /** The message's bytes are in the host's memory already; they aren't copied once more. */
  private static Operation blob(BenchBlockingStub stub, int size) {
    return check -> {
      ByteString bytes = stub.getBlob(BlobRequest.newBuilder().setSize(size).build()).getBytes();
      for (int i = 0; check && i < bytes.size(); i++) {
        if ((bytes.byteAt(i) & 0xff) != i % 251) {
          return false;
        }
      }
      return bytes.size() == size;
    };
  }

  private static Operation structs(BenchBlockingStub stub) {
    return check -> {
      var reader = new Reader();
      reader.read(stub.getStructs(Empty.getDefaultInstance()));
      return reader.structs == 4_760
          && reader.numbers > 0
          && reader.texts == 46_410
          && reader.characters == 1_618_298;
    };
  }

  private static Operation text(BenchBlockingStub stub) {
    return check -> {
      var greeting = stub.greetPerson(Person.newBuilder().setName("Ada Lovelace").build());
      return greeting.getText().equals("Hello, Ada Lovelace!");
    };
  }

  private static Operation reading(BenchBlockingStub stub) {
    return check -> {
      var reading =
          Reading.newBuilder()
              .setInstrument(7)
              .setAt(1000)
              .setLow(-1.0)
              .setHigh(3.0)
              .setWeight(0.5f)
              .setCount(11);
      var next = stub.nextReading(reading.build());
      return next.getAt() == 1060
          && next.getLow() == -3.0
          && next.getHigh() == 5.0
          && next.getCount() == 12;
    };
  }

  private static Operation records(BenchBlockingStub stub) {
    List<Item> items = new ArrayList<>();
    for (int n = 1; n <= 100; n++) {
      items.add(Item.newBuilder().setNumber(n).setName("item number " + n).setPrice(n).build());
    }
    return check -> {
      var back = stub.discount(Items.newBuilder().addAllItems(items).build()).getItemsList();
      int right = 0;
      for (Item item : back) {
        double price = item.getNumber() % 2 == 0 ? item.getNumber() / 2.0 : item.getNumber();
        // Only what is asked for becomes a string of Java's.
        right += item.getPrice() == price && item.getName().startsWith("item number ") ? 1 : 0;
      }
      return right == items.size();
    };
  }

  private static Operation around(BenchBlockingStub stub) {
    return check -> {
      var rectangle = Rectangle.newBuilder().setWidth(3.0).setHeight(4.0);
      var around = stub.around(Shape.newBuilder().setRectangle(rectangle).build());
      return around.getCircle().getRadius() == 2.5;
    };
  }

  private static Operation twice(BenchBlockingStub stub) {
    double[] values = IntStream.range(0, 1000).mapToDouble(n -> 0.5 * n).toArray();
    return check -> {
      var request = Doubles.newBuilder();
      for (double value : values) {
        request.addValues(value);
      }
      var answer = stub.twice(request.build());
      double[] twice = new double[answer.getValuesCount()];
      for (int i = 0; i < twice.length; i++) {
        twice[i] = answer.getValues(i);
      }
      return twice.length == 1000 && twice[999] == 999.0 && (!check || twice[1] == 1.0);
    };
  }

  /** Reads every field; only then does a text become a string of Java's. */
  private static final class Reader {
    private int structs;
    private int texts;
    private int characters;
    private long numbers;

    void read(Students students) {
      for (var student : students.getStudentsList()) {
        structs++;
        text(student.getName());
        numbers += student.getFriends();
        address(student.getHome());
        address(student.getBirth());
        date(student.getDate());
        for (var subject : student.getSubjectsList()) {
          structs++;
          numbers += subject.getId();
          text(subject.getTitle());
          text(subject.getText());
        }
        student.getEmailsList().forEach(this::text);
        for (var school : student.getSchoolsList()) {
          structs++;
          text(school.getName());
          address(school.getAddress());
          date(school.getDate());
          school.getEmailsList().forEach(this::text);
        }
      }
    }

    private void address(Address address) {
      structs++;
      text(address.getCity());
      text(address.getStreet());
      numbers += address.getZip() + address.getNumber();
    }

    private void date(Date date) {
      structs++;
      numbers += date.getYear() + date.getMonth() + date.getDay();
    }

    private void text(String text) {
      texts++;
      characters += text.length();
    }
  }
}
