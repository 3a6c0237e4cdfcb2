package io.github.rustbridge;

import io.github.rustbridge.internal.DropCleaner;
import io.github.rustbridge.streams.ItemReader;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;

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
  private final ItemReader<T> reader;
  private final boolean takesHeaders;
  private final Cleaner.Cleanable dropped;

  Items(ItemReader<T> reader, boolean takesHeaders) {
    this.reader = reader;
    this.takesHeaders = takesHeaders;
    dropped = DropCleaner.CLEANER.register(this, reader.onDrop());
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
      return reader.hasNext();
    } finally {
      Reference.reachabilityFence(this);
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
    try {
      return reader.next();
    } finally {
      Reference.reachabilityFence(this);
    }
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
    if (!takesHeaders) {
      return Metadata.empty();
    }
    try {
      byte[] headers = reader.headers();
      return headers == null ? Metadata.empty() : Metadata.unpacked(headers);
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
    return Metadata.unpacked(reader.trailers());
  }

  /** Cancels the stream in the plugin, if it hasn't ended. Further calls have no effect. */
  @Override
  public void close() {
    reader.close();
    dropped.clean();
  }
}
