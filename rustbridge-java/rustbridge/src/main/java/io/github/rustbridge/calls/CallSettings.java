package io.github.rustbridge.calls;

import io.github.rustbridge.internal.Threads;
import java.util.concurrent.Executor;

/**
 * The options of a call. The API's options have a subclass with their own types, from which it
 * writes the call's data. A copy is changed before others see it, and never afterwards.
 */
public abstract class CallSettings {
  /** Cancels the call from other code; null for none. */
  public CancelSignal cancellation;

  /** Whether an interrupt of the waiting thread cancels a blocking call. */
  public boolean cancelsOnInterrupt;

  /** Captures the context for the call's services; null if only the instance's propagation does. */
  public ContextCapture propagation;

  /** How many items of a stream may be in flight. */
  public long windowItems = 256;

  /** How many bytes of a stream may be in flight. */
  public long windowBytes = 1 << 18;

  /** Completes futures and calls subscribers. */
  public Executor executor = Threads.DEFAULT_EXECUTOR;

  /** Creates the defaults. */
  protected CallSettings() {}

  /** Creates a copy. */
  protected CallSettings(CallSettings from) {
    cancellation = from.cancellation;
    cancelsOnInterrupt = from.cancelsOnInterrupt;
    propagation = from.propagation;
    windowItems = from.windowItems;
    windowBytes = from.windowBytes;
    executor = from.executor;
  }

  /**
   * Returns the call's data. It's requested once for each call, when the call starts, and passed to
   * {@link Submission} at once.
   *
   * @param wantsReply whether trailing metadata and objects are needed
   * @param offloads whether nothing of the call may run on the calling thread
   * @param capture captures the call's context, in addition to the instance's propagation
   * @return the data
   */
  public abstract CallData data(boolean wantsReply, boolean offloads, ContextCapture capture);

  /** Returns the call's data, for a call that starts on the thread that requested it. */
  public final CallData data(boolean wantsReply) {
    return data(wantsReply, false, propagation);
  }

  /** Reports whether the options have a function for initial or trailing metadata. */
  public abstract boolean passesMetadata();

  /** Passes on initial metadata, if there is any and the options have a function for it. */
  public abstract void passHeaders(byte[] headers);

  /** Passes on trailing metadata, if there is any and the options have a function for it. */
  public abstract void passTrailers(byte[] trailers);

  /** Passes on the initial and trailing metadata of a completed call. */
  public final void passMetadata(Answer answer) {
    passHeaders(answer.headers());
    passTrailers(answer.trailers());
  }
}
