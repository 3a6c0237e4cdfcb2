package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.CallData;
import io.github.rustbridge.calls.CallSettings;
import io.github.rustbridge.calls.ContextCapture;
import io.github.rustbridge.calls.Contexts;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.objects.ObjectSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The options of a call. Immutable; each method returns a changed copy.
 *
 * <pre>{@code
 * CallOptions options =
 *     CallOptions.timeout(Duration.ofSeconds(2)).withMetadata("tenant", "blue");
 * CompletableFuture<Page> page = fetch.callAsync(request, Page.class, options);
 * }</pre>
 */
public final class CallOptions {
  private static final CallOptions DEFAULTS = new CallOptions(new Settings());

  final Settings settings;

  /** The options. They are changed only until the options that contain them are returned. */
  static final class Settings extends CallSettings {
    private Duration timeout;
    private Metadata metadata = Metadata.empty();
    private TraceContext trace;

    /** The borrowed objects: each a {@link PluginObject} or an {@link ObjectSource}. */
    private List<Object> objects = List.of();

    private boolean offloaded;
    private boolean takesHeaders;

    /** Receives the initial metadata, or null. */
    private Consumer<? super Metadata> headers;

    /** Receives the trailing metadata, or null. */
    private Consumer<? super Metadata> trailers;

    private Settings() {}

    private Settings(Settings from) {
      super(from);
      timeout = from.timeout;
      metadata = from.metadata;
      trace = from.trace;
      objects = from.objects;
      offloaded = from.offloaded;
      takesHeaders = from.takesHeaders;
      headers = from.headers;
      trailers = from.trailers;
    }

    boolean takesHeaders() {
      return takesHeaders;
    }

    @Override
    public boolean passesMetadata() {
      return headers != null || trailers != null;
    }

    @Override
    public void passHeaders(byte[] packed) {
      if (headers != null && packed != null && packed.length != 0) {
        headers.accept(Metadata.unpacked(packed));
      }
    }

    @Override
    public void passTrailers(byte[] packed) {
      if (trailers != null && packed.length != 0) {
        trailers.accept(Metadata.unpacked(packed));
      }
    }

    @Override
    public CallData data(boolean wantsReply, boolean offloads, ContextCapture capture) {
      TraceContext part = trace != null ? trace : Telemetry.current();
      boolean runsElsewhere = offloaded || offloads;
      if (part == null
          && timeout == null
          && metadata.isEmpty()
          && objects.isEmpty()
          && !runsElsewhere
          && !takesHeaders
          && trailers == null) {
        return capture != null
            ? CallData.nothing(wantsReply, capture)
            : wantsReply ? CallData.REPLY : CallData.NOTHING;
      }
      byte[] trace = part == null ? null : part.packed();
      byte[] state = part == null ? Answer.NO_BYTES : Text.encode(part.state());
      byte[] pairs = metadata.packed();
      long[] borrowed = objects.isEmpty() ? Answer.NO_OBJECTS : new long[objects.size()];
      // Last, because the call releases the created objects.
      long[] created = borrow(borrowed);
      return new CallData(
          nanos(),
          trace,
          state,
          pairs,
          borrowed,
          created,
          runsElsewhere ? AbiLayout.RB_SUBMIT_OFFLOAD : 0,
          true,
          takesHeaders,
          capture);
    }

    /**
     * Writes the numbers of the borrowed objects to an array.
     *
     * @return the numbers of those that were created for this call
     */
    private long[] borrow(long[] borrowed) {
      long[] created = Answer.NO_OBJECTS;
      int count = 0;
      for (int index = 0; index < borrowed.length; index++) {
        Object object = objects.get(index);
        try {
          if (object instanceof PluginObject existing) {
            borrowed[index] = existing.number();
            continue;
          }
          if (count == 0) {
            created = new long[borrowed.length - index];
          }
          created[count] = ((ObjectSource) object).create();
          borrowed[index] = created[count];
          count++;
        } catch (Throwable failed) {
          release(index, created);
          throw failed;
        }
      }
      return count == created.length ? created : Arrays.copyOf(created, count);
    }

    /** Releases the objects that were created before another one couldn't be created. */
    private void release(int end, long[] created) {
      int place = 0;
      for (Object object : objects.subList(0, end)) {
        if (object instanceof ObjectSource source) {
          source.release(created[place]);
          place++;
        }
      }
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

  private CallOptions(Settings settings) {
    this.settings = settings;
  }

  private CallOptions with(Consumer<Settings> change) {
    Settings copy = new Settings(settings);
    change.accept(copy);
    return new CallOptions(copy);
  }

  /**
   * Returns the defaults: no timeout, and no data except OpenTelemetry's current trace.
   *
   * @return the defaults
   */
  public static CallOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Creates options with a timeout.
   *
   * @param timeout see {@link #withTimeout}
   * @return the options
   */
  public static CallOptions timeout(Duration timeout) {
    return DEFAULTS.withTimeout(timeout);
  }

  /**
   * Limits the duration of the call, from its start. When the time is over, an asynchronous handler
   * is dropped, and the call fails with {@link Status#DEADLINE_EXCEEDED}. A synchronous handler has
   * to check the deadline itself.
   *
   * @param timeout the time; if the nanoseconds don't fit into a long, there's no limit
   * @return a copy
   * @throws IllegalArgumentException if it's negative
   */
  public CallOptions withTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("a timeout must be zero or more, not " + timeout);
    }
    return with(copy -> copy.timeout = timeout);
  }

  /**
   * Adds a pair to the metadata.
   *
   * @param key visible ASCII without capitals
   * @param value the value
   * @return a copy
   */
  public CallOptions withMetadata(String key, String value) {
    return withMetadata(settings.metadata.with(key, value));
  }

  /**
   * Sets the metadata.
   *
   * @param metadata the metadata that replaces the current one
   * @return a copy
   */
  public CallOptions withMetadata(Metadata metadata) {
    Objects.requireNonNull(metadata, "metadata");
    return with(copy -> copy.metadata = metadata);
  }

  /**
   * Sets the trace that the call is part of, instead of OpenTelemetry's current one.
   *
   * @param trace the trace
   * @return a copy
   */
  public CallOptions withTrace(TraceContext trace) {
    Objects.requireNonNull(trace, "trace");
    return with(copy -> copy.trace = trace);
  }

  /**
   * Sets the {@link Cancellation} by which other code can cancel the call.
   *
   * @param cancellation cancels the call
   * @return a copy
   */
  public CallOptions withCancellation(Cancellation cancellation) {
    Objects.requireNonNull(cancellation, "cancellation");
    return with(copy -> copy.cancellation = cancellation.signal);
  }

  /**
   * Cancels a blocking call if its thread is interrupted. The plugin is asked to cancel the call,
   * which then throws {@link PluginException} with {@link Status#CANCELLED}; the thread's interrupt
   * status remains set. If the call has its response by then, it returns the response.
   *
   * <p>The thread parks outside of native code, so a virtual thread releases its carrier thread,
   * and the method's handler runs on another thread. Without this option, a blocking call can't be
   * interrupted, and an interrupt stays pending.
   *
   * <p>Futures and streams don't need this option: {@code get()} throws {@link
   * InterruptedException}, and {@link Items} are closed.
   *
   * @return a copy
   */
  public CallOptions cancelOnInterrupt() {
    return with(copy -> copy.cancelsOnInterrupt = true);
  }

  /**
   * Runs the call's services in a context that is captured when the call starts. It's applied
   * inside the context of {@link PluginConfig#contextPropagation} and inside the contexts that
   * these options already capture. For a published stream, the call starts when a subscriber
   * subscribes.
   *
   * @param propagation captures the context
   * @return a copy
   */
  public CallOptions withContextPropagation(ContextPropagation propagation) {
    Objects.requireNonNull(propagation, "propagation");
    ContextCapture both =
        Contexts.inside(settings.propagation, new PropagationCapture(propagation));
    return with(copy -> copy.propagation = both);
  }

  /**
   * Sets the executor that completes futures, and so runs their dependent stages, and that calls
   * subscribers. The default is the default executor of {@link CompletableFuture}: {@link
   * java.util.concurrent.ForkJoinPool#commonPool()}, or a new thread for each task if that pool has
   * at most one thread.
   *
   * <p>Some executors run tasks on the calling thread: {@code Runnable::run}, or a pool whose
   * {@code ThreadPoolExecutor.CallerRunsPolicy} handles refused tasks. Such tasks run on the only
   * thread that polls the completions of all calls. They must not wait, read items of a plugin or
   * block in another way. Waiting for a call there throws {@link IllegalStateException}.
   *
   * <p>{@code execute} must not block either, as it does for a pool that waits for space in its
   * queue: no call would complete during that time.
   *
   * @param executor the executor
   * @return a copy
   */
  public CallOptions withExecutor(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    return with(copy -> copy.executor = executor);
  }

  /**
   * Limits how many items and bytes of a stream may be in flight. The defaults are 256 items and
   * 256 KiB. More are requested when half of either has been consumed. An item that is larger than
   * the window is sent alone.
   *
   * @param items the number of items, at least 1
   * @param bytes the number of bytes, at least 1
   * @return a copy
   */
  public CallOptions withWindow(long items, long bytes) {
    if (items < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "a window must be at least one item and one byte, not " + items + " and " + bytes);
    }
    return with(copy -> {
      copy.windowItems = items;
      copy.windowBytes = bytes;
    });
  }

  /**
   * Passes borrowed objects with the call, in the order of their positions in the request. For a
   * method of an object, the object itself is first.
   *
   * @param objects the objects, which replace the current ones; the caller keeps them
   * @return a copy
   */
  public CallOptions withObjects(PluginObject... objects) {
    List<Object> lent = List.of((Object[]) objects);
    return with(copy -> copy.objects = lent);
  }

  /** Inserts an object before the borrowed objects. */
  CallOptions withReceiver(PluginObject receiver) {
    List<Object> all = new ArrayList<>(settings.objects.size() + 1);
    all.add(receiver);
    all.addAll(settings.objects);
    return with(copy -> copy.objects = List.copyOf(all));
  }

  /** Inserts a request's objects after the first few borrowed objects, and before the others. */
  CallOptions lending(int first, List<Object> lent) {
    List<Object> objects = settings.objects;
    List<Object> all = new ArrayList<>(objects.subList(0, first));
    all.addAll(lent);
    all.addAll(objects.subList(first, objects.size()));
    return with(copy -> copy.objects = List.copyOf(all));
  }

  /**
   * Runs nothing of the call on the thread that starts it, unless the method is a leaf method. So
   * {@code callAsync} returns at once. Without this option, a synchronous handler runs on that
   * thread until it has completed, and an asynchronous handler until it first waits.
   *
   * @return a copy
   */
  public CallOptions offloaded() {
    return with(copy -> copy.offloaded = true);
  }

  /**
   * Requests the initial metadata, which the plugin sends before the rest of the response. It's
   * available from {@link Reply#headers()}, {@link Items#headers()} and {@link
   * PluginException#headers()}.
   *
   * @return a copy
   */
  public CallOptions withHeaders() {
    return with(copy -> copy.takesHeaders = true);
  }

  /**
   * Requests the initial metadata, like {@link #withHeaders()}, and passes it to a function. The
   * function is called once per call, before the response, the error or the first item. It isn't
   * called if the plugin sends no initial metadata.
   *
   * <pre>{@code
   * AtomicReference<Metadata> headers = new AtomicReference<>();
   * method.publish(request, Tick.class, options.withHeaders(headers::set)).subscribe(subscriber);
   * }</pre>
   *
   * <p>The function runs on the thread that waits for the call or reads its items, or on the
   * options' executor. It must not wait for the call. If it throws, the call fails with that
   * exception.
   *
   * @param function receives the initial metadata
   * @return a copy
   */
  public CallOptions withHeaders(Consumer<? super Metadata> function) {
    Objects.requireNonNull(function, "function");
    return with(copy -> {
      copy.takesHeaders = true;
      copy.headers = function;
    });
  }

  /**
   * Passes the trailing metadata to a function. The plugin sends it with the end of a call. The
   * function is called once per call, before its response or error, or after a stream's last item.
   * It isn't called if the plugin sends no trailing metadata.
   *
   * <pre>{@code
   * AtomicReference<Metadata> trailers = new AtomicReference<>();
   * Quote quote = pricing.quote(request, options.withTrailers(trailers::set));
   * }</pre>
   *
   * <p>The function runs on the thread that waits for the call or reads its items, or on the
   * options' executor. It must not wait for the call. If it throws, the call fails with that
   * exception.
   *
   * @param function receives the trailing metadata
   * @return a copy
   */
  public CallOptions withTrailers(Consumer<? super Metadata> function) {
    Objects.requireNonNull(function, "function");
    return with(copy -> copy.trailers = function);
  }
}
