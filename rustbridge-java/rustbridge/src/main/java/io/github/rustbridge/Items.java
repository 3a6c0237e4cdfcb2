package io.github.rustbridge;

import io.github.rustbridge.internal.Loggers;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The items of a stream, for a loop. Waiting parks the thread, so a virtual thread releases its
 * carrier thread.
 *
 * <pre>{@code
 * try (Items<Tick> ticks = method.iterate(every, Tick.class)) {
 *   for (Tick tick : ticks) {
 *     use(tick);
 *   }
 * }
 * }</pre>
 *
 * <p>If the stream fails, {@link PluginException} is thrown after the items that have arrived;
 * otherwise the stream is complete. Closing it before its end cancels it in the plugin. If it
 * becomes unreachable without being closed, the garbage collector cancels it at some later time,
 * and logs a warning.
 *
 * <p>One thread at a time may read items. Any thread may close the stream; then a thread that waits
 * for an item throws {@link CancellationException}. A thread that is interrupted while it waits
 * throws it as well. Its interrupt status remains set, and the stream is closed.
 *
 * @param <T> an item's type
 */
// Both, since a stream is taken once, in a loop or by hand.
@SuppressWarnings("IterableAndIterator")
public final class Items<T> implements Iterator<T>, Iterable<T>, AutoCloseable {
  private final Reading<T> reading;
  private final CallOptions options;
  private final Stream stream;
  private final Cleaner.Cleanable dropped;
  private final Runnable cancel;

  /** The context of the call, which is kept here alone; null for none. */
  @SuppressWarnings("UnusedVariable") // It's there to be reachable.
  private final ContextSnapshot context;

  private Answer next;
  private boolean over;
  private long takenItems;
  private long takenBytes;
  private boolean hasBegun;
  private boolean isTold;
  private Metadata trailers = Metadata.empty();

  /** What is ended. Refers to the items by nothing. */
  private static final class Stream extends Incoming implements Runnable {
    private volatile Thread waiter;
    private volatile boolean closed;

    /** What came with objects and is about to be taken: whoever has it out deals with them. */
    private final AtomicReference<Answer> fetched = new AtomicReference<>();

    private Stream(Method method, Outgoing outgoing) {
      super(method, outgoing);
    }

    @Override
    void arrived() {
      if (closed) {
        // It came while the stream was given up.
        discardWaiting();
      }
      LockSupport.unpark(waiter);
    }

    @Override
    boolean isClosed() {
      return closed;
    }

    private void close() {
      closed = true;
      abandon();
      LockSupport.unpark(waiter);
    }

    /** Keeps what came with objects for the consumer; false if the stream was closed meanwhile. */
    private boolean keep(Answer item) {
      if (item.objects().length == 0) {
        return true;
      }
      fetched.set(item);
      // In this order: whoever closes looks for it after having said so.
      if (closed) {
        giveBack();
        return false;
      }
      return true;
    }

    /** Gives back what was kept. */
    private void giveBack() {
      Answer unwanted = fetched.getAndSet(null);
      if (unwanted != null) {
        Calls.release(natives, unwanted);
      }
    }

    /** Whether what was kept is the consumer's; false if the stream was closed meanwhile. */
    private boolean takeOut(Answer item) {
      return item.objects().length == 0 || fetched.compareAndSet(item, null);
    }

    /** Waits for news. */
    private void await() {
      Drainer.checkMayWait();
      waiter = Thread.currentThread();
      while (!hasNews() && !closed) {
        LockSupport.park(this);
        if (Thread.currentThread().isInterrupted()) {
          close();
        }
      }
      waiter = null;
    }

    /** Cancels the stream, when its items have become unreachable. */
    @Override
    public void run() {
      if (end() == null && !closed) {
        close();
        Loggers.of("rustbridge")
            .log(
                System.Logger.Level.WARNING,
                "a stream of " + method.name() + " was dropped without close()");
      }
      discard();
      giveBack();
    }
  }

  Items(Method method, byte[] request, CallOptions options, Reading<T> reading, Outgoing outgoing) {
    Objects.requireNonNull(options, "options");
    this.reading = reading;
    this.options = options;
    stream = new Stream(method, outgoing);
    cancel = stream::close;
    if (options.cancellation != null) {
      if (options.cancellation.isCancelled()) {
        throw PendingCall.cancelled();
      }
    }
    stream.begin(request, options, options.carried(reading.takesObjects()), options.windowItems);
    context = stream.contexts == null ? null : stream.contexts.moved(stream.context);
    if (options.cancellation != null) {
      options.cancellation.register(cancel);
    }
    dropped = Ending.cleaner().register(this, stream);
  }

  /**
   * Returns these items.
   *
   * @return these items
   */
  @Override
  public Iterator<T> iterator() {
    return this;
  }

  /**
   * Waits for the next item.
   *
   * @return whether there is another item
   * @throws PluginException if the stream has failed; it's thrown once, and after that there are no
   *     more items
   * @throws CancellationException if the stream is closed, or the thread was interrupted
   * @throws IllegalStateException if the call would wait on the thread that polls the completions
   */
  @Override
  public boolean hasNext() {
    try {
      while (next == null && !over) {
        if (stream.closed) {
          over = true;
          stream.discard();
          throw PendingCall.cancelled();
        }
        // In this order: what came before the end is there when the end is seen.
        Answer end = stream.end();
        next = stream.poll();
        if (next != null) {
          if (!stream.keep(next)) {
            next = null;
            continue;
          }
          took(next.bytes().length, end == null);
          tellHeaders();
        } else if (end != null) {
          tellHeaders();
          finish(end);
        } else {
          stream.await();
        }
      }
      return next != null;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Tells of headers, once, after it was seen what they come before. The stream is over if that
   * throws, and what came meanwhile is given back.
   */
  private void tellHeaders() {
    if (isTold) {
      return;
    }
    isTold = true;
    try {
      options.tell(stream.headers);
    } catch (Throwable thrown) {
      over = true;
      next = null;
      close();
      throw thrown;
    }
  }

  /** Asks for more when half was taken. */
  private void took(int bytes, boolean goesOn) {
    hasBegun = true;
    takenItems++;
    takenBytes += bytes;
    if (goesOn
        && (takenItems >= Math.max(1, options.windowItems / 2)
            || takenBytes >= Math.max(1, options.windowBytes / 2))) {
      Operations.demand(stream.natives, stream.number, takenItems, takenBytes);
      takenItems = 0;
      takenBytes = 0;
    }
  }

  private void finish(Answer end) {
    over = true;
    forget();
    if (!end.isFine()) {
      Calls.release(stream.natives, end);
      options.tellTrailers(end);
      throw end.failure();
    }
    trailers = Metadata.unpacked(end.trailers());
    options.tellTrailers(end);
  }

  private void forget() {
    if (options.cancellation != null) {
      options.cancellation.forget(cancel);
    }
  }

  /**
   * Returns the next item, and waits for it.
   *
   * @return the item
   * @throws NoSuchElementException if there are no more items
   * @throws PluginException under the same conditions as {@link #hasNext}
   * @throws CancellationException also if the item has objects, and the stream was closed after
   *     {@link #hasNext} had returned
   * @throws IllegalArgumentException if the codec can't read the item
   */
  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the stream has ended");
    }
    Answer item = next;
    next = null;
    if (!stream.takeOut(item)) {
      over = true;
      throw PendingCall.cancelled();
    }
    return reading.read(stream.method.plugin(), item);
  }

  /**
   * Waits until the initial metadata, an item or the end has arrived. Doesn't consume an item, and
   * doesn't throw the stream's failure.
   *
   * @return the initial metadata; empty if the plugin sent none. Unless {@link
   *     CallOptions#withHeaders()} requested it, it's empty and the method doesn't wait
   * @throws CancellationException if the stream was closed before the metadata arrived, or the
   *     thread was interrupted
   * @throws IllegalStateException if the call would wait on the thread that polls the completions
   */
  public Metadata headers() {
    if (!options.takesHeaders) {
      return Metadata.empty();
    }
    try {
      if (stream.headers == null && !hasBegun && !over) {
        stream.await();
        // Also if something else has come, so that it doesn't depend on who was faster.
        if (stream.headers == null && stream.closed) {
          throw PendingCall.cancelled();
        }
      }
      tellHeaders();
      byte[] said = stream.headers;
      return said == null ? Metadata.empty() : Metadata.unpacked(said);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the trailing metadata, which the plugin sends with the end of the stream.
   *
   * @return the trailing metadata, after {@link #hasNext} has returned false
   */
  public Metadata trailers() {
    return trailers;
  }

  /** Cancels the stream in the plugin, if it hasn't ended. Further calls have no effect. */
  @Override
  public void close() {
    forget();
    stream.close();
    dropped.clean();
  }
}
