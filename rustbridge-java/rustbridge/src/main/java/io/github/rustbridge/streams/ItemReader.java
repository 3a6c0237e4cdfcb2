package io.github.rustbridge.streams;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.CallSettings;
import io.github.rustbridge.calls.Callee;
import io.github.rustbridge.calls.ContextCapture;
import io.github.rustbridge.calls.NativeCalls;
import io.github.rustbridge.calls.ObjectRelease;
import io.github.rustbridge.calls.PendingCall;
import io.github.rustbridge.calls.ResponseReader;
import io.github.rustbridge.calls.SentItems;
import java.util.NoSuchElementException;

/**
 * Reads the items of a stream one by one, and waits for them. One thread at a time may read; any
 * thread may close it.
 *
 * @param <T> an item's type
 */
public final class ItemReader<T> {
  private final CallSettings settings;
  private final ResponseReader<T> reader;
  private final ItemStream stream;
  private final Runnable cancel;

  /** The call's context, which is reachable only from here; null for none. */
  @SuppressWarnings("UnusedVariable") // It keeps the context reachable.
  private final ContextCapture.Context context;

  private Answer next;
  private boolean over;
  private long takenItems;
  private long takenBytes;
  private boolean hasBegun;
  private boolean hasPassedHeaders;
  private byte[] trailers = Answer.NO_BYTES;

  /**
   * Starts the call.
   *
   * @param callee the method, and its instance
   * @param request the request
   * @param settings the call options
   * @param reader decodes the items
   * @param sent the items that the call sends; null for none
   */
  public ItemReader(
      Callee callee,
      byte[] request,
      CallSettings settings,
      ResponseReader<T> reader,
      SentItems sent) {
    this.reader = reader;
    this.settings = settings;
    stream = new ItemStream(callee, sent);
    cancel = stream::close;
    if (settings.cancellation != null && settings.cancellation.isCancelled()) {
      throw PendingCall.cancelled();
    }
    stream.begin(request, settings, settings.data(reader.takesObjects()), settings.windowItems);
    context = stream.contexts == null ? null : stream.contexts.moved(stream.context);
    if (settings.cancellation != null) {
      settings.cancellation.register(cancel);
    }
  }

  /** Returns the task that cancels the stream after this reader became unreachable. */
  public Runnable onDrop() {
    return stream;
  }

  /** Waits for the next item; false if the stream has ended. */
  public boolean hasNext() {
    while (next == null && !over) {
      if (stream.isClosed()) {
        over = true;
        stream.discard();
        throw PendingCall.cancelled();
      }
      // In this order: all items have arrived before the end is visible.
      Answer end = stream.end();
      next = stream.poll();
      if (next != null) {
        if (!stream.keep(next)) {
          next = null;
          continue;
        }
        grantCredit(next.bytes().length, end == null);
        passHeaders();
      } else if (end != null) {
        passHeaders();
        finish(end);
      } else {
        stream.await();
      }
    }
    return next != null;
  }

  /**
   * Passes on the initial metadata once, before the first item or the end. If that throws, the
   * stream is over, and items that have arrived are discarded.
   */
  private void passHeaders() {
    if (hasPassedHeaders) {
      return;
    }
    hasPassedHeaders = true;
    try {
      settings.passHeaders(stream.headers);
    } catch (Throwable thrown) {
      over = true;
      next = null;
      close();
      stream.run();
      throw thrown;
    }
  }

  /** Grants more credit when half of the window has been consumed. */
  private void grantCredit(int bytes, boolean goesOn) {
    hasBegun = true;
    takenItems++;
    takenBytes += bytes;
    if (goesOn
        && (takenItems >= Math.max(1, settings.windowItems / 2)
            || takenBytes >= Math.max(1, settings.windowBytes / 2))) {
      NativeCalls.demand(stream.natives, stream.number, takenItems, takenBytes);
      takenItems = 0;
      takenBytes = 0;
    }
  }

  private void finish(Answer end) {
    over = true;
    unregister();
    if (!end.isFine()) {
      ObjectRelease.release(stream.natives, end.objects());
      settings.passTrailers(end.trailers());
      throw reader.failure(end);
    }
    trailers = end.trailers();
    settings.passTrailers(trailers);
  }

  private void unregister() {
    if (settings.cancellation != null) {
      settings.cancellation.remove(cancel);
    }
  }

  /** Waits for the next item, and returns it. */
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
    return reader.read(item);
  }

  /**
   * Waits until the initial metadata, an item or the end has arrived.
   *
   * @return the initial metadata in the layout of the host ABI; null for none
   */
  public byte[] headers() {
    if (stream.headers == null && !hasBegun && !over) {
      stream.await();
      // Also if an item has arrived, so that the result doesn't depend on the timing.
      if (stream.headers == null && stream.isClosed()) {
        throw PendingCall.cancelled();
      }
    }
    passHeaders();
    return stream.headers;
  }

  /** Returns the trailing metadata in the layout of the host ABI, after the stream has ended. */
  public byte[] trailers() {
    return trailers;
  }

  /** Cancels the stream in the plugin, if it hasn't ended. */
  public void close() {
    unregister();
    stream.close();
  }
}
