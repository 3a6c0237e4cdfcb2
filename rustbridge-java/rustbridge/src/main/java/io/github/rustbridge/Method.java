package io.github.rustbridge;

import io.github.rustbridge.calls.Callee;
import io.github.rustbridge.calls.UnaryCalls;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.MethodEntry;
import io.github.rustbridge.interop.ResponseBuffer;
import io.github.rustbridge.streams.ItemReader;
import io.github.rustbridge.streams.ItemSender;
import io.github.rustbridge.streams.Publication;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

/**
 * A method of one instance, resolved once in one encoding, for repeated calls. {@link
 * Plugin#method(String)} creates it.
 *
 * <p>It may be used from any number of threads at once, including virtual threads. A blocking call
 * without options runs on the caller's thread and can't be interrupted; a pending interrupt stays
 * pending.
 *
 * <p>No thread may change a request before the call has returned, or close the arena that a
 * buffer's memory belongs to. FFM refuses to close the arena during the call; JNI can't prevent it.
 *
 * <p>Every call throws {@link PluginException} if it fails, with {@link Status#UNAVAILABLE} if the
 * instance is closed.
 */
public abstract class Method {
  private final CallTarget target;
  private final Encoding encoding;
  private final Callee callee;

  /**
   * Creates a method. For backends only.
   *
   * <p>Every call of a backend ends with {@code Reference.reachabilityFence(this)} in a {@code
   * finally} block. Otherwise the JVM may find a plugin's last method unreachable before its last
   * call has started, and the plugin would be closed.
   *
   * @param target the instance, and the core's data about the method
   */
  @SuppressWarnings("exports") // Only backends use this type, and the next two.
  protected Method(CallTarget target) {
    this.target = target;
    this.encoding = Encoding.of(target.encoding());
    // Tests of backends call methods without a plugin.
    Plugin plugin = (Plugin) target.instance().owner();
    this.callee =
        new Callee(target, plugin == null ? null : plugin.contexts(), PluginFailures.INSTANCE);
  }

  /**
   * Returns the method's name.
   *
   * @return the name; the decimal number if the method was resolved by its numeric ID
   */
  public final String name() {
    return target.name();
  }

  /**
   * Returns the encoding of this method's calls.
   *
   * @return the encoding
   */
  public final Encoding encoding() {
    return encoding;
  }

  /**
   * Reports whether this is a leaf method: its author declares it short, non-blocking and free of
   * callbacks, so that the binding may use its cheapest call.
   *
   * @return whether it's a leaf method
   */
  public final boolean isLeaf() {
    return target.isLeaf();
  }

  /**
   * Reports whether the method's handler is asynchronous. A blocking call waits until the handler
   * has completed.
   *
   * @return whether it's asynchronous
   */
  public final boolean isAsync() {
    return target.isAsync();
  }

  /**
   * Returns the size of the request struct.
   *
   * @return the size in bytes; 0 unless the encoding is {@link Encoding#POD}
   */
  public final int requestSize() {
    return target.requestSize();
  }

  /**
   * Returns the size of the response struct.
   *
   * @return the size in bytes; 0 unless the encoding is {@link Encoding#POD}
   */
  public final int responseSize() {
    return target.responseSize();
  }

  /**
   * Returns the instance that this method belongs to.
   *
   * @return the plugin
   */
  public final Plugin plugin() {
    return (Plugin) target.instance().owner();
  }

  /**
   * Calls the method with JSON text.
   *
   * @param json the request; if it has unpaired surrogates, the call fails with {@link
   *     Status#INVALID_ARGUMENT}
   * @return the response
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}
   */
  public abstract String call(String json);

  /**
   * Calls the method with an object, which the instance's {@link JsonCodec} writes as JSON.
   *
   * @param request a value that the codec can write
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
   * Calls the method with an object, like {@link #call(Object, Class)}, for generic response types.
   *
   * @param request a value that the codec can write
   * @param type the type of the response, e.g. {@code List<User>}
   * @return the response
   */
  public final Object call(Object request, Type type) {
    Objects.requireNonNull(type, "type");
    checkJson();
    JsonCodec codec = plugin().codec();
    return codec.decode(callRawBytes(codec.encode(request)), type);
  }

  /**
   * Calls the method with bytes in this method's encoding.
   *
   * @param request the request
   * @return the response, a new array
   */
  public abstract byte[] callRawBytes(byte[] request);

  /**
   * Calls the method with bytes, and writes the response to the caller's array.
   *
   * @param request the request
   * @param response the array that receives the response, from its start; may be the request's
   *     array
   * @return the response's length
   * @throws ResponseTooLargeException if the response doesn't fit; the exception holds it
   */
  public abstract int callRaw(byte[] request, byte[] response);

  /**
   * Calls the method with the remaining bytes of a buffer, and writes the response to another
   * buffer. Both kinds of buffers are accepted, direct and heap.
   *
   * <p>The plugin receives a copy of the request, since other threads may write to the buffer.
   * {@link #callRawUnshared(ByteBuffer, ByteBuffer)} saves the copy.
   *
   * <p>If the call succeeds, the request's position moves to its limit, and the response's position
   * moves by the response's length. If the call fails, neither position moves.
   *
   * @param request the request, from position to limit
   * @param response the buffer that receives the response, from position to limit; may overlap the
   *     request
   * @return the response's length
   * @throws ResponseTooLargeException if the response doesn't fit; the exception holds it
   * @throws java.nio.ReadOnlyBufferException if {@code response} is read-only
   */
  public abstract int callRaw(ByteBuffer request, ByteBuffer response);

  /**
   * Calls the method like {@link #callRaw(ByteBuffer, ByteBuffer)}, but without copying the
   * request. The caller promises that no thread writes to the request until this method returns.
   * The plugin reads a direct buffer in place.
   *
   * <p>Breaking the promise may crash the JVM. For example, text that the plugin has already
   * checked may become invalid.
   *
   * @param request the request, from position to limit
   * @param response the buffer that receives the response, from position to limit; if it overlaps
   *     the request, the request is copied nevertheless
   * @return the response's length
   * @throws ResponseTooLargeException if the response doesn't fit; the exception holds it
   * @throws java.nio.ReadOnlyBufferException if {@code response} is read-only
   */
  public abstract int callRawUnshared(ByteBuffer request, ByteBuffer response);

  /**
   * Calls the method with bytes, and leaves the response in the plugin's memory.
   *
   * @param request the request
   * @return the response; the caller must close it
   */
  public abstract RawResponse callRawZeroCopy(byte[] request);

  /**
   * Calls the method with the remaining bytes of a buffer, and leaves the response in the plugin's
   * memory. The request is copied, as in {@link #callRaw(ByteBuffer, ByteBuffer)}.
   *
   * @param request the request, from position to limit; if the call succeeds, its position moves to
   *     its limit
   * @return the response; the caller must close it
   */
  public abstract RawResponse callRawZeroCopy(ByteBuffer request);

  /**
   * Calls the method like {@link #callRawZeroCopy(ByteBuffer)}, but without copying the request.
   * The caller promises that no thread writes to the request until this method returns; see {@link
   * #callRawUnshared(ByteBuffer, ByteBuffer)}.
   *
   * @param request the request, from position to limit; if the call succeeds, its position moves to
   *     its limit
   * @return the response; the caller must close it
   */
  public abstract RawResponse callRawZeroCopyUnshared(ByteBuffer request);

  /**
   * Reports whether the method's response is a stream of items.
   *
   * @return whether {@link #publish} and {@link #iterate} can call it
   */
  public final boolean isStreamOut() {
    return has(MethodEntry.STREAM_OUT);
  }

  /**
   * Reports whether the method accepts a stream of items.
   *
   * @return whether {@link #sending(Iterable)} can be used with it
   */
  public final boolean isStreamIn() {
    return has(MethodEntry.STREAM_IN);
  }

  private boolean has(int flag) {
    return target.has(flag);
  }

  /**
   * Calls the method with JSON text and call options.
   *
   * @param json the request
   * @param options the call options
   * @return the response
   * @throws java.util.concurrent.CancellationException if the {@link Cancellation} of the options
   *     has cancelled the call
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}
   */
  public final String call(String json, CallOptions options) {
    checkJson();
    return wait(Text.encode(json), options, Decoder.TEXT);
  }

  /**
   * Calls the method with an object as JSON, and call options.
   *
   * @param request a value that the codec can write
   * @param type the class of the response, {@link PluginObject} for an object, or {@link Reply}
   * @param options the call options
   * @param <T> the request's type
   * @param <R> the response's type
   * @return the response
   * @throws java.util.concurrent.CancellationException if the {@link Cancellation} of the options
   *     has cancelled the call
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> R call(T request, Class<R> type, CallOptions options) {
    return wait(encoded(request), options, this.<R>decoder(type));
  }

  /**
   * Calls the method with bytes and call options.
   *
   * @param request the request
   * @param options the call options
   * @return the response
   * @throws java.util.concurrent.CancellationException if the {@link Cancellation} of the options
   *     has cancelled the call
   */
  public final byte[] callRawBytes(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return wait(request, options, Decoder.BYTES);
  }

  /**
   * Calls the method with bytes, and returns the response with its initial metadata, trailing
   * metadata and objects.
   *
   * @param request the request, in this method's encoding
   * @param options the call options
   * @return the response with its metadata and objects
   * @throws java.util.concurrent.CancellationException if the {@link Cancellation} of the options
   *     has cancelled the call
   */
  public final Reply callForReply(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return wait(request, options, new Reply.ReplyDecoder(plugin()));
  }

  final <R> R wait(byte[] request, CallOptions options, Decoder<R> decoder) {
    check(decoder, false, false);
    Objects.requireNonNull(options, "options");
    if (options.settings.cancelsOnInterrupt && Thread.currentThread().isInterrupted()) {
      throw PluginException.cancelled("the thread was interrupted before the call began");
    }
    return UnaryCalls.call(callee, request, options.settings, decoder);
  }

  /**
   * Starts an asynchronous call with JSON text.
   *
   * @param json the request
   * @return a future of the response
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<String> callAsync(String json) {
    return callAsync(json, CallOptions.defaults());
  }

  /**
   * Starts an asynchronous call with JSON text.
   *
   * <p>On this thread, a synchronous handler runs until it has completed, and an asynchronous
   * handler until it first waits, unless the options include {@link CallOptions#offloaded()}.
   *
   * <p>If the call fails, the future fails with {@link PluginException}. Its dependent stages run
   * on the options' executor. Completing the future by {@code cancel} or {@code orTimeout} abandons
   * the call, and the plugin is asked to cancel it.
   *
   * @param json the request
   * @param options the call options
   * @return a future of the response
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}
   */
  public final CompletableFuture<String> callAsync(String json, CallOptions options) {
    checkJson();
    return begin(Text.encode(json), options, Decoder.TEXT, null);
  }

  /**
   * Starts an asynchronous call with an object as JSON.
   *
   * @param request a value that the codec can write
   * @param type the class of the response
   * @param <T> the request's type
   * @param <R> the response's type
   * @return a future of the response
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   * @see #callAsync(String, CallOptions)
   */
  public final <T, R> CompletableFuture<R> callAsync(T request, Class<R> type) {
    return callAsync(request, type, CallOptions.defaults());
  }

  /**
   * Starts an asynchronous call with an object as JSON.
   *
   * @param request a value that the codec can write
   * @param type the class of the response, {@link PluginObject} for an object, or {@link Reply}
   * @param options the call options
   * @param <T> the request's type
   * @param <R> the response's type
   * @return a future of the response
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   * @see #callAsync(String, CallOptions)
   */
  public final <T, R> CompletableFuture<R> callAsync(
      T request, Class<R> type, CallOptions options) {
    return begin(encoded(request), options, this.<R>decoder(type), null);
  }

  /**
   * Starts an asynchronous call with an object as JSON, for generic response types.
   *
   * @param request a value that the codec can write
   * @param type the type of the response
   * @param options the call options
   * @return a future of the response
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<Object> callAsync(Object request, Type type, CallOptions options) {
    return begin(encoded(request), options, decoder(type), null);
  }

  /**
   * Starts an asynchronous call with bytes.
   *
   * @param request the request, in this method's encoding
   * @return a future of the response
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<byte[]> callRawAsync(byte[] request) {
    return callRawAsync(request, CallOptions.defaults());
  }

  /**
   * Starts an asynchronous call with bytes.
   *
   * @param request the request, in this method's encoding
   * @param options the call options
   * @return a future of the response
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<byte[]> callRawAsync(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return begin(request, options, Decoder.BYTES, null);
  }

  /**
   * Starts an asynchronous call with bytes, which returns the response with its initial metadata,
   * trailing metadata and objects.
   *
   * @param request the request, in this method's encoding
   * @param options the call options
   * @return a future of the response with its metadata and objects
   * @see #callAsync(String, CallOptions)
   */
  public final CompletableFuture<Reply> callForReplyAsync(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return begin(request, options, new Reply.ReplyDecoder(plugin()), null);
  }

  /**
   * Returns a publisher of the method's items, which are read as JSON.
   *
   * @param request a value that the codec can write
   * @param type the class of an item
   * @param <T> the request's type
   * @param <R> an item's type
   * @return a publisher that makes one call for each subscriber
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> Flow.Publisher<R> publish(T request, Class<R> type) {
    return publish(request, type, CallOptions.defaults());
  }

  /**
   * Returns a publisher of the method's items, which are read as JSON. It follows Reactive Streams:
   * within the options' window, the subscriber's demand becomes the credit of the plugin's stream.
   * Subscribers are called on the options' executor.
   *
   * @param request a value that the codec can write
   * @param type the class of an item, {@link PluginObject} for objects, or {@link Reply}
   * @param options the call options
   * @param <T> the request's type
   * @param <R> an item's type
   * @return a publisher that makes one call for each subscriber
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> Flow.Publisher<R> publish(T request, Class<R> type, CallOptions options) {
    return publication(encoded(request), options, this.<R>decoder(type), () -> null);
  }

  /**
   * Returns a publisher of the method's items as bytes.
   *
   * @param request the request; it's copied
   * @param options the call options
   * @return a publisher that makes one call for each subscriber
   * @see #publish(Object, Class, CallOptions)
   */
  public final Flow.Publisher<byte[]> publishRaw(byte[] request, CallOptions options) {
    return publication(request.clone(), options, Decoder.BYTES, () -> null);
  }

  /**
   * Starts a call and returns its items for a loop. They are read as JSON.
   *
   * @param request a value that the codec can write
   * @param type the class of an item
   * @param <T> the request's type
   * @param <R> an item's type
   * @return the items; the caller must close them
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> Items<R> iterate(T request, Class<R> type) {
    return iterate(request, type, CallOptions.defaults());
  }

  /**
   * Starts a call and returns its items for a loop. They are read as JSON.
   *
   * @param request a value that the codec can write
   * @param type the class of an item, {@link PluginObject} for objects, or {@link Reply}
   * @param options the call options
   * @param <T> the request's type
   * @param <R> an item's type
   * @return the items; the caller must close them
   * @throws IllegalStateException if the encoding isn't {@link Encoding#JSON}, or there is no codec
   */
  public final <T, R> Items<R> iterate(T request, Class<R> type, CallOptions options) {
    return items(encoded(request), options, this.<R>decoder(type), null);
  }

  /**
   * Starts a call and returns its items for a loop, as bytes.
   *
   * @param request the request
   * @param options the call options
   * @return the items; the caller must close them
   */
  public final Items<byte[]> iterateRaw(byte[] request, CallOptions options) {
    Objects.requireNonNull(request, "request");
    return items(request, options, Decoder.BYTES, null);
  }

  /**
   * Returns a call of this method that sends items in addition to the request.
   *
   * @param items values that the codec can write, or byte arrays for the raw calls; they're read
   *     one by one on the options' executor
   * @return this method with the items
   */
  public final StreamingCall sending(Iterable<?> items) {
    return new StreamingCall(this, Objects.requireNonNull(items, "items"), null);
  }

  /**
   * Returns a call of this method that sends items in addition to the request.
   *
   * @param items publishes values that the codec can write, or byte arrays for the raw calls; the
   *     plugin's demand is passed to it
   * @return this method with the items
   */
  public final StreamingCall sending(Flow.Publisher<?> items) {
    return new StreamingCall(this, null, Objects.requireNonNull(items, "items"));
  }

  /**
   * Calls the method with bytes, and writes the response to reusable memory. For backends and typed
   * methods only. No other thread may change the request during the call.
   *
   * @param request an array that starts with the request
   * @param length the request's length
   * @param response the memory that receives the response
   */
  @SuppressWarnings("exports")
  protected void callInto(byte[] request, int length, ResponseBuffer response) {
    response.take(callRawBytes(Arrays.copyOf(request, length)));
  }

  final <R> CompletableFuture<R> begin(
      byte[] request, CallOptions options, Decoder<R> decoder, ItemSender sent) {
    check(decoder, false, sent != null);
    Objects.requireNonNull(options, "options");
    return UnaryCalls.start(callee, request, options.settings, decoder, sent);
  }

  final <R> Items<R> items(
      byte[] request, CallOptions options, Decoder<R> decoder, ItemSender sent) {
    check(decoder, true, sent != null);
    Objects.requireNonNull(options, "options");
    return new Items<>(
        new ItemReader<>(callee, request, options.settings, decoder, sent),
        options.settings.takesHeaders());
  }

  final <R> Flow.Publisher<R> publication(
      byte[] request, CallOptions options, Decoder<R> decoder, Supplier<ItemSender> sent) {
    check(decoder, true, isStreamIn());
    Objects.requireNonNull(options, "options");
    return new Publication<>(callee, request, options.settings, decoder, sent);
  }

  /**
   * Refuses, before the call, a call that would wait forever or lose a part of the response.
   *
   * @param streams whether the call returns a stream
   * @param sends whether the call sends items
   */
  private void check(Decoder<?> decoder, boolean streams, boolean sends) {
    if (isStreamOut() != streams) {
      throw new IllegalStateException(
          streams
              ? name() + " returns one response: use call"
              : name() + " returns a stream: use publish or iterate");
    }
    if (isStreamIn() != sends) {
      throw new IllegalStateException(
          sends ? name() + " accepts no items" : name() + " accepts items: use sending");
    }
    if (!decoder.takesObjects() && has(MethodEntry.OBJECTS)) {
      throw new IllegalStateException(
          name() + " returns objects: request a Reply, or pass PluginObject.class as the type");
    }
  }

  /** Returns the decoder of a type: of JSON, an object, or the response with its objects. */
  @SuppressWarnings("unchecked")
  final <R> Decoder<R> decoder(Type type) {
    Plugin plugin = plugin();
    if (type == PluginObject.class) {
      return (Decoder<R>) new Reply.ObjectDecoder(plugin);
    }
    if (type == Reply.class) {
      return (Decoder<R>) new Reply.ReplyDecoder(plugin);
    }
    return answer -> (R) plugin.codec().decode(answer.bytes(), type);
  }

  final Callee callee() {
    return callee;
  }

  final void checkJson() {
    if (encoding() != Encoding.JSON) {
      throw notJson();
    }
  }

  /**
   * Creates the exception for a call with text or objects to a method whose encoding isn't JSON.
   * For backends only.
   *
   * @return the exception, for the caller to throw
   */
  protected final IllegalStateException notJson() {
    return new IllegalStateException(
        "text and objects require the encoding json, but "
            + name()
            + " was prepared with the encoding "
            + encoding.text()
            + ": use callRawBytes, or prepare it with Encoding.JSON");
  }

  final byte[] encoded(Object request) {
    checkJson();
    return plugin().codec().encode(request);
  }

  /**
   * Returns the target of this method's calls. For backends only.
   *
   * @return the target that the constructor received
   */
  @SuppressWarnings("exports")
  protected final CallTarget target() {
    return target;
  }

  /**
   * Encodes the text of a request. For backends only.
   *
   * @param text any string
   * @return the text in UTF-8
   * @throws PluginException with {@link Status#INVALID_ARGUMENT} if the text has unpaired
   *     surrogates, which UTF-8 can't represent
   */
  protected static byte[] encode(String text) {
    return Text.encode(text);
  }

  /**
   * Decodes the text of a response. For backends only.
   *
   * @param bytes the array that contains the text
   * @param offset the index of its first byte
   * @param length its length in bytes
   * @return the string
   * @throws PluginException with {@link Status#DATA_LOSS} if the bytes aren't valid UTF-8
   */
  protected static String decode(byte[] bytes, int offset, int length) {
    return Text.decode(bytes, offset, length);
  }

  @Override
  public final String toString() {
    return "Method[" + name() + " in " + encoding().text() + (isLeaf() ? ", leaf]" : "]");
  }
}
