package io.github.rustbridge;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What a call carries besides its request, and how its end is told. Immutable; each method gives a
 * changed copy.
 *
 * <pre>{@code
 * CallOptions options =
 *     CallOptions.timeout(Duration.ofSeconds(2)).withMetadata("tenant", "blue");
 * CompletableFuture<Page> page = fetch.callAsync(request, Page.class, options);
 * }</pre>
 */
public final class CallOptions {
  /**
   * Where futures run what depends on them, unless said: the common pool, or where that has no
   * threads or one, a thread for each.
   */
  static final Executor ELSEWHERE = new CompletableFuture<>().defaultExecutor();

  private static final CallOptions DEFAULTS = new CallOptions(new Draft());

  final Duration timeout;
  final Metadata metadata;
  final TraceContext trace;
  final Cancellation cancellation;
  final List<PluginObject> objects;
  final boolean offloaded;
  final boolean takesHeaders;
  final boolean endsOnInterrupt;
  final ContextPropagation propagation;

  /** Who is told of headers, or null. */
  final Consumer<? super Metadata> headers;

  /** Receives the trailers, or null. */
  final Consumer<? super Metadata> trailers;

  final long windowItems;
  final long windowBytes;
  private final Executor executor;

  /** What a copy is changed in before it's made. */
  private static final class Draft {
    private Duration timeout;
    private Metadata metadata = Metadata.empty();
    private TraceContext trace;
    private Cancellation cancellation;
    private List<PluginObject> objects = List.of();
    private boolean offloaded;
    private boolean takesHeaders;
    private boolean endsOnInterrupt;
    private ContextPropagation propagation;
    private Consumer<? super Metadata> headers;
    private Consumer<? super Metadata> trailers;
    private long windowItems = 256;
    private long windowBytes = 1 << 18;
    private Executor executor;
  }

  private CallOptions(Draft draft) {
    timeout = draft.timeout;
    metadata = draft.metadata;
    trace = draft.trace;
    cancellation = draft.cancellation;
    objects = draft.objects;
    offloaded = draft.offloaded;
    takesHeaders = draft.takesHeaders;
    endsOnInterrupt = draft.endsOnInterrupt;
    propagation = draft.propagation;
    headers = draft.headers;
    trailers = draft.trailers;
    windowItems = draft.windowItems;
    windowBytes = draft.windowBytes;
    executor = draft.executor;
  }

  private CallOptions with(Consumer<Draft> change) {
    Draft draft = new Draft();
    draft.timeout = timeout;
    draft.metadata = metadata;
    draft.trace = trace;
    draft.cancellation = cancellation;
    draft.objects = objects;
    draft.offloaded = offloaded;
    draft.takesHeaders = takesHeaders;
    draft.endsOnInterrupt = endsOnInterrupt;
    draft.propagation = propagation;
    draft.headers = headers;
    draft.trailers = trailers;
    draft.windowItems = windowItems;
    draft.windowBytes = windowBytes;
    draft.executor = executor;
    change.accept(draft);
    return new CallOptions(draft);
  }

  /**
   * Gives the defaults: no timeout, nothing carried but OpenTelemetry's current trace.
   *
   * @return the defaults
   */
  public static CallOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Makes options with a timeout.
   *
   * @param timeout see {@link #withTimeout}
   * @return the options
   */
  public static CallOptions timeout(Duration timeout) {
    return DEFAULTS.withTimeout(timeout);
  }

  /**
   * Limits the time of the call, from when it begins. The plugin keeps it, and drops what the call
   * was doing; then it fails with {@link Status#DEADLINE_EXCEEDED}. A handler that isn't
   * asynchronous has to look for itself.
   *
   * @param timeout how much time there is; more than a long has nanoseconds is no limit
   * @return a copy
   * @throws IllegalArgumentException if it's negative
   */
  public CallOptions withTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("a timeout is zero or more, not " + timeout);
    }
    return with(draft -> draft.timeout = timeout);
  }

  /**
   * Adds a pair of metadata.
   *
   * @param key visible ASCII without capitals
   * @param value the value
   * @return a copy
   */
  public CallOptions withMetadata(String key, String value) {
    return withMetadata(metadata.with(key, value));
  }

  /**
   * Sets the metadata.
   *
   * @param metadata in place of what was there
   * @return a copy
   */
  public CallOptions withMetadata(Metadata metadata) {
    Objects.requireNonNull(metadata, "metadata");
    return with(draft -> draft.metadata = metadata);
  }

  /**
   * Says which trace the call is part of, in place of OpenTelemetry's current one.
   *
   * @param trace the trace
   * @return a copy
   */
  public CallOptions withTrace(TraceContext trace) {
    Objects.requireNonNull(trace, "trace");
    return with(draft -> draft.trace = trace);
  }

  /**
   * Has the call cancelled from elsewhere.
   *
   * @param cancellation what cancels it
   * @return a copy
   */
  public CallOptions withCancellation(Cancellation cancellation) {
    Objects.requireNonNull(cancellation, "cancellation");
    return with(draft -> draft.cancellation = cancellation);
  }

  /**
   * Has a blocking call cancelled if its thread is interrupted. The plugin is asked to end it, and
   * the call throws {@link PluginException} with {@link Status#CANCELLED}, while the thread's
   * interrupt status is set. A call that has its answer by then returns it.
   *
   * <p>The thread parks outside of native code, so a virtual one gives its carrier up, and the
   * method's handler runs elsewhere. Without this option a blocking call isn't interruptible, and
   * an interrupt stays pending. Futures and streams don't need it: {@code get()} throws {@link
   * InterruptedException}, and {@link Items} ends.
   *
   * @return a copy
   */
  public CallOptions cancelOnInterrupt() {
    return with(draft -> draft.endsOnInterrupt = true);
  }

  /**
   * Has the call's services run in a context that is captured when it begins, inside the one of
   * {@link PluginConfig#contextPropagation} and those that these options have. Subscribing begins a
   * published stream.
   *
   * @param propagation captures the context
   * @return a copy
   */
  public CallOptions withContextPropagation(ContextPropagation propagation) {
    Objects.requireNonNull(propagation, "propagation");
    ContextPropagation both = Contexts.inside(this.propagation, propagation);
    return with(draft -> draft.propagation = both);
  }

  /**
   * Says where futures are completed, and with that where what depends on them runs, and where
   * subscribers are called. Without it that's where a {@link CompletableFuture} runs what is
   * asynchronous: {@link java.util.concurrent.ForkJoinPool#commonPool()}, or where that has no
   * threads to speak of, a new one each.
   *
   * <p>An executor that runs in place, as {@code Runnable::run} does, and as a pool does that has
   * the caller run what it refuses ({@code ThreadPoolExecutor.CallerRunsPolicy}), runs it on the
   * one thread that fetches the ends of all calls: what runs there must not wait for anything, take
   * items from a plugin or block otherwise, and waiting for a call there throws {@link
   * IllegalStateException}. Nor may {@code execute} itself block, as it does for a pool that waits
   * for room in its queue: no call ends meanwhile.
   *
   * @param executor where
   * @return a copy
   */
  public CallOptions withExecutor(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    return with(draft -> draft.executor = executor);
  }

  /**
   * Says how much of a stream may be on its way: 256 items and 256 KiB unless said. More is asked
   * for when half of either was taken. A larger item comes all the same, alone.
   *
   * @param items how many, at least 1
   * @param bytes how many, at least 1
   * @return a copy
   */
  public CallOptions withWindow(long items, long bytes) {
    if (items < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "a window has at least one item and one byte, not " + items + " and " + bytes);
    }
    return with(draft -> {
      draft.windowItems = items;
      draft.windowBytes = bytes;
    });
  }

  /**
   * Lends objects to the call, in the order in which the request speaks of them; a method of an
   * object's has that first.
   *
   * @param objects the objects, in place of what was there; they stay yours
   * @return a copy
   */
  public CallOptions withObjects(PluginObject... objects) {
    List<PluginObject> lent = List.of(objects);
    return with(draft -> draft.objects = lent);
  }

  /** Puts an object before those that are lent. */
  CallOptions withReceiver(PluginObject receiver) {
    List<PluginObject> lent = new java.util.ArrayList<>(objects.size() + 1);
    lent.add(receiver);
    lent.addAll(objects);
    return with(draft -> draft.objects = List.copyOf(lent));
  }

  /** Puts what a request speaks of behind so many that are lent already, and before the others. */
  CallOptions lending(int first, List<Object> lent) {
    List<PluginObject> all = new java.util.ArrayList<>(objects.subList(0, first));
    for (Object one : lent) {
      all.add(((TypedObject) one).untyped());
    }
    all.addAll(objects.subList(first, objects.size()));
    return with(draft -> draft.objects = List.copyOf(all));
  }

  /**
   * Has nothing of a method that isn't leaf run on the thread that begins the call, so that {@code
   * callAsync} returns at once. Without it a handler that isn't asynchronous runs there to its end,
   * and one that is until it first waits.
   *
   * @return a copy
   */
  public CallOptions offloaded() {
    return with(draft -> draft.offloaded = true);
  }

  /**
   * Asks for the headers: metadata that the plugin says before anything else of the call. They're
   * beside what comes: {@link Reply#headers()}, {@link Items#headers()}, {@link
   * PluginException#headers()}.
   *
   * @return a copy
   */
  public CallOptions withHeaders() {
    return with(draft -> draft.takesHeaders = true);
  }

  /**
   * Asks for the headers, as {@link #withHeaders()} does, and has them told as well: once a call,
   * before its answer, error or first item, and not at all if the plugin says none.
   *
   * <pre>{@code
   * AtomicReference<Metadata> headers = new AtomicReference<>();
   * method.publish(request, Tick.class, options.withHeaders(headers::set)).subscribe(subscriber);
   * }</pre>
   *
   * <p>That runs on the thread that waits for the call or takes its items, or on the options'
   * executor; it mustn't wait for the call. The call fails with what it throws.
   *
   * @param told what is told
   * @return a copy
   */
  public CallOptions withHeaders(Consumer<? super Metadata> told) {
    Objects.requireNonNull(told, "told");
    return with(draft -> {
      draft.takesHeaders = true;
      draft.headers = told;
    });
  }

  /**
   * Passes the trailers to a function: metadata that the plugin sends with the end of a call. The
   * function is called once a call, before its response or error, or after a stream's last item. It
   * isn't called if the plugin sends no trailers.
   *
   * <pre>{@code
   * AtomicReference<Metadata> trailers = new AtomicReference<>();
   * Quote quote = pricing.quote(request, options.withTrailers(trailers::set));
   * }</pre>
   *
   * <p>The function runs on the thread that waits for the call or takes its items, or on the
   * options' executor. It must not wait for the call. If it throws, the call fails with that.
   *
   * @param function receives the trailers
   * @return a copy
   */
  public CallOptions withTrailers(Consumer<? super Metadata> function) {
    Objects.requireNonNull(function, "function");
    return with(draft -> draft.trailers = function);
  }

  /** Passes on headers and trailers of a call that has ended. */
  void tell(Answer answer) {
    tell(answer.headers());
    tellTrailers(answer);
  }

  /** Passes on trailers, if there are any and the options have a function for them. */
  void tellTrailers(Answer end) {
    if (trailers != null && end.trailers().length != 0) {
      trailers.accept(Metadata.unpacked(end.trailers()));
    }
  }

  /** Tells of headers, where there are some and somebody to tell. */
  void tell(byte[] said) {
    if (headers != null && said != null && said.length != 0) {
      headers.accept(Metadata.unpacked(said));
    }
  }

  Executor executor() {
    return executor != null ? executor : ELSEWHERE;
  }

  /** What the boundary is told. */
  Carried carried(boolean wantsReply) {
    return carried(wantsReply, propagation);
  }

  /** The same with another propagation. */
  Carried carried(boolean wantsReply, ContextPropagation propagation) {
    TraceContext part = trace != null ? trace : Telemetry.current();
    if (part == null
        && timeout == null
        && metadata.isEmpty()
        && objects.isEmpty()
        && !offloaded
        && !takesHeaders
        && trailers == null) {
      return propagation != null
          ? Carried.nothing(wantsReply, propagation)
          : wantsReply ? Carried.REPLY : Carried.NOTHING;
    }
    long[] lent = objects.isEmpty() ? Answer.NO_OBJECTS : new long[objects.size()];
    for (int index = 0; index < lent.length; index++) {
      lent[index] = objects.get(index).number();
    }
    return new Carried(
        nanos(),
        part == null ? null : part.packed(),
        part == null ? Answer.NO_BYTES : Text.encode(part.state()),
        metadata.packed(),
        lent,
        offloaded ? Layout.OFFLOAD : 0,
        true,
        takesHeaders,
        propagation);
  }

  private long nanos() {
    if (timeout == null) {
      return -1;
    }
    try {
      return timeout.toNanos();
    } catch (ArithmeticException huge) {
      return -1;
    }
  }
}
