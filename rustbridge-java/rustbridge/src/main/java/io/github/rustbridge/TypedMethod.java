package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.internal.Threads;
import io.github.rustbridge.interop.MethodEntry;
import io.github.rustbridge.interop.ResponseBuffer;
import io.github.rustbridge.interop.Scratches;
import io.github.rustbridge.wire.CallbackValue;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.DecodeException;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.EncodeException;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * A method with a typed request and response. Clients that {@code rustbridge gen} writes call it;
 * {@link TypedClient#method} creates it.
 *
 * @param <Q> the request's type
 * @param <A> the response's type
 */
public final class TypedMethod<Q, A> {
  private static final Scratches<Exchange> EXCHANGES = new Scratches<>(Exchange::new);

  private final Object client;
  private final HostArguments hosts;
  private final Method method;
  private final int kept;

  /** How many objects there are before those of the request: the one whose method it is. */
  private final int receivers;

  private final boolean returnsObjects;
  private final Encode<Q> encode;
  private final Decode<A> decode;

  /** Makes exceptions of errors with a type; null if the method's have none. */
  private final Raise raise;

  private final Decoder<A> plain = new Plain();

  /** Whether it returns the arguments of a function of the host, which may be its result. */
  private boolean returnsArguments;

  TypedMethod(
      Object client,
      HostArguments hosts,
      Method method,
      int receivers,
      Encode<Q> encode,
      Decode<A> decode,
      Raise raise) {
    this.client = client;
    this.hosts = hosts;
    this.method = method;
    this.kept = method.target().bufferLimit();
    this.receivers = receivers;
    this.returnsObjects = (method.target().flags() & MethodEntry.OBJECTS) != 0;
    this.encode = encode;
    this.decode = decode;
    this.raise = raise;
  }

  /** Marks it as one that returns the arguments of a function of the host. */
  TypedMethod<Q, A> returningArguments() {
    returnsArguments = true;
    return this;
  }

  /** Creates exceptions from a method's errors. */
  @FunctionalInterface
  public interface Raise {
    /**
     * Creates an exception.
     *
     * @param failed the exception of the failed call
     * @param in the error value
     * @return an exception of a subclass
     */
    PluginException of(PluginException failed, WireReader in);
  }

  /** A request with all that goes beside it. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
  record EncodedRequest(byte[] message, CallOptions options) {}

  /** An answer with objects, of one call. */
  private final class WithObjects implements Decoder<A> {
    private List<PluginObject> came = List.of();

    @Override
    public A read(Answer answer) {
      came = PluginObject.all(method.plugin(), answer.objects());
      if (returnsArguments) {
        came.forEach(PluginObject::mayBeDropped);
      }
      Object[] left = came.toArray();
      boolean isRead = false;
      try {
        A value = new WireReader().read(answer.bytes(), client, left, decode);
        isRead = true;
        return value;
      } catch (DecodeException malformed) {
        throw invalid(malformed);
      } finally {
        List<PluginObject> nobodys = new ArrayList<>();
        for (int index = 0; index < left.length; index++) {
          if (!isRead || left[index] != null) {
            nobodys.add(came.get(index));
          }
        }
        if (!nobodys.isEmpty()) {
          // Elsewhere: who reads may hold a lock, and the plugin's destructors may block.
          Threads.DEFAULT_EXECUTOR.execute(() -> nobodys.forEach(PluginObject::close));
        }
      }
    }

    @Override
    public PluginException failure(Answer answer) {
      return raised(PluginFailures.exceptionOf(answer));
    }

    @Override
    public void discard(A value) {
      came.forEach(PluginObject::close);
    }

    @Override
    public boolean takesObjects() {
      return true;
    }
  }

  /** What one call at a time writes to and reads from. */
  private static final class Exchange extends Scratches.Scratch {
    final WireWriter request = new WireWriter();
    final ResponseBuffer response = new ResponseBuffer();
    final WireReader reader = new WireReader();
  }

  /**
   * Calls the method.
   *
   * @param request the request
   * @return the response
   * @throws PluginException if the call fails; with {@link Status#INTERNAL} and the type {@code
   *     rustbridge.InvalidResponse} if the response isn't a value of its type
   * @throws EncodeException if the request doesn't fit its type
   */
  public A call(Q request) {
    if (returnsObjects) {
      return call(request, CallOptions.defaults());
    }
    Exchange exchange = EXCHANGES.take();
    try {
      WireWriter written = exchange.request;
      write(written, request);
      method.callInto(written.array(), written.length(), exchange.response);
      return read(exchange.reader, exchange.response.array(), exchange.response.length());
    } catch (PluginException failed) {
      throw raised(failed);
    } finally {
      exchange.request.clear(kept);
      exchange.response.trim(kept);
      EXCHANGES.give(exchange);
    }
  }

  /**
   * Calls the method with call options.
   *
   * @param request the request
   * @param options the call options
   * @return the response
   * @throws PluginException under the same conditions as {@link #call(Object)}
   * @throws java.util.concurrent.CancellationException if the {@link Cancellation} of the options
   *     has cancelled the call
   * @throws EncodeException if the request doesn't fit its type
   */
  public A call(Q request, CallOptions options) {
    EncodedRequest sent = sent(request, options);
    return method.wait(sent.message, sent.options, decoder());
  }

  /**
   * Starts a call and returns its items for a loop.
   *
   * @param request the request
   * @param options the call options
   * @return the items; the caller must close them
   * @throws EncodeException if the request doesn't fit its type
   * @see Method#iterateRaw(byte[], CallOptions)
   */
  public Items<A> iterate(Q request, CallOptions options) {
    EncodedRequest sent = sent(request, options);
    return method.items(sent.message, sent.options, decoder(), null);
  }

  /**
   * Returns a publisher of the method's items, which follows Reactive Streams.
   *
   * @param request the request
   * @param options the call options
   * @return a publisher that makes one call for each subscriber
   * @throws EncodeException if the request doesn't fit its type
   * @see Method#publishRaw(byte[], CallOptions)
   */
  public Flow.Publisher<A> publish(Q request, CallOptions options) {
    EncodedRequest sent = sent(request, options);
    return method.publication(sent.message, sent.options, decoder(), () -> null);
  }

  /**
   * Starts an asynchronous call.
   *
   * @param request the request
   * @param options the call options
   * @return a future of the response
   * @throws EncodeException if the request doesn't fit its type
   * @see Method#callRawAsync(byte[], CallOptions)
   */
  public CompletableFuture<A> callAsync(Q request, CallOptions options) {
    EncodedRequest sent = sent(request, options);
    try {
      return method.begin(sent.message, sent.options, decoder(), null);
    } catch (PluginException refused) {
      // The plugin has refused to create an object that stands for one of the host.
      return CompletableFuture.failedFuture(refused);
    }
  }

  /** The method without types. */
  Method untyped() {
    return method;
  }

  /** A request in bytes of its own, and options that lend what it speaks of. */
  EncodedRequest sent(Q request, CallOptions options) {
    Exchange exchange = EXCHANGES.take();
    try {
      WireWriter written = exchange.request;
      written.lend(receivers);
      write(written, request);
      List<Object> lent = written.lent();
      byte[] message = written.toByteArray();
      if (lent.isEmpty()) {
        return new EncodedRequest(message, options);
      }
      lent.replaceAll(this::argument);
      for (int index = 0; index < lent.size(); index++) {
        if (lent.get(index) instanceof PluginObject object && object.isClosed()) {
          throw new IllegalStateException(
              method.name() + ": object " + index + " of the request is closed");
        }
      }
      return new EncodedRequest(message, options.lending(receivers, lent));
    } finally {
      exchange.request.clear(kept);
      EXCHANGES.give(exchange);
    }
  }

  /** Returns what a call borrows for an object of its request. */
  private Object argument(Object lent) {
    if (!(lent instanceof CallbackValue value)) {
      return ((TypedObject) lent).untyped();
    }
    // An object of another instance is called like the host's own.
    if (value.object() instanceof TypedObject object
        && object.untyped().plugin() == method.plugin()) {
      return object.untyped();
    }
    return hosts.of(value.callback(), value.object());
  }

  /** Returns the decoder of one response, or of the items of one stream. */
  Decoder<A> decoder() {
    return returnsObjects ? new WithObjects() : plain;
  }

  /** An answer without objects. */
  private final class Plain implements Decoder<A> {
    @Override
    public A read(Answer answer) {
      return TypedMethod.this.read(new WireReader(), answer.bytes(), answer.bytes().length);
    }

    @Override
    public PluginException failure(Answer answer) {
      return raised(PluginFailures.exceptionOf(answer));
    }
  }

  /** The exception of the error's own class, if the client has one. */
  private PluginException raised(PluginException failed) {
    byte[] value = failed.value();
    if (value == null || raise == null) {
      return failed;
    }
    try {
      return new WireReader().read(value, value.length, in -> raise.of(failed, in));
    } catch (DecodeException malformed) {
      failed.addSuppressed(malformed);
      return failed;
    }
  }

  private void write(WireWriter out, Q request) {
    try {
      encode.write(out, request);
    } catch (EncodeException unfit) {
      throw new EncodeException(method.name() + ": " + unfit.getMessage());
    }
  }

  private A read(WireReader in, byte[] response, int length) {
    try {
      return in.read(response, length, decode);
    } catch (DecodeException malformed) {
      throw invalid(malformed);
    }
  }

  private PluginException invalid(DecodeException malformed) {
    return new PluginException(
        Status.INTERNAL,
        "rustbridge.InvalidResponse",
        method.name() + ": the plugin's response doesn't match its type: " + malformed.getMessage(),
        Map.of(),
        null);
  }
}
