// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Items;
import io.github.rustbridge.PluginObject;
import io.github.rustbridge.TypedObject;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** A {@code Counter}, which stays in the plugin. */
public final class Counter extends TypedObject {
  private final Types client;

  Counter(Types client, PluginObject untyped) {
    super(untyped);
    this.client = client;
  }

  /**
   * Adds, and gives the sum.
   *
   * @param more the request
   * @return the response
   */
  public long add(long more) {
    return client.counter__add.call(more, receiving(CallOptions.defaults()));
  }

  /**
   * Adds, and gives the sum.
   *
   * @param more the request
   * @param options what the call carries besides
   * @return the response
   */
  public long add(long more, CallOptions options) {
    return client.counter__add.call(more, receiving(options));
  }

  /**
   * The same, from an `async fn`.
   *
   * @param more the request
   * @return the response
   */
  public long addLater(long more) {
    return client.counter__addLater.call(more, receiving(CallOptions.defaults()));
  }

  /**
   * The same, from an `async fn`.
   *
   * @param more the request
   * @param options what the call carries besides
   * @return the response
   */
  public long addLater(long more, CallOptions options) {
    return client.counter__addLater.call(more, receiving(options));
  }

  /**
   * Half of what was counted, if that's a number.
   *
   * @return the response
   * @throws OddException if it fails with {@code Odd}
   */
  public long half() {
    return client.counter__half.call(null, receiving(CallOptions.defaults()));
  }

  /**
   * Half of what was counted, if that's a number.
   *
   * @param options what the call carries besides
   * @return the response
   * @throws OddException if it fails with {@code Odd}
   */
  public long half(CallOptions options) {
    return client.counter__half.call(null, receiving(options));
  }

  /**
   * Whether it's between two numbers, both included.
   *
   * @param least {@code least}
   * @param most {@code most}
   * @return the response
   */
  public boolean within(long least, long most) {
    return client.counter__within.call(
        new CounterWithinParameters(least, most), receiving(CallOptions.defaults()));
  }

  /**
   * Whether it's between two numbers, both included.
   *
   * @param least {@code least}
   * @param most {@code most}
   * @param options what the call carries besides
   * @return the response
   */
  public boolean within(long least, long most, CallOptions options) {
    return client.counter__within.call(
        new CounterWithinParameters(least, most), receiving(options));
  }

  /**
   * What was counted so far.
   *
   * @return the response
   */
  public long get() {
    return client.counter__get.call(null, receiving(CallOptions.defaults()));
  }

  /**
   * What was counted so far.
   *
   * @param options what the call carries besides
   * @return the response
   */
  public long get(CallOptions options) {
    return client.counter__get.call(null, receiving(options));
  }

  /**
   * Adds what another has counted, and gives the sum.
   *
   * @param other the request
   * @return the response
   */
  public long absorb(Counter other) {
    return client.counter__absorb.call(
        Objects.requireNonNull(other, "other"), receiving(CallOptions.defaults()));
  }

  /**
   * Adds what another has counted, and gives the sum.
   *
   * @param other the request
   * @param options what the call carries besides
   * @return the response
   */
  public long absorb(Counter other, CallOptions options) {
    return client.counter__absorb.call(Objects.requireNonNull(other, "other"), receiving(options));
  }

  /**
   * The numbers from there up to before another.
   *
   * @param end the request
   * @return the items, to be closed
   */
  public Items<Long> upto(long end) {
    return client.counter__upto.iterate(end, receiving(CallOptions.defaults()));
  }

  /**
   * The numbers from there up to before another.
   *
   * @param end the request
   * @param options what the call carries besides
   * @return the items, to be closed
   */
  public Items<Long> upto(long end, CallOptions options) {
    return client.counter__upto.iterate(end, receiving(options));
  }

  /**
   * The same, from an `async fn`.
   *
   * @param more the request
   * @return the response, when it's there
   */
  public CompletableFuture<Long> addLaterAsync(long more) {
    return client.counter__addLater.callAsync(more, receiving(CallOptions.defaults()));
  }

  /**
   * The same, from an `async fn`.
   *
   * @param more the request
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Long> addLaterAsync(long more, CallOptions options) {
    return client.counter__addLater.callAsync(more, receiving(options));
  }

  /**
   * The numbers from there up to before another.
   *
   * @param end the request
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Long> uptoPublisher(long end) {
    return client.counter__upto.publish(end, receiving(CallOptions.defaults()));
  }

  /**
   * The numbers from there up to before another.
   *
   * @param end the request
   * @param options what the call carries besides
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Long> uptoPublisher(long end, CallOptions options) {
    return client.counter__upto.publish(end, receiving(options));
  }

  /**
   * Counts those who are sent.
   *
   * @param items what is sent
   * @return the response, when it's there
   */
  public CompletableFuture<Long> admitAsync(Iterable<? extends Person> items) {
    return client.counter__admit.callAsync(null, items, receiving(CallOptions.defaults()));
  }

  /**
   * Counts those who are sent.
   *
   * @param items what is sent
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Long> admitAsync(Iterable<? extends Person> items, CallOptions options) {
    return client.counter__admit.callAsync(null, items, receiving(options));
  }

  /**
   * Counts those who are sent.
   *
   * @param items what is sent
   * @return the response, when it's there
   */
  public CompletableFuture<Long> admitAsync(Flow.Publisher<? extends Person> items) {
    return client.counter__admit.callAsync(null, items, receiving(CallOptions.defaults()));
  }

  /**
   * Counts those who are sent.
   *
   * @param items what is sent
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Long> admitAsync(
      Flow.Publisher<? extends Person> items, CallOptions options) {
    return client.counter__admit.callAsync(null, items, receiving(options));
  }
}
