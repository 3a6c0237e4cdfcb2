package io.github.rustbridge;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A method that is sent items with its request, as fast as it asks for them. {@link
 * Method#sending(Iterable)} makes it.
 *
 * <pre>{@code
 * CompletableFuture<Long> total = method.sending(List.of(20, 22)).callAsync(0, Long.class);
 * }</pre>
 *
 * <p>Items are taken from their source on the options' executor. What the source throws ends the
 * stream into the plugin with that, so half of it isn't taken for the whole. When the call ends
 * first, the source is left alone: a publisher's subscription is cancelled.
 */
public final class StreamingCall {
  private final Method method;
  private final Iterable<?> iterable;
  private final Flow.Publisher<?> publisher;

  StreamingCall(Method method, Iterable<?> iterable, Flow.Publisher<?> publisher) {
    this.method = method;
    this.iterable = iterable;
    this.publisher = publisher;
  }

  /**
   * What sends the items.
   *
   * @param writing makes what writes the items of one call, one after the other
   */
  Supplier<Outgoing> outgoing(CallOptions options, Supplier<Function<Object, byte[]>> writing) {
    Objects.requireNonNull(options, "options");
    Natives natives = method.plugin().natives();
    Executor executor = options.executor();
    return () ->
        iterable != null
            ? new Outgoing.FromIterable(natives, executor, writing.get(), iterable)
            : new Outgoing.FromPublisher(natives, executor, writing.get(), publisher);
  }

  private Supplier<Outgoing> json(CallOptions options) {
    method.checkJson();
    return outgoing(options, () -> item -> method.plugin().codec().encode(item));
  }

  private Supplier<Outgoing> raw(CallOptions options) {
    return outgoing(options, () -> item -> (byte[]) item);
  }

  /**
   * Calls with JSON, request and items being what the codec can write.
   *
   * @param request the request
   * @param type the class of the answer
   * @param <R> the response's type
   * @return the answer, when it's there
   * @throws IllegalStateException if the encoding isn't JSON, or there's no codec
   */
  public <R> CompletableFuture<R> callAsync(Object request, Class<R> type) {
    return callAsync(request, type, CallOptions.defaults());
  }

  /**
   * Calls with JSON, request and items being what the codec can write.
   *
   * @param request the request
   * @param type the class of the answer
   * @param options the call options
   * @param <R> the response's type
   * @return the answer, when it's there
   * @throws IllegalStateException if the encoding isn't JSON, or there's no codec
   */
  public <R> CompletableFuture<R> callAsync(Object request, Class<R> type, CallOptions options) {
    Outgoing outgoing = json(options).get();
    return method.begin(method.encoded(request), options, Reading.as(type), outgoing);
  }

  /**
   * Calls with bytes, as the items are.
   *
   * @param request the request
   * @param options the call options
   * @return the answer, when it's there
   */
  public CompletableFuture<byte[]> callRawAsync(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return method.begin(request, options, Reading.BYTES, raw(options).get());
  }

  /**
   * Gives what comes back, by JSON.
   *
   * @param request a value that the codec can write
   * @param type the class of an item
   * @param options the call options
   * @param <R> an item's type
   * @return a publisher that makes one call for each subscriber
   * @throws IllegalStateException if the encoding isn't JSON, or there's no codec
   */
  public <R> Flow.Publisher<R> publish(Object request, Class<R> type, CallOptions options) {
    Supplier<Outgoing> outgoing = json(options);
    return method.publication(method.encoded(request), options, Reading.as(type), outgoing);
  }

  /**
   * Gives what comes back, as bytes.
   *
   * @param request the request
   * @param options the call options
   * @return a publisher that makes one call for each subscriber
   */
  public Flow.Publisher<byte[]> publishRaw(byte[] request, CallOptions options) {
    return method.publication(request.clone(), options, Reading.BYTES, raw(options));
  }

  /**
   * Gives what comes back, by JSON, for a loop.
   *
   * @param request a value that the codec can write
   * @param type the class of an item
   * @param options the call options
   * @param <R> an item's type
   * @return the items; the caller must close them
   * @throws IllegalStateException if the encoding isn't JSON, or there's no codec
   */
  public <R> Items<R> iterate(Object request, Class<R> type, CallOptions options) {
    Outgoing outgoing = json(options).get();
    return method.items(method.encoded(request), options, Reading.as(type), outgoing);
  }

  /**
   * Gives what comes back, as bytes, for a loop.
   *
   * @param request the request
   * @param options the call options
   * @return the items; the caller must close them
   */
  public Items<byte[]> iterateRaw(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return method.items(request, options, Reading.BYTES, raw(options).get());
  }
}
