package io.github.rustbridge;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.Natives;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** Submits calls and controls them, with one crossing each. */
final class Operations {
  private Operations() {}

  /**
   * Begins a call whose events come to an operation.
   *
   * @param items of a stream: how many items are taken at first
   * @param bytes of a stream: how many bytes are taken at first
   * @return how it has ended, at once; null if it's pending
   */
  static Answer begin(
      CallTarget method,
      byte[] request,
      CallData carried,
      Operation operation,
      long items,
      long bytes) {
    Natives natives = method.instance().natives();
    Drainer drainer = Drainer.of(natives);
    operation.contexts = ((Plugin) method.instance().owner()).contexts();
    operation.context = carried.context(operation.contexts);
    Block block = Block.take(natives);
    boolean isPending = false;
    try {
      block.reserve(carried.room(request.length));
      ByteBuffer structs = block.structs;
      int at = Block.SUBMISSION;
      structs.putInt(at, AbiLayout.SIZEOF_SUBMISSION);
      structs.putLong(at + AbiLayout.SUBMISSION_INSTANCE, method.handle());
      structs.putInt(at + AbiLayout.SUBMISSION_ENTRY, method.entry());
      structs.putInt(at + AbiLayout.SUBMISSION_FLAGS, carried.flags());
      structs.putLong(
          at + AbiLayout.SUBMISSION_CALL_CONTEXT, carried.header(block, operation.context));
      structs.putLong(at + AbiLayout.SUBMISSION_REQUEST, carried.request(block, request));
      structs.putLong(at + AbiLayout.SUBMISSION_REQUEST_LEN, request.length);
      block.offer(at + AbiLayout.SUBMISSION_RESPONSE);
      structs.putLong(at + AbiLayout.SUBMISSION_DEMAND_ITEMS, items);
      structs.putLong(at + AbiLayout.SUBMISSION_DEMAND_BYTES, bytes);
      drainer.slots.put(operation);
      int status;
      try {
        structs.putLong(at + AbiLayout.SUBMISSION_USER_DATA, operation.key);
        int refused = natives.submit(drainer.queue, block.address + at, 1);
        status = refused != 0 ? refused : structs.getInt(at + AbiLayout.SUBMISSION_STATUS);
        if (refused != 0) {
          block.clear(at + AbiLayout.SUBMISSION_RESPONSE);
        }
      } catch (Throwable failed) {
        drainer.slots.take(operation);
        throw failed;
      }
      if (status == AbiLayout.RB_PENDING) {
        operation.number = structs.getLong(at + AbiLayout.SUBMISSION_OP);
        isPending = true;
        drainer.ensureRunning();
        return null;
      }
      drainer.slots.take(operation);
      return carried.answer(block, status, at + AbiLayout.SUBMISSION_RESPONSE);
    } finally {
      if (!isPending) {
        operation.endContext();
      }
      block.give();
      Reference.reachabilityFence(method.instance());
    }
  }

  /** Calls and waits in the native library: what the thread carries to the end. */
  static Answer call(CallTarget method, byte[] request, CallData carried) {
    Natives natives = method.instance().natives();
    Contexts contexts = ((Plugin) method.instance().owner()).contexts();
    long context = carried.context(contexts);
    Block block = Block.take(natives);
    try {
      block.reserve(carried.room(request.length));
      long header = carried.header(block, context);
      long at = carried.request(block, request);
      block.offer(Block.RESPONSE);
      int status =
          natives.callWith(
              method.handle(),
              method.entry(),
              header,
              at,
              request.length,
              block.address + Block.RESPONSE);
      return carried.answer(block, status, Block.RESPONSE);
    } finally {
      block.give();
      if (context != 0) {
        contexts.end(context);
      }
      Reference.reachabilityFence(method.instance());
    }
  }

  /** Asks an operation to end early. */
  static Answer cancel(Natives natives, long number) {
    return checked(natives, (block, error) -> natives.cancel(number, error));
  }

  /** Gives an operation up: nothing is told of it any more. True for the one who did. */
  static boolean abandon(Natives natives, Operation operation) {
    if (!Drainer.of(natives).slots.take(operation)) {
      return false;
    }
    detach(natives, operation.number);
    return true;
  }

  /** Has the native library tell nothing of an operation any more. */
  static void detach(Natives natives, long number) {
    checked(natives, (block, error) -> natives.detach(number, error));
  }

  /** Takes more items of an operation's stream. */
  static Answer demand(Natives natives, long number, long items, long bytes) {
    return checked(natives, (block, error) -> natives.demand(number, items, bytes, error));
  }

  /** Sends items, all in one batch. */
  static Answer write(Natives natives, long number, byte[]... items) {
    return checked(
        natives,
        (block, error) -> {
          int size = 0;
          for (byte[] item : items) {
            size = Math.addExact(size, item.length);
          }
          boolean hasEnds = items.length != 1;
          int length = Math.addExact(size, hasEnds ? Integer.BYTES * items.length : 0);
          block.reserve(length);
          int at = 0;
          int end = size;
          for (byte[] item : items) {
            block.put(at, item);
            at += item.length;
            if (hasEnds) {
              block.room().putInt(end, at);
              end += Integer.BYTES;
            }
          }
          ByteBuffer structs = block.structs;
          structs.putInt(Block.BATCH, AbiLayout.SIZEOF_BATCH);
          structs.putInt(
              Block.BATCH + AbiLayout.BATCH_FLAGS, hasEnds ? AbiLayout.RB_BATCH_ENDS : 0);
          structs.putLong(
              Block.BATCH + AbiLayout.BATCH_DATA, length == 0 ? 0 : block.roomAddress());
          structs.putLong(Block.BATCH + AbiLayout.BATCH_LEN, length);
          structs.putInt(Block.BATCH + AbiLayout.BATCH_COUNT, items.length);
          structs.putInt(Block.BATCH + AbiLayout.BATCH_OBJECT_COUNT, 0);
          structs.putLong(Block.BATCH + AbiLayout.BATCH_OBJECTS, 0);
          return natives.write(number, block.address + Block.BATCH, error);
        });
  }

  /** Ends the items that are sent. */
  static Answer end(Natives natives, long number, int status, byte[] payload) {
    return checked(
        natives,
        (block, error) -> {
          block.reserve(payload.length);
          return natives.end(number, status, block.put(0, payload), payload.length, error);
        });
  }

  /** Closes an instance, cancelling what is pending after a time of its own. */
  static Answer close(Natives natives, long handle, long timeoutMillis, long cancelAfterMillis) {
    return checked(
        natives,
        (block, error) -> {
          ByteBuffer structs = block.structs;
          structs.putInt(Block.CLOSE, AbiLayout.SIZEOF_CLOSE_OPTIONS);
          structs.putInt(Block.CLOSE + AbiLayout.CLOSE_OPTIONS_FLAGS, AbiLayout.RB_CLOSE_CANCEL);
          structs.putLong(Block.CLOSE + AbiLayout.CLOSE_OPTIONS_TIMEOUT_MS, timeoutMillis);
          structs.putLong(Block.CLOSE + AbiLayout.CLOSE_OPTIONS_CANCEL_AFTER_MS, cancelAfterMillis);
          return natives.closeWith(handle, block.address + Block.CLOSE, error);
        });
  }

  /** Answers a service call that is answered later. */
  static Answer reply(Natives natives, long number, int status, byte[] payload) {
    return checked(
        natives,
        (block, error) -> {
          block.reserve(payload.length);
          return natives.serviceReply(number, status, block.put(0, payload), payload.length, error);
        });
  }

  /** Answers a service call in its function. */
  static void respond(Natives natives, long response, byte[] payload) {
    Block block = Block.take(natives);
    try {
      block.reserve(payload.length);
      natives.respond(response, block.put(0, payload), payload.length);
    } finally {
      block.give();
    }
  }

  /** The number by which a service call is answered later. */
  static long later(Natives natives, long call) {
    Block block = Block.take(natives);
    try {
      long error = block.clear(Block.ERROR);
      int status = natives.serviceDefer(call, block.address + Block.NUMBER, error);
      byte[] payload = block.taken(Block.ERROR);
      if (status != 0) {
        throw PluginException.of(status, payload);
      }
      return block.structs.getLong(Block.NUMBER);
    } finally {
      block.give();
    }
  }

  private interface Crossing {
    int cross(Block block, long error);
  }

  private static Answer checked(Natives natives, Crossing crossing) {
    Block block = Block.take(natives);
    try {
      int status = crossing.cross(block, block.clear(Block.ERROR));
      byte[] error = block.taken(Block.ERROR);
      return new Answer(status, error, Answer.NO_BYTES, Answer.NO_OBJECTS);
    } finally {
      block.give();
    }
  }
}
