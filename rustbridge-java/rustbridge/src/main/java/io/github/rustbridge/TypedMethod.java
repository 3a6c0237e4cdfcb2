package io.github.rustbridge;

import io.github.rustbridge.memory.Received;
import io.github.rustbridge.memory.Scratches;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.MalformedException;
import io.github.rustbridge.wire.UnfitException;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * A method with types: what clients that {@code rustbridge gen} writes call. {@link
 * TypedClient#method} makes it.
 *
 * @param <Q> the request's type
 * @param <A> the response's type
 */
public final class TypedMethod<Q, A> {
  private static final Scratches<Exchange> EXCHANGES = new Scratches<>(Exchange::new);

  private final Method method;
  private final int kept;
  private final Encode<Q> encode;
  private final Decode<A> decode;

  TypedMethod(Method method, Encode<Q> encode, Decode<A> decode) {
    this.method = method;
    this.kept = method.prepared().storageKept();
    this.encode = encode;
    this.decode = decode;
  }

  /** What one call at a time writes to and reads from. */
  private static final class Exchange extends Scratches.Scratch {
    final WireWriter request = new WireWriter();
    final Received response = new Received();
    final WireReader reader = new WireReader();
  }

  /**
   * Calls the method.
   *
   * @param request the request
   * @return the response
   * @throws PluginException if the call fails; with {@link Status#INTERNAL} and the type {@code
   *     rustbridge.InvalidResponse} if the answer isn't of its type
   * @throws UnfitException if the request can't be sent
   */
  public A call(Q request) {
    Exchange exchange = EXCHANGES.take();
    try {
      WireWriter written = exchange.request;
      write(written, request);
      method.callInto(written.array(), written.length(), exchange.response);
      return read(exchange.reader, exchange.response.array(), exchange.response.length());
    } finally {
      exchange.request.clear(kept);
      exchange.response.trim(kept);
      EXCHANGES.give(exchange);
    }
  }

  /**
   * Calls the method with what else there is to say.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   * @throws PluginException as {@link #call(Object)} does
   * @throws java.util.concurrent.CancellationException if the options' cancellation did it
   * @throws UnfitException if the request can't be sent
   */
  public A call(Q request, CallOptions options) {
    return method.wait(written(request), options, reading());
  }

  /**
   * Gives the items that the method answers with, for a loop.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the items, to be closed
   * @throws UnfitException if the request can't be sent
   * @see Method#iterateRaw(byte[], CallOptions)
   */
  public Items<A> iterate(Q request, CallOptions options) {
    return method.items(written(request), options, reading(), null);
  }

  /**
   * Gives the items that the method answers with, as Reactive Streams say.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return a publisher that calls once for each subscriber
   * @throws UnfitException if the request can't be sent
   * @see Method#publishRaw(byte[], CallOptions)
   */
  public Flow.Publisher<A> publish(Q request, CallOptions options) {
    return method.publication(written(request), options, reading(), () -> null);
  }

  /**
   * Begins a call.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response, when it's there
   * @throws UnfitException if the request can't be sent
   * @see Method#callRawAsync(byte[], CallOptions)
   */
  public CompletableFuture<A> callAsync(Q request, CallOptions options) {
    return method.begin(written(request), options, reading(), null);
  }

  /** The method without types. */
  Method untyped() {
    return method;
  }

  /** A request in bytes of its own. */
  byte[] written(Q request) {
    Exchange exchange = EXCHANGES.take();
    try {
      write(exchange.request, request);
      return exchange.request.toByteArray();
    } finally {
      exchange.request.clear(kept);
      EXCHANGES.give(exchange);
    }
  }

  /** Reads an answer, or an item of it. */
  Reading<A> reading() {
    return (plugin, answer) -> read(new WireReader(), answer.bytes(), answer.bytes().length);
  }

  private void write(WireWriter out, Q request) {
    try {
      encode.write(out, request);
    } catch (UnfitException unfit) {
      throw new UnfitException(method.name() + ": " + unfit.getMessage());
    }
  }

  private A read(WireReader in, byte[] response, int length) {
    try {
      return in.read(response, length, decode);
    } catch (MalformedException malformed) {
      throw new PluginException(
          Status.INTERNAL,
          "rustbridge.InvalidResponse",
          method.name() + ": the plugin's answer isn't of its type: " + malformed.getMessage(),
          Map.of(),
          null);
    }
  }
}
