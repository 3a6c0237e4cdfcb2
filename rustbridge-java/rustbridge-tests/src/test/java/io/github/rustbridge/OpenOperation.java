package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.AsyncCall;
import io.github.rustbridge.calls.Batch;
import io.github.rustbridge.calls.CallData;
import io.github.rustbridge.calls.NativeCalls;
import io.github.rustbridge.calls.Poller;
import io.github.rustbridge.calls.Submission;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A call as the boundary has it, for the conformance cases: whatever it carries, event by event.
 */
public final class OpenOperation extends AsyncCall {
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Natives natives;

  /** An event: the end, items or demand. */
  public sealed interface Event permits End, Some, Demand {}

  /** The end. */
  @SuppressWarnings("ArrayRecordComponent")
  public record End(int status, byte[] bytes, byte[] trailers, long[] objects) implements Event {
    private static End of(Answer answer) {
      return new End(answer.status(), answer.bytes(), answer.trailers(), answer.objects());
    }
  }

  /** Items. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Some(byte[][] items, long[] objects) implements Event {}

  /** It asks for items. */
  public record Demand() implements Event {}

  private OpenOperation(Natives natives) {
    this.natives = natives;
  }

  /** What a call carries. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Begin(
      int how,
      long nanoseconds,
      byte[] trace,
      byte[] state,
      byte[] metadata,
      long[] objects,
      long items,
      long bytes,
      byte[] request) {}

  /** Begins a call. */
  public static OpenOperation begin(Method method, Begin begin) {
    OpenOperation operation = new OpenOperation(BackendChoice.get().natives());
    CallData carried =
        new CallData(
            begin.nanoseconds,
            begin.trace.length == 0 ? null : begin.trace,
            begin.state,
            begin.metadata,
            begin.objects,
            Answer.NO_OBJECTS,
            begin.how == 2 ? AbiLayout.RB_SUBMIT_OFFLOAD : 0,
            true,
            false,
            null);
    Answer atOnce =
        begin.how == 1
            ? Submission.call(method.callee(), begin.request, carried)
            : Submission.submit(
                method.callee(), begin.request, carried, operation, begin.items, begin.bytes);
    if (atOnce != null) {
      operation.done(atOnce);
    }
    return operation;
  }

  @Override
  public void done(Answer answer) {
    events.add(End.of(answer));
  }

  @Override
  public void items(Batch batch) {
    byte[][] items = new byte[batch.count()][];
    long[] objects = {};
    for (int index = 0; index < items.length; index++) {
      Answer item = batch.next();
      items[index] = item.bytes();
      int known = objects.length;
      objects = java.util.Arrays.copyOf(objects, known + item.objects().length);
      System.arraycopy(item.objects(), 0, objects, known, item.objects().length);
    }
    events.add(new Some(items, objects));
  }

  @Override
  public void demand(long items, long bytes) {
    events.add(new Demand());
  }

  /** Waits for an event; null if none has come. */
  public Event event(long millis) {
    try {
      return events.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  /** Asks it to end early. */
  public void cancel() {
    check(NativeCalls.cancel(natives, number));
  }

  /** Gives it up. */
  public void detach() {
    if (!Submission.abandon(natives, this)) {
      // What one that's over gets.
      check(NativeCalls.cancel(natives, number));
    }
  }

  /** Takes more. */
  public void demandMore(long items, long bytes) {
    check(NativeCalls.demand(natives, number, items, bytes));
  }

  /** Sends items. */
  public void send(byte[]... items) {
    check(NativeCalls.write(natives, number, items));
  }

  /** Ends what is sent. */
  public void finish(int status, byte[] payload) {
    check(NativeCalls.end(natives, number, status, payload));
  }

  /** Whether nothing is pending in this process. */
  public static boolean nothingIsPending() {
    return Poller.isIdle();
  }

  /** Releases an object. */
  public static void release(long object) {
    int status = BackendChoice.get().natives().releaseObject(object);
    if (status != 0) {
      throw PluginException.of(status, Answer.NO_BYTES);
    }
  }

  private static void check(Answer answer) {
    if (!answer.isFine()) {
      throw PluginFailures.exceptionOf(answer);
    }
  }
}
