package io.github.rustbridge;

import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.EncodeException;
import io.github.rustbridge.wire.WireWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A method with types that is sent items: what clients that {@code rustbridge gen} writes call.
 * {@link TypedClient#sending} makes it.
 *
 * <p>Items are taken from their source as {@link StreamingCall} says. One that can't be written
 * ends the stream into the plugin with its {@link EncodeException}, as what the source throws does.
 *
 * @param <Q> the request's type
 * @param <I> an item's type
 * @param <A> the response's type; of a stream, each item's
 */
public final class TypedStreamingCall<Q, I, A> {
  private final TypedMethod<Q, A> method;
  private final Encode<I> encode;

  TypedStreamingCall(TypedMethod<Q, A> method, Encode<I> encode) {
    this.method = method;
    this.encode = encode;
  }

  /** What writes the items of one call. */
  private static final class Writing<I> implements Function<Object, byte[]> {
    private final String method;
    private final Encode<I> encode;
    private final WireWriter out = new WireWriter();
    private long place;

    Writing(String method, Encode<I> encode) {
      this.method = method;
      this.encode = encode;
    }

    /** One after the other, also if a publisher doesn't keep to that. */
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

  private Supplier<Outgoing> outgoing(StreamingCall items, CallOptions options) {
    String name = method.untyped().name();
    return items.outgoing(options, () -> new Writing<>(name, encode));
  }

  /**
   * Calls the method.
   *
   * @param request the request
   * @param items what is sent, taken one by one on the options' executor
   * @param options the call options
   * @return a future of the response
   * @throws EncodeException if the request can't be sent
   */
  public CompletableFuture<A> callAsync(
      Q request, Iterable<? extends I> items, CallOptions options) {
    return callAsync(request, method.untyped().sending(items), options);
  }

  /**
   * Calls the method.
   *
   * @param request the request
   * @param items publishes what is sent, asked for what the plugin asks for
   * @param options the call options
   * @return a future of the response
   * @throws EncodeException if the request can't be sent
   */
  public CompletableFuture<A> callAsync(
      Q request, Flow.Publisher<? extends I> items, CallOptions options) {
    return callAsync(request, method.untyped().sending(items), options);
  }

  private CompletableFuture<A> callAsync(Q request, StreamingCall items, CallOptions options) {
    TypedMethod.Sent sent = method.sent(request, options);
    return method
        .untyped()
        .begin(sent.message(), sent.options(), method.reading(), outgoing(items, options).get());
  }

  /**
   * Gives what comes back, for a loop.
   *
   * @param request the request
   * @param items what is sent, taken one by one on the options' executor
   * @param options the call options
   * @return the items; the caller must close them
   * @throws EncodeException if the request can't be sent
   */
  public Items<A> iterate(Q request, Iterable<? extends I> items, CallOptions options) {
    return iterate(request, method.untyped().sending(items), options);
  }

  /**
   * Gives what comes back, for a loop.
   *
   * @param request the request
   * @param items publishes what is sent, asked for what the plugin asks for
   * @param options the call options
   * @return the items; the caller must close them
   * @throws EncodeException if the request can't be sent
   */
  public Items<A> iterate(Q request, Flow.Publisher<? extends I> items, CallOptions options) {
    return iterate(request, method.untyped().sending(items), options);
  }

  private Items<A> iterate(Q request, StreamingCall items, CallOptions options) {
    TypedMethod.Sent sent = method.sent(request, options);
    return method
        .untyped()
        .items(sent.message(), sent.options(), method.reading(), outgoing(items, options).get());
  }

  /**
   * Gives what comes back, as Reactive Streams say.
   *
   * @param request the request
   * @param items what is sent, taken one by one on the options' executor, anew for each subscriber
   * @param options the call options
   * @return a publisher that makes one call for each subscriber
   * @throws EncodeException if the request can't be sent
   */
  public Flow.Publisher<A> publish(Q request, Iterable<? extends I> items, CallOptions options) {
    return publish(request, method.untyped().sending(items), options);
  }

  /**
   * Gives what comes back, as Reactive Streams say.
   *
   * @param request the request
   * @param items publishes what is sent, asked for what the plugin asks for; subscribed to for each
   *     subscriber
   * @param options the call options
   * @return a publisher that makes one call for each subscriber
   * @throws EncodeException if the request can't be sent
   */
  public Flow.Publisher<A> publish(
      Q request, Flow.Publisher<? extends I> items, CallOptions options) {
    return publish(request, method.untyped().sending(items), options);
  }

  private Flow.Publisher<A> publish(Q request, StreamingCall items, CallOptions options) {
    TypedMethod.Sent sent = method.sent(request, options);
    return method
        .untyped()
        .publication(sent.message(), sent.options(), method.reading(), outgoing(items, options));
  }
}
