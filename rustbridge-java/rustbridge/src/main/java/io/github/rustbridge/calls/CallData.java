package io.github.rustbridge.calls;

import io.github.rustbridge.interop.AbiLayout;
import java.nio.ByteBuffer;

/**
 * A call's data other than its request, in the layout of the host ABI.
 *
 * @param timeoutNanos the time until the deadline; -1 for no limit
 * @param trace 16 bytes of trace ID, 8 of span ID and 4 of flags; null for none
 * @param state the trace's state in UTF-8
 * @param metadata the metadata in the layout of the host ABI; empty for none
 * @param objects the numbers of the borrowed objects
 * @param created the numbers of those that were created for this call; {@link Submission} releases
 *     them
 * @param flags {@code RB_SUBMIT_OFFLOAD} or 0
 * @param hasReply whether trailing metadata and objects of the response are requested
 * @param takesHeaders whether initial metadata is requested; requires {@code hasReply}
 * @param propagation captures the call's context, in addition to the instance's; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // No one compares them.
public record CallData(
    long timeoutNanos,
    byte[] trace,
    byte[] state,
    byte[] metadata,
    long[] objects,
    long[] created,
    int flags,
    boolean hasReply,
    boolean takesHeaders,
    ContextCapture propagation) {
  /** The data of a call without options. */
  public static final CallData NOTHING = nothing(false, null);

  /** The data of a call without options that requests trailing metadata and objects. */
  public static final CallData REPLY = nothing(true, null);

  /** Returns the data of a call without options other than a propagation. */
  public static CallData nothing(boolean hasReply, ContextCapture propagation) {
    return new CallData(
        -1,
        null,
        Answer.NO_BYTES,
        Answer.NO_BYTES,
        Answer.NO_OBJECTS,
        Answer.NO_OBJECTS,
        0,
        hasReply,
        false,
        propagation);
  }

  private boolean isNothing() {
    return timeoutNanos < 0
        && trace == null
        && metadata.length == 0
        && objects.length == 0
        && !hasReply;
  }

  /** Returns the room in bytes that {@link #header} and {@link #request} need. */
  public long room(int request) {
    return (long) objects.length * Long.BYTES + metadata.length + state.length + request;
  }

  /**
   * Writes the request to a block that has the room.
   *
   * @return the request's address
   */
  public long request(Block block, byte[] request) {
    return block.put(objects.length * Long.BYTES + metadata.length + state.length, request);
  }

  /** Captures the call's context if the instance has services; returns its number, 0 for none. */
  public long context(Contexts contexts) {
    return contexts == null ? 0 : contexts.begin(propagation);
  }

  /**
   * Writes the call context; returns its address, 0 for none.
   *
   * @param context the context's number, or 0
   */
  public long header(Block block, long context) {
    if (context == 0 && isNothing()) {
      return 0;
    }
    ByteBuffer structs = block.structs;
    int at = Block.HEADER;
    structs.putInt(at, AbiLayout.SIZEOF_CALL_CONTEXT);
    int said =
        (timeoutNanos >= 0 ? AbiLayout.RB_CONTEXT_TIMEOUT : 0)
            | (trace != null ? AbiLayout.RB_CONTEXT_TRACE : 0)
            | (takesHeaders ? AbiLayout.RB_CONTEXT_HEADERS : 0);
    structs.putInt(at + AbiLayout.CALL_CONTEXT_FLAGS, said);
    structs.putLong(at + AbiLayout.CALL_CONTEXT_TIMEOUT_NS, Math.max(timeoutNanos, 0));
    structs.putLong(at + AbiLayout.CALL_CONTEXT_OP, context);
    structs.putLong(at + AbiLayout.CALL_CONTEXT_CANCELLED, 0);
    if (trace != null) {
      structs.put(at + AbiLayout.CALL_CONTEXT_TRACE_ID, trace);
    }
    int room = 0;
    for (long object : objects) {
      block.room().putLong(room, object);
      room += Long.BYTES;
    }
    structs.putInt(at + AbiLayout.CALL_CONTEXT_OBJECT_COUNT, objects.length);
    structs.putLong(
        at + AbiLayout.CALL_CONTEXT_OBJECTS, objects.length == 0 ? 0 : block.roomAddress());
    structs.putLong(
        at + AbiLayout.CALL_CONTEXT_METADATA, metadata.length == 0 ? 0 : block.put(room, metadata));
    structs.putLong(at + AbiLayout.CALL_CONTEXT_METADATA_LEN, metadata.length);
    room += metadata.length;
    structs.putLong(
        at + AbiLayout.CALL_CONTEXT_TRACE_STATE, state.length == 0 ? 0 : block.put(room, state));
    structs.putLong(at + AbiLayout.CALL_CONTEXT_TRACE_STATE + AbiLayout.TEXT_LEN, state.length);
    if (hasReply) {
      block.clear(Block.REPLY + AbiLayout.REPLY_TRAILERS);
      block.clear(Block.REPLY + AbiLayout.REPLY_OBJECTS);
    }
    if (takesHeaders) {
      block.clear(Block.REPLY + AbiLayout.REPLY_HEADERS_HEADERS);
    }
    structs.putLong(at + AbiLayout.CALL_CONTEXT_REPLY, hasReply ? block.address + Block.REPLY : 0);
    return block.address + at;
  }

  /** Reads the result of a completed call from the block. */
  public Answer answer(Block block, int status, int response) {
    if (takesHeaders) {
      return block.answerWithHeaders(status, response);
    }
    return hasReply ? block.answer(status, response) : new Answer(status, block.taken(response));
  }
}
