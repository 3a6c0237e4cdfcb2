package io.github.rustbridge.tests.clients.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Cancellation;
import io.github.rustbridge.Items;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.Status;
import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.wire.EncodeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of the typed client, and what its calls carry besides. */
@Timeout(60)
class TypedStreamsTest {
  private static final Types TYPES =
      Types.load(Plugins.path("types-plugin"), PluginConfig.defaults().logLevel(LogLevel.OFF));

  private static final Person ADA = new Person("Ada", 36, "ada@example.org");
  private static final long OLDEST = 0xffff_ffffL;

  @AfterAll
  static void close() {
    TYPES.close();
  }

  private static List<Person> people(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Person("person " + i, i, null)).toList();
  }

  private static <T> List<T> all(Items<T> items) {
    try (items) {
      List<T> all = new ArrayList<>();
      items.forEach(all::add);
      return all;
    }
  }

  /** What a publisher gives, and then how it ends. */
  private static <T> CompletableFuture<List<T>> all(Flow.Publisher<T> publisher) {
    CompletableFuture<List<T>> end = new CompletableFuture<>();
    List<T> all = new ArrayList<>();
    publisher.subscribe(
        new Flow.Subscriber<T>() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
          }

          @Override
          public void onNext(T item) {
            all.add(item);
          }

          @Override
          public void onError(Throwable failure) {
            end.completeExceptionally(failure);
          }

          @Override
          public void onComplete() {
            end.complete(all);
          }
        });
    return end;
  }

  private static <T> T got(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  /** Publishes these to the first subscriber, and ends. */
  private static <T> Flow.Publisher<T> published(List<T> items) {
    return subscriber -> {
      SubmissionPublisher<T> publisher = new SubmissionPublisher<>();
      publisher.subscribe(subscriber);
      CompletableFuture.runAsync(() -> {
        items.forEach(publisher::submit);
        publisher.close();
      });
    };
  }

  @Test
  void a_stream_gives_values() throws Exception {
    for (int times : new int[] {0, 1, 1000}) {
      List<Person> expected =
          IntStream.range(0, times)
              .mapToObj(years -> new Person("Ada", 36 + years, "ada@example.org"))
              .toList();
      Repeat request = new Repeat(ADA, times);
      assertEquals(expected, all(TYPES.repeat(request)));
      assertEquals(expected, all(TYPES.repeat(request, CallOptions.defaults().withWindow(2, 99))));
      assertEquals(expected, got(all(TYPES.repeatPublisher(request))));
    }
  }

  @Test
  void a_stream_may_be_left_early() {
    try (Items<Person> items = TYPES.repeat(new Repeat(ADA, OLDEST))) {
      assertEquals(ADA, items.next());
    }
    Cancellation patience = new Cancellation();
    CallOptions options = CallOptions.defaults().withCancellation(patience);
    try (Items<Person> items = TYPES.repeat(new Repeat(ADA, OLDEST), options)) {
      assertEquals(ADA, items.next());
      patience.cancel();
      assertThrows(CancellationException.class, () -> items.forEachRemaining(person -> {}));
    }
  }

  @Test
  void a_stream_that_breaks_off_gives_its_items_first() {
    Person old = new Person("Ada", OLDEST - 2, null);
    List<Long> ages = new ArrayList<>();
    try (Items<Person> items = TYPES.repeat(new Repeat(old, 10))) {
      PluginException broken =
          assertThrows(
              PluginException.class, () -> items.forEachRemaining(one -> ages.add(one.age())));
      assertEquals(Status.OUT_OF_RANGE, broken.status());
    }
    assertEquals(List.of(OLDEST - 2, OLDEST - 1, OLDEST), ages);
  }

  @Test
  void a_request_of_a_stream_is_checked_before_it_begins() {
    Person wrong = new Person("\ud800", 1, null);
    EncodeException unfit =
        assertThrows(EncodeException.class, () -> TYPES.repeat(new Repeat(wrong, 1)));
    assertTrue(unfit.getMessage().startsWith("repeat: "), unfit.getMessage());
    assertThrows(EncodeException.class, () -> TYPES.repeatPublisher(new Repeat(wrong, 1)));
    assertThrows(NullPointerException.class, () -> TYPES.repeat(null));
    assertThrows(NullPointerException.class, () -> TYPES.repeat(new Repeat(ADA, 1), null));
    assertThrows(NullPointerException.class, () -> TYPES.collectAsync(0, (Iterable<Person>) null));
    assertThrows(
        NullPointerException.class, () -> TYPES.collectAsync(0, (Flow.Publisher<Person>) null));
  }

  @Test
  void items_are_sent_and_answered() throws Exception {
    for (int count : new int[] {0, 1, 1000}) {
      PagePerson expected = new PagePerson(people(count), count + 5);
      assertEquals(expected, got(TYPES.collectAsync(5, people(count))));
      assertEquals(expected, got(TYPES.collectAsync(5, published(people(count)))));
      CallOptions window = CallOptions.defaults().withWindow(3, 1 << 20);
      assertEquals(expected, got(TYPES.collectAsync(5, people(count), window)));
    }
  }

  private static void refused(CompletableFuture<?> call, String why) {
    ExecutionException ended = assertThrows(ExecutionException.class, () -> got(call));
    PluginException refused = assertInstanceOf(PluginException.class, ended.getCause());
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  @Test
  void an_item_that_doesnt_fit_is_told_and_ends_the_stream() throws Exception {
    List<Person> wrong = List.of(ADA, new Person("\ud800", 1, null));
    refused(TYPES.collectAsync(0, wrong), "collect: items[1]: ");
    refused(TYPES.collectAsync(0, published(wrong)), "collect: items[1]: ");
    List<Person> none = new ArrayList<>();
    none.add(null);
    refused(TYPES.collectAsync(0, none), "collect: items[0]: null isn't allowed here");
    List<Shape> shapes = new ArrayList<>(List.of(new Shape.Nothing()));
    shapes.add(null);
    PluginException both = assertThrows(PluginException.class, () -> all(TYPES.reshape(shapes)));
    assertTrue(both.getMessage().contains("reshape: items[1]: null"), both.getMessage());
    assertEquals(1, got(TYPES.collectAsync(0, List.of(ADA))).total());
  }

  @Test
  void what_a_source_throws_ends_the_stream() {
    Iterable<Person> broken =
        () ->
            new Iterator<>() {
              private int given;

              @Override
              public boolean hasNext() {
                return true;
              }

              @Override
              public Person next() {
                if (given++ == 3) {
                  throw new IllegalStateException("the source is broken");
                }
                return ADA;
              }
            };
    refused(TYPES.collectAsync(0, broken), "the source is broken");
  }

  @Test
  void a_stream_goes_both_ways() throws Exception {
    List<Shape> shapes =
        IntStream.range(0, 300)
            .<Shape>mapToObj(i ->
                switch (i % 3) {
                  case 0 -> new Shape.Nothing();
                  case 1 -> new Shape.Circle(i);
                  default -> new Shape.Polygon(List.of(new Point(0, i), new Point(i, 1)));
                })
            .toList();
    assertEquals(shapes, all(TYPES.reshape(shapes)));
    assertEquals(shapes, all(TYPES.reshape(published(shapes))));
    assertEquals(shapes, got(all(TYPES.reshapePublisher(shapes))));
    assertEquals(shapes, got(all(TYPES.reshapePublisher(published(shapes)))));
    assertEquals(List.of(), all(TYPES.reshape(List.of())));
    Iterator<Shape> endless =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public Shape next() {
            return new Shape.Circle(1);
          }
        };
    try (Items<Shape> items = TYPES.reshape(() -> endless)) {
      assertEquals(new Shape.Circle(1), items.next());
    }
  }

  @Test
  void calls_that_wait_take_options() {
    assertEquals(ADA, TYPES.person(ADA, CallOptions.timeout(Duration.ofSeconds(30))));
    assertEquals(5, TYPES.length("größe", CallOptions.defaults().withMetadata("a", "b")));
    PluginException late =
        assertThrows(
            PluginException.class, () -> TYPES.later(ADA, CallOptions.timeout(Duration.ZERO)));
    assertEquals(Status.DEADLINE_EXCEEDED, late.status());
    Cancellation cancelled = new Cancellation();
    cancelled.cancel();
    CallOptions options = CallOptions.defaults().withCancellation(cancelled);
    assertThrows(CancellationException.class, () -> TYPES.later(ADA, options));
    Person wrong = new Person("\ud800", 1, null);
    assertThrows(EncodeException.class, () -> TYPES.person(wrong, CallOptions.defaults()));
    assertFalse(TYPES.plugin().describeJson().isEmpty());
  }
}
