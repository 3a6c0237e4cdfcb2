package io.github.rustbridge.calls;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import java.nio.ByteBuffer;

/** Functions of the native library for pending calls and service calls. Each is one native call. */
public final class NativeCalls {
  private NativeCalls() {}

  /** Requests the cancellation of a call. */
  public static Answer cancel(Natives natives, long number) {
    return checked(natives, (block, error) -> natives.cancel(number, error));
  }

  /** Detaches a call: the native library reports no more events of it. */
  public static void detach(Natives natives, long number) {
    checked(natives, (block, error) -> natives.detach(number, error));
  }

  /** Grants more credit to a call's stream. */
  public static Answer demand(Natives natives, long number, long items, long bytes) {
    return checked(natives, (block, error) -> natives.demand(number, items, bytes, error));
  }

  /** Sends items to a call, all in one batch. */
  public static Answer write(Natives natives, long number, byte[]... items) {
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

  /** Ends the items that are sent to a call. */
  public static Answer end(Natives natives, long number, int status, byte[] payload) {
    return checked(
        natives,
        (block, error) -> {
          block.reserve(payload.length);
          return natives.end(number, status, block.put(0, payload), payload.length, error);
        });
  }

  /** Closes an instance, and cancels its pending calls after a time. */
  public static Answer close(
      Natives natives, long handle, long timeoutMillis, long cancelAfterMillis) {
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

  /** Completes a deferred service call. */
  public static Answer reply(Natives natives, long number, int status, byte[] payload) {
    return checked(
        natives,
        (block, error) -> {
          block.reserve(payload.length);
          return natives.serviceReply(number, status, block.put(0, payload), payload.length, error);
        });
  }

  /** Writes the response of a service call inside its function. */
  public static void respond(Natives natives, long response, byte[] payload) {
    Block block = Block.take(natives);
    try {
      block.reserve(payload.length);
      natives.respond(response, block.put(0, payload), payload.length);
    } finally {
      block.give();
    }
  }

  /** Defers a service call; returns the number by which {@link #reply} completes it. */
  public static long defer(Natives natives, long call, FailureMapping failures) {
    Block block = Block.take(natives);
    try {
      long error = block.clear(Block.ERROR);
      int status = natives.serviceDefer(call, block.address + Block.NUMBER, error);
      byte[] payload = block.taken(Block.ERROR);
      if (status != 0) {
        throw failures.exception(new Answer(status, payload));
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
      return new Answer(status, error);
    } finally {
      block.give();
    }
  }
}
