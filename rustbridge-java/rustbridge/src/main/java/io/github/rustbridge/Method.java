package io.github.rustbridge;

import io.github.rustbridge.memory.Received;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

/**
 * A method of one instance in one encoding, resolved once: what a hot loop uses. {@link
 * Plugin#method(String)} makes it.
 *
 * <p>It may be used from any number of threads at once, virtual ones included. A call runs on the
 * caller's thread and can't be interrupted; a pending interrupt stays pending. Nobody may change a
 * request before the call returns, nor close the arena that a buffer's memory is of: FFM refuses to
 * close it meanwhile, and JNI can't.
 *
 * <p>Every call throws {@link PluginException} when it fails, {@link Status#UNAVAILABLE} when the
 * instance is closed.
 */
public abstract class Method {
  private final PreparedMethod prepared;

  /**
   * For the backends.
   *
   * <p>Every call of a backend's ends with {@code Reference.reachabilityFence(this)} in a {@code
   * finally}: otherwise the JVM may find the last method of a plugin unreachable before its last
   * call has begun, and have the plugin closed.
   *
   * @param prepared what the core said of it
   */
  protected Method(PreparedMethod prepared) {
    this.prepared = prepared;
  }

  /**
   * Gives the method's name.
   *
   * @return the name, or the number in decimal for one prepared by its numeric id
   */
  public final String name() {
    return prepared.name();
  }

  /**
   * Gives the encoding it was prepared in.
   *
   * @return the encoding
   */
  public final Encoding encoding() {
    return prepared.encoding();
  }

  /**
   * Tells whether its author declared it short, non-blocking and free of callbacks, so that calls
   * take the cheapest way.
   *
   * @return whether it's a leaf
   */
  public final boolean isLeaf() {
    return prepared.isLeaf();
  }

  /**
   * Tells whether its handler is asynchronous; calling it blocks until it's done.
   *
   * @return whether it's asynchronous
   */
  public final boolean isAsync() {
    return prepared.isAsync();
  }

  /**
   * Gives the size of the request struct.
   *
   * @return bytes; 0 unless the encoding is {@link Encoding#POD}
   */
  public final int requestSize() {
    return prepared.requestSize();
  }

  /**
   * Gives the size of the response struct.
   *
   * @return bytes; 0 unless the encoding is {@link Encoding#POD}
   */
  public final int responseSize() {
    return prepared.responseSize();
  }

  /**
   * Gives the instance it belongs to.
   *
   * @return the plugin
   */
  public final Plugin plugin() {
    return prepared.plugin();
  }

  /**
   * Calls with JSON text.
   *
   * @param json the request; unpaired surrogates are refused with {@link Status#INVALID_ARGUMENT}
   * @return the response
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}
   */
  public abstract String call(String json);

  /**
   * Calls with an object, by JSON and the instance's {@link JsonCodec}.
   *
   * @param request what the codec can write
   * @param type the class of the response
   * @param <T> the request's type
   * @param <R> the response's type
   * @return the response
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  @SuppressWarnings("unchecked")
  public final <T, R> R call(T request, Class<R> type) {
    // Not by Class.cast, which knows no int.class.
    return (R) call(request, (Type) type);
  }

  /**
   * Calls with an object, as {@link #call(Object, Class)} does, for generic response types.
   *
   * @param request what the codec can write
   * @param type the type of the response, e.g. of a {@code List<User>}
   * @return the response
   */
  public final Object call(Object request, Type type) {
    Objects.requireNonNull(type, "type");
    checkJson();
    JsonCodec codec = plugin().codec();
    return codec.decode(callRawBytes(codec.encode(request)), type);
  }

  /**
   * Calls with bytes in this method's encoding.
   *
   * @param request the request
   * @return the response, a new array
   */
  public abstract byte[] callRawBytes(byte[] request);

  /**
   * Calls with bytes, the response going into an array of the caller's.
   *
   * @param request the request
   * @param response where the response goes, from its start; may be the request's array
   * @return the response's length
   * @throws ResponseTooLargeException if it doesn't fit; holds the response
   */
  public abstract int callRaw(byte[] request, byte[] response);

  /**
   * Calls with the remaining bytes of a buffer, the response going into another, direct or not.
   *
   * <p>The plugin gets a copy of the request, since other threads may write to the buffer. Where
   * that costs too much, there's {@link #callRawUnshared(ByteBuffer, ByteBuffer)}.
   *
   * <p>On success both positions have moved: the request's to its limit, the response's by the
   * response's length. On failure neither has.
   *
   * @param request the request, from position to limit
   * @param response where the response goes, from position to limit; may overlap the request
   * @return the response's length
   * @throws ResponseTooLargeException if it doesn't fit; holds the response
   * @throws java.nio.ReadOnlyBufferException if {@code response} is read-only
   */
  public abstract int callRaw(ByteBuffer request, ByteBuffer response);

  /**
   * As {@link #callRaw(ByteBuffer, ByteBuffer)}, with the promise that nobody writes to the request
   * until this returns. A direct buffer goes to the plugin as it is.
   *
   * <p>Whoever breaks the promise may end the JVM: a text that the plugin has checked isn't one any
   * more, say.
   *
   * @param request the request, from position to limit
   * @param response where the response goes, from position to limit; if it overlaps the request,
   *     that's copied after all
   * @return the response's length
   * @throws ResponseTooLargeException if it doesn't fit; holds the response
   * @throws java.nio.ReadOnlyBufferException if {@code response} is read-only
   */
  public abstract int callRawUnshared(ByteBuffer request, ByteBuffer response);

  /**
   * Calls with bytes and leaves the response in the plugin's memory.
   *
   * @param request the request
   * @return the response, to be closed
   */
  public abstract RawResponse callRawZeroCopy(byte[] request);

  /**
   * Calls with the remaining bytes of a buffer and leaves the response in the plugin's memory. The
   * request is copied, as by {@link #callRaw(ByteBuffer, ByteBuffer)}.
   *
   * @param request the request, from position to limit; its position moves to its limit on success
   * @return the response, to be closed
   */
  public abstract RawResponse callRawZeroCopy(ByteBuffer request);

  /**
   * As {@link #callRawZeroCopy(ByteBuffer)}, with the promise that nobody writes to the request
   * until this returns; see {@link #callRawUnshared(ByteBuffer, ByteBuffer)}.
   *
   * @param request the request, from position to limit; its position moves to its limit on success
   * @return the response, to be closed
   */
  public abstract RawResponse callRawZeroCopyUnshared(ByteBuffer request);

  /**
   * Tells whether it answers with a stream of items.
   *
   * @return whether it's for {@link #publish} and {@link #iterate}
   */
  public final boolean givesItems() {
    return has(Backend.Entry.STREAM_OUT);
  }

  /**
   * Tells whether it takes a stream of items.
   *
   * @return whether it's for {@link #sending(Iterable)}
   */
  public final boolean takesItems() {
    return has(Backend.Entry.STREAM_IN);
  }

  private boolean has(int flag) {
    return (prepared.flags() & flag) != 0;
  }

  /**
   * Calls with JSON text and what else there is to say.
   *
   * @param json the request
   * @param options what the call carries besides
   * @return the response
   * @throws java.util.concurrent.CancellationException if the options' cancellation did it
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}
   */
  public final String call(String json, CallOptions options) {
    checkJson();
    return wait(Text.encode(json), options, Reading.TEXT);
  }

  /**
   * Calls with an object and what else there is to say, by JSON.
   *
   * @param request what the codec can write
   * @param type the class of the response, {@link PluginObject} for an object, or {@link Reply}
   * @param options what the call carries besides
   * @param <T> the request's type
   * @param <R> the response's type
   * @return the response
   * @throws java.util.concurrent.CancellationException if the options' cancellation did it
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> R call(T request, Class<R> type, CallOptions options) {
    return wait(encoded(request), options, Reading.<R>as(type));
  }

  /**
   * Calls with bytes and what else there is to say.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   * @throws java.util.concurrent.CancellationException if the options' cancellation did it
   */
  public final byte[] callRawBytes(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return wait(request, options, Reading.BYTES);
  }

  /**
   * Calls with bytes, for all that comes back: headers, trailers, and objects.
   *
   * @param request the request, in this method's encoding
   * @param options what the call carries besides
   * @return the answer and what came beside it
   * @throws java.util.concurrent.CancellationException if the options' cancellation did it
   */
  public final Reply callForReply(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return wait(request, options, Reading.REPLY);
  }

  final <R> R wait(byte[] request, CallOptions options, Reading<R> reading) {
    Calls.check(this, reading, false, false);
    return Calls.call(this, request, options, reading);
  }

  /**
   * Begins a call with JSON text.
   *
   * @param json the request
   * @return the response, when it's there
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<String> callAsync(String json) {
    return callAsync(json, CallOptions.defaults());
  }

  /**
   * Begins a call with JSON text.
   *
   * <p>A handler that isn't asynchronous runs on this thread, to its end, and one that is until it
   * first waits, unless the options say {@link CallOptions#offloaded()}. Whoever completes the
   * future, by {@code cancel} or {@code orTimeout}, gives the call up, and the plugin is asked to
   * end it. It fails with {@link PluginException}, and what depends on it runs on the options'
   * executor.
   *
   * @param json the request
   * @param options what the call carries besides
   * @return the response, when it's there
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}
   */
  public final CompletableFuture<String> callAsync(String json, CallOptions options) {
    checkJson();
    return begin(Text.encode(json), options, Reading.TEXT, null);
  }

  /**
   * Begins a call with an object, by JSON.
   *
   * @param request what the codec can write
   * @param type the class of the response
   * @param <T> the request's type
   * @param <R> the response's type
   * @return the response, when it's there
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   * @see #callAsync(String, CallOptions)
   */
  public final <T, R> CompletableFuture<R> callAsync(T request, Class<R> type) {
    return callAsync(request, type, CallOptions.defaults());
  }

  /**
   * Begins a call with an object, by JSON.
   *
   * @param request what the codec can write
   * @param type the class of the response, {@link PluginObject} for an object, or {@link Reply}
   * @param options what the call carries besides
   * @param <T> the request's type
   * @param <R> the response's type
   * @return the response, when it's there
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   * @see #callAsync(String, CallOptions)
   */
  public final <T, R> CompletableFuture<R> callAsync(
      T request, Class<R> type, CallOptions options) {
    return begin(encoded(request), options, Reading.<R>as(type), null);
  }

  /**
   * Begins a call with an object, by JSON, for generic response types.
   *
   * @param request what the codec can write
   * @param type the type of the response
   * @param options what the call carries besides
   * @return the response, when it's there
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<Object> callAsync(Object request, Type type, CallOptions options) {
    return begin(encoded(request), options, Reading.as(type), null);
  }

  /**
   * Begins a call with bytes.
   *
   * @param request the request, in this method's encoding
   * @return the response, when it's there
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<byte[]> callRawAsync(byte[] request) {
    return callRawAsync(request, CallOptions.defaults());
  }

  /**
   * Begins a call with bytes.
   *
   * @param request the request, in this method's encoding
   * @param options what the call carries besides
   * @return the response, when it's there
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<byte[]> callRawAsync(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return begin(request, options, Reading.BYTES, null);
  }

  /**
   * Begins a call with bytes, for all that comes back: headers, trailers, and objects.
   *
   * @param request the request, in this method's encoding
   * @param options what the call carries besides
   * @return the answer and what came beside it, when it's there
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<Reply> callForReplyAsync(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return begin(request, options, Reading.REPLY, null);
  }

  /**
   * Gives the items that the method answers with, by JSON.
   *
   * @param request what the codec can write
   * @param type the class of an item
   * @param <T> the request's type
   * @param <R> an item's type
   * @return a publisher that calls once for each subscriber
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> Flow.Publisher<R> publish(T request, Class<R> type) {
    return publish(request, type, CallOptions.defaults());
  }

  /**
   * Gives the items that the method answers with, by JSON, as Reactive Streams say: what a
   * subscriber asks for, within the options' window, is what the plugin is asked for. Subscribers
   * are called on the options' executor.
   *
   * @param request what the codec can write
   * @param type the class of an item, {@link PluginObject} for objects, or {@link Reply}
   * @param options what the call carries besides
   * @param <T> the request's type
   * @param <R> an item's type
   * @return a publisher that calls once for each subscriber
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> Flow.Publisher<R> publish(T request, Class<R> type, CallOptions options) {
    return publication(encoded(request), options, Reading.<R>as(type), () -> null);
  }

  /**
   * Gives the items that the method answers with, as bytes.
   *
   * @param request the request, copied
   * @param options what the call carries besides
   * @return a publisher that calls once for each subscriber
   * @see #publish(Object, Class, CallOptions)
   */
  public final Flow.Publisher<byte[]> publishRaw(byte[] request, CallOptions options) {
    return publication(request.clone(), options, Reading.BYTES, () -> null);
  }

  /**
   * Gives the items that the method answers with, by JSON, for a loop.
   *
   * @param request what the codec can write
   * @param type the class of an item
   * @param <T> the request's type
   * @param <R> an item's type
   * @return the items, to be closed
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> Items<R> iterate(T request, Class<R> type) {
    return iterate(request, type, CallOptions.defaults());
  }

  /**
   * Gives the items that the method answers with, by JSON, for a loop.
   *
   * @param request what the codec can write
   * @param type the class of an item, {@link PluginObject} for objects, or {@link Reply}
   * @param options what the call carries besides
   * @param <T> the request's type
   * @param <R> an item's type
   * @return the items, to be closed
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> Items<R> iterate(T request, Class<R> type, CallOptions options) {
    return items(encoded(request), options, Reading.<R>as(type), null);
  }

  /**
   * Gives the items that the method answers with, as bytes, for a loop.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the items, to be closed
   */
  public final Items<byte[]> iterateRaw(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return items(request, options, Reading.BYTES, null);
  }

  /**
   * Sends items with the request.
   *
   * @param items what the codec can write, or byte arrays for the raw calls; taken one by one on
   *     the options' executor
   * @return this method with the items
   */
  public final StreamingCall sending(Iterable<?> items) {
    return new StreamingCall(this, Objects.requireNonNull(items, "items"), null);
  }

  /**
   * Sends items with the request.
   *
   * @param items publishes what the codec can write, or byte arrays for the raw calls; asked for
   *     what the plugin asks for
   * @return this method with the items
   */
  public final StreamingCall sending(Flow.Publisher<?> items) {
    return new StreamingCall(this, null, Objects.requireNonNull(items, "items"));
  }

  /**
   * For the backends, and typed methods: calls with bytes, the response going to memory that is
   * kept. Nobody else changes the request meanwhile.
   *
   * @param request an array that begins with the request
   * @param length how long that is
   * @param response where the response goes
   */
  protected void callInto(byte[] request, int length, Received response) {
    response.take(callRawBytes(Arrays.copyOf(request, length)));
  }

  final <R> CompletableFuture<R> begin(
      byte[] request, CallOptions options, Reading<R> reading, Outgoing outgoing) {
    Calls.check(this, reading, false, outgoing != null);
    return Calls.begin(this, request, options, reading, outgoing);
  }

  final <R> Items<R> items(
      byte[] request, CallOptions options, Reading<R> reading, Outgoing outgoing) {
    Calls.check(this, reading, true, outgoing != null);
    return new Items<>(this, request, options, reading, outgoing);
  }

  final <R> Flow.Publisher<R> publication(
      byte[] request, CallOptions options, Reading<R> reading, Supplier<Outgoing> outgoing) {
    Calls.check(this, reading, true, takesItems());
    return new Publication<>(this, request, options, reading, outgoing);
  }

  final void checkJson() {
    if (encoding() != Encoding.JSON) {
      throw prepared.notJson();
    }
  }

  final byte[] encoded(Object request) {
    checkJson();
    return plugin().codec().encode(request);
  }

  /**
   * For the backends: what the core said of this method.
   *
   * @return what it was made with
   */
  protected final PreparedMethod prepared() {
    return prepared;
  }

  /**
   * For the backends: encodes the text of a request.
   *
   * @param text any string
   * @return its UTF-8
   * @throws PluginException with {@link Status#INVALID_ARGUMENT} if it has unpaired surrogates,
   *     which UTF-8 can't express
   */
  protected static byte[] encode(String text) {
    return Text.encode(text);
  }

  /**
   * For the backends: decodes the text of a response.
   *
   * @param bytes where it is
   * @param offset its start
   * @param length its length
   * @return the string
   * @throws PluginException with {@link Status#DATA_LOSS} if it isn't valid UTF-8
   */
  protected static String decode(byte[] bytes, int offset, int length) {
    return Text.decode(bytes, offset, length);
  }

  @Override
  public final String toString() {
    return "Method[" + name() + " in " + encoding().text() + (isLeaf() ? ", leaf]" : "]");
  }
}
