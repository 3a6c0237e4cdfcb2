package io.github.rustbridge;

import io.github.rustbridge.streams.ItemSender;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.EncodeException;
import io.github.rustbridge.wire.WireWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A method with a typed request and response that accepts typed items. Clients that {@code
 * rustbridge gen} writes call it; {@link TypedClient#sending} creates it.
 *
 * <p>Items are read from their source as described for {@link StreamingCall}. If an item can't be
 * written, the plugin's stream fails with the {@link EncodeException}, as with an exception of the
 * source.
 *
 * @param <Q> the request's type
 * @param <I> an item's type
 * @param <A> the response's type, or the type of the items of the response
 */
public final class TypedStreamingCall<Q, I, A> {
  private final TypedMethod<Q, A> method;
  private final Encode<I> encode;

  TypedStreamingCall(TypedMethod<Q, A> method, Encode<I> encode) {
    this.method = method;
    this.encode = encode;
  }

  /** Writes the items of one call. */
  private static final class ItemWriter<I> implements Function<Object, byte[]> {
    private final String method;
    private final Encode<I> encode;
    private final WireWriter out = new WireWriter();
    private long place;

    ItemWriter(String method, Encode<I> encode) {
      this.method = method;
      this.encode = encode;
    }

    /**
     * Writes an item. Synchronized, in case a publisher violates the rule that calls are serial.
     */
    @Override
    @SuppressWarnings("unchecked")
    public synchronized byte[] apply(Object item) {
      try {
        encode.write(out, (I) item);
        place++;
        return out.toByteArray();
      } catch (EncodeException | NullPointerException unfit) {
        String what = item == null ? "null isn't allowed here" : unfit.getMessage();
        throw new EncodeException(method + ": items[" + place + "]: " + what);
      } finally {
        out.clear(KEPT);
      }
    }

    private static final int KEPT = 64 << 10;
  }

  private Supplier<ItemSender> sender(StreamingCall items, CallOptions options) {
    String name = method.untyped().name();
    return items.sender(options, () -> new ItemWriter<>(name, encode));
  }

  /**
   * Calls the method.
   *
   * @param request the request
   * @param items the items; they're read one by one on the options' executor
   * @param options the call options
   * @return a future of the response
   * @throws EncodeException if the request doesn't fit its type
   */
  public CompletableFuture<A> callAsync(
      Q request, Iterable<? extends I> items, CallOptions options) {
    return callAsync(request, method.untyped().sending(items), options);
  }

  /**
   * Calls the method.
   *
   * @param request the request
   * @param items publishes the items; the plugin's demand is passed to it
   * @param options the call options
   * @return a future of the response
   * @throws EncodeException if the request doesn't fit its type
   */
  public CompletableFuture<A> callAsync(
      Q request, Flow.Publisher<? extends I> items, CallOptions options) {
    return callAsync(request, method.untyped().sending(items), options);
  }

  private CompletableFuture<A> callAsync(Q request, StreamingCall items, CallOptions options) {
    TypedMethod.EncodedRequest sent = method.sent(request, options);
    return method
        .untyped()
        .begin(sent.message(), sent.options(), method.decoder(), sender(items, options).get());
  }

  /**
   * Starts a call and returns its items for a loop.
   *
   * @param request the request
   * @param items the items; they're read one by one on the options' executor
   * @param options the call options
   * @return the items; the caller must close them
   * @throws EncodeException if the request doesn't fit its type
   */
  public Items<A> iterate(Q request, Iterable<? extends I> items, CallOptions options) {
    return iterate(request, method.untyped().sending(items), options);
  }

  /**
   * Starts a call and returns its items for a loop.
   *
   * @param request the request
   * @param items publishes the items; the plugin's demand is passed to it
   * @param options the call options
   * @return the items; the caller must close them
   * @throws EncodeException if the request doesn't fit its type
   */
  public Items<A> iterate(Q request, Flow.Publisher<? extends I> items, CallOptions options) {
    return iterate(request, method.untyped().sending(items), options);
  }

  private Items<A> iterate(Q request, StreamingCall items, CallOptions options) {
    TypedMethod.EncodedRequest sent = method.sent(request, options);
    return method
        .untyped()
        .items(sent.message(), sent.options(), method.decoder(), sender(items, options).get());
  }

  /**
   * Returns a publisher of the method's items, which follows Reactive Streams.
   *
   * @param request the request
   * @param items the items; they're read one by one on the options' executor, once for each
   *     subscriber
   * @param options the call options
   * @return a publisher that makes one call for each subscriber
   * @throws EncodeException if the request doesn't fit its type
   */
  public Flow.Publisher<A> publish(Q request, Iterable<? extends I> items, CallOptions options) {
    return publish(request, method.untyped().sending(items), options);
  }

  /**
   * Returns a publisher of the method's items, which follows Reactive Streams.
   *
   * @param request the request
   * @param items publishes the items; the plugin's demand is passed to it. Each subscriber causes a
   *     subscription to it
   * @param options the call options
   * @return a publisher that makes one call for each subscriber
   * @throws EncodeException if the request doesn't fit its type
   */
  public Flow.Publisher<A> publish(
      Q request, Flow.Publisher<? extends I> items, CallOptions options) {
    return publish(request, method.untyped().sending(items), options);
  }

  private Flow.Publisher<A> publish(Q request, StreamingCall items, CallOptions options) {
    TypedMethod.EncodedRequest sent = method.sent(request, options);
    return method
        .untyped()
        .publication(sent.message(), sent.options(), method.decoder(), sender(items, options));
  }
}
