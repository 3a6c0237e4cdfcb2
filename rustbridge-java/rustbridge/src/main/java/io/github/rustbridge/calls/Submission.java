package io.github.rustbridge.calls;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.Natives;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** Starts calls, and abandons pending ones. */
public final class Submission {
  private Submission() {}

  /**
   * Submits an asynchronous call, which receives its own events. Then the objects that were created
   * for the call are released, because a pending call keeps its objects.
   *
   * @param callee the method, and its instance
   * @param request the request
   * @param data the call's other data
   * @param call receives the events
   * @param items of a stream: the initial credit in items
   * @param bytes of a stream: the initial credit in bytes
   * @return the result, if the call has already completed; null if it's pending
   */
  public static Answer submit(
      Callee callee, byte[] request, CallData data, AsyncCall call, long items, long bytes) {
    try {
      return submitted(callee, request, data, call, items, bytes);
    } finally {
      ObjectRelease.release(callee.natives(), data.created());
    }
  }

  private static Answer submitted(
      Callee callee, byte[] request, CallData data, AsyncCall call, long items, long bytes) {
    CallTarget target = callee.target();
    Natives natives = callee.natives();
    Poller poller = Poller.of(natives, callee.failures());
    call.contexts = callee.contexts();
    call.context = data.context(call.contexts);
    Block block = Block.take(natives);
    boolean isPending = false;
    try {
      block.reserve(data.room(request.length));
      ByteBuffer structs = block.structs;
      int at = Block.SUBMISSION;
      structs.putInt(at, AbiLayout.SIZEOF_SUBMISSION);
      structs.putLong(at + AbiLayout.SUBMISSION_INSTANCE, target.handle());
      structs.putInt(at + AbiLayout.SUBMISSION_ENTRY, target.entry());
      structs.putInt(at + AbiLayout.SUBMISSION_FLAGS, data.flags());
      structs.putLong(at + AbiLayout.SUBMISSION_CALL_CONTEXT, data.header(block, call.context));
      structs.putLong(at + AbiLayout.SUBMISSION_REQUEST, data.request(block, request));
      structs.putLong(at + AbiLayout.SUBMISSION_REQUEST_LEN, request.length);
      block.offer(at + AbiLayout.SUBMISSION_RESPONSE);
      structs.putLong(at + AbiLayout.SUBMISSION_DEMAND_ITEMS, items);
      structs.putLong(at + AbiLayout.SUBMISSION_DEMAND_BYTES, bytes);
      poller.slots.put(call);
      int status;
      try {
        structs.putLong(at + AbiLayout.SUBMISSION_USER_DATA, call.key);
        int refused = natives.submit(poller.queue, block.address + at, 1);
        status = refused != 0 ? refused : structs.getInt(at + AbiLayout.SUBMISSION_STATUS);
        if (refused != 0) {
          block.clear(at + AbiLayout.SUBMISSION_RESPONSE);
        }
      } catch (Throwable failed) {
        poller.slots.take(call);
        throw failed;
      }
      if (status == AbiLayout.RB_PENDING) {
        call.number = structs.getLong(at + AbiLayout.SUBMISSION_OP);
        isPending = true;
        poller.ensureRunning();
        return null;
      }
      poller.slots.take(call);
      return data.answer(block, status, at + AbiLayout.SUBMISSION_RESPONSE);
    } finally {
      if (!isPending) {
        call.endContext();
      }
      block.give();
      Reference.reachabilityFence(target.instance());
    }
  }

  /**
   * Calls a method, and waits in the native library. Then the objects that were created for the
   * call are released.
   *
   * @param callee the method, and its instance
   * @param request the request
   * @param data the call's other data
   * @return the result
   */
  public static Answer call(Callee callee, byte[] request, CallData data) {
    try {
      return called(callee, request, data);
    } finally {
      ObjectRelease.release(callee.natives(), data.created());
    }
  }

  private static Answer called(Callee callee, byte[] request, CallData data) {
    CallTarget target = callee.target();
    Natives natives = callee.natives();
    Contexts contexts = callee.contexts();
    long context = data.context(contexts);
    Block block = Block.take(natives);
    try {
      block.reserve(data.room(request.length));
      long header = data.header(block, context);
      long at = data.request(block, request);
      block.offer(Block.RESPONSE);
      int status =
          natives.callWith(
              target.handle(),
              target.entry(),
              header,
              at,
              request.length,
              block.address + Block.RESPONSE);
      return data.answer(block, status, Block.RESPONSE);
    } finally {
      block.give();
      if (context != 0) {
        contexts.end(context);
      }
      Reference.reachabilityFence(target.instance());
    }
  }

  /**
   * Abandons a pending call, which receives no more events.
   *
   * @return whether this call of the function abandoned it
   */
  public static boolean abandon(Natives natives, AsyncCall call) {
    Poller poller = Poller.started();
    if (poller == null || !poller.slots.take(call)) {
      return false;
    }
    NativeCalls.detach(natives, call.number);
    return true;
  }
}
