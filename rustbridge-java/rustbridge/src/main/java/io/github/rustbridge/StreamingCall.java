package io.github.rustbridge;

import io.github.rustbridge.calls.Callee;
import io.github.rustbridge.streams.ItemSender;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A call of a method that sends items in addition to the request, as fast as the plugin accepts
 * them. {@link Method#sending(Iterable)} creates it.
 *
 * <pre>{@code
 * CompletableFuture<Long> total = method.sending(List.of(20, 22)).callAsync(0, Long.class);
 * }</pre>
 *
 * <p>Items are read from their source on the options' executor. If the source throws, the plugin's
 * stream fails with that exception, so an incomplete stream can't be mistaken for a complete one.
 * If the call completes first, no more items are read, and a publisher's subscription is cancelled.
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
  Supplier<ItemSender> sender(CallOptions options, Supplier<Function<Object, byte[]>> writing) {
    Objects.requireNonNull(options, "options");
    Callee callee = method.callee();
    Executor executor = options.settings.executor;
    return () ->
        iterable != null
            ? new ItemSender.FromIterable(callee, executor, writing.get(), iterable)
            : new ItemSender.FromPublisher(callee, executor, writing.get(), publisher);
  }

  private Supplier<ItemSender> json(CallOptions options) {
    method.checkJson();
    return sender(options, () -> item -> method.plugin().codec().encode(item));
  }

  private Supplier<ItemSender> raw(CallOptions options) {
    return sender(options, () -> item -> (byte[]) item);
  }

  /**
   * Starts the call with a request and items that the codec can write as JSON.
   *
   * @param request the request
   * @param type the class of the response
   * @param <R> the response's type
   * @return a future of the response
   * @throws IllegalStateException if the encoding isn't JSON, or there is no codec
   */
  public <R> CompletableFuture<R> callAsync(Object request, Class<R> type) {
    return callAsync(request, type, CallOptions.defaults());
  }

  /**
   * Starts the call with a request and items that the codec can write as JSON.
   *
   * @param request the request
   * @param type the class of the response
   * @param options the call options
   * @param <R> the response's type
   * @return a future of the response
   * @throws IllegalStateException if the encoding isn't JSON, or there is no codec
   */
  public <R> CompletableFuture<R> callAsync(Object request, Class<R> type, CallOptions options) {
    ItemSender sender = json(options).get();
    return method.begin(method.encoded(request), options, method.decoder(type), sender);
  }

  /**
   * Starts the call with a request in bytes. The items are byte arrays.
   *
   * @param request the request
   * @param options the call options
   * @return a future of the response
   */
  public CompletableFuture<byte[]> callRawAsync(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return method.begin(request, options, Decoder.BYTES, raw(options).get());
  }

  /**
   * Returns a publisher of the method's items, which are read as JSON.
   *
   * @param request a value that the codec can write
   * @param type the class of an item
   * @param options the call options
   * @param <R> an item's type
   * @return a publisher that makes one call for each subscriber
   * @throws IllegalStateException if the encoding isn't JSON, or there is no codec
   */
  public <R> Flow.Publisher<R> publish(Object request, Class<R> type, CallOptions options) {
    Supplier<ItemSender> sender = json(options);
    return method.publication(method.encoded(request), options, method.decoder(type), sender);
  }

  /**
   * Returns a publisher of the method's items as bytes.
   *
   * @param request the request
   * @param options the call options
   * @return a publisher that makes one call for each subscriber
   */
  public Flow.Publisher<byte[]> publishRaw(byte[] request, CallOptions options) {
    return method.publication(request.clone(), options, Decoder.BYTES, raw(options));
  }

  /**
   * Starts the call and returns its items for a loop. They are read as JSON.
   *
   * @param request a value that the codec can write
   * @param type the class of an item
   * @param options the call options
   * @param <R> an item's type
   * @return the items; the caller must close them
   * @throws IllegalStateException if the encoding isn't JSON, or there is no codec
   */
  public <R> Items<R> iterate(Object request, Class<R> type, CallOptions options) {
    ItemSender sender = json(options).get();
    return method.items(method.encoded(request), options, method.decoder(type), sender);
  }

  /**
   * Starts the call and returns its items for a loop, as bytes.
   *
   * @param request the request
   * @param options the call options
   * @return the items; the caller must close them
   */
  public Items<byte[]> iterateRaw(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return method.items(request, options, Decoder.BYTES, raw(options).get());
  }
}
