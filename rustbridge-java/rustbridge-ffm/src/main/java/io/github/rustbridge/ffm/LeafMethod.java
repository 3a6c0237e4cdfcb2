package io.github.rustbridge.ffm;

import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.MethodEntry;
import io.github.rustbridge.interop.ResponseBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Objects;

/**
 * A leaf method: its author declares it short, non-blocking and free of callbacks, and the native
 * library refuses the call if there is no such declaration. Calls don't leave the thread's Java
 * state, and pass arrays in place.
 *
 * <p>The JVM can't collect garbage before such a call returns. So large requests and responses use
 * the ordinary call: the duration of a method depends on the size of its data.
 */
final class LeafMethod extends OrdinaryMethod {
  /** The size of requests and responses up to which calls hold off the garbage collector. */
  private final int limit;

  private final int leafEntry;

  private final boolean pod;

  LeafMethod(CallTarget target) {
    super(target);
    limit = target.leafLimit();
    leafEntry = entry | MethodEntry.CALLED_AS_LEAF;
    pod = responseSize > 0;
  }

  @Override
  public String call(String json) {
    Objects.requireNonNull(json, "json");
    checkJson();
    byte[] request = encode(json);
    if (request.length > limit) {
      return callText(request);
    }
    Scratch scratch = Scratch.take();
    try {
      byte[] storage = scratch.array(offered());
      long result = callInto(request, leafEntry, storage);
      if (result >= 0) {
        return decode(storage, 0, (int) result);
      }
      byte[] response = taken(result, scratch, storage);
      return decode(response, 0, response.length);
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte[] callRawBytes(byte[] request) {
    Objects.requireNonNull(request, "request");
    if (request.length > limit) {
      return super.callRawBytes(request);
    }
    if (!pod) {
      return callUnsized(request);
    }
    byte[] response = new byte[responseSize];
    try {
      long result = callInto(request, leafEntry | MethodEntry.SHARED, response);
      return result == responseSize ? response : resized(result, response);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** For encodings other than pod: how long the response is shows afterwards. */
  private byte[] callUnsized(byte[] request) {
    Scratch scratch = Scratch.take();
    try {
      byte[] storage = scratch.array(offered());
      long result = callInto(request, leafEntry | MethodEntry.SHARED, storage);
      return result >= 0 ? Arrays.copyOf(storage, (int) result) : taken(result, scratch, storage);
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  protected void callInto(byte[] request, int length, ResponseBuffer response) {
    if (length > limit) {
      super.callInto(request, length, response);
      return;
    }
    byte[] storage = response.room(offered());
    try {
      long result =
          Native.callIntoLeaf(
              handle,
              leafEntry,
              MemorySegment.ofArray(request),
              length,
              MemorySegment.ofArray(storage),
              Math.min(storage.length, limit));
      if (result >= 0) {
        response.room((int) result);
      } else {
        response.take(Outcome.take(result, MemorySegment.ofArray(storage)));
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public int callRaw(byte[] request, byte[] response) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(response, "response");
    checkRoom(response.length);
    if (request.length > limit) {
      return super.callRaw(request, response);
    }
    try {
      long result = callInto(request, leafEntry | MethodEntry.SHARED, response);
      if (result >= 0) {
        return (int) result;
      }
      MemorySegment target = MemorySegment.ofArray(response);
      return (int) Outcome.takeInto(result, target, target);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  long callRaw(MemorySegment request, int shared, MemorySegment response) {
    long length = request.byteSize();
    if (length > limit) {
      return super.callRaw(request, shared, response);
    }
    try {
      long result =
          Native.callIntoLeaf(
              handle,
              leafEntry | shared,
              request,
              length,
              response,
              Math.min(response.byteSize(), limit));
      return result >= 0 ? result : Outcome.takeInto(result, response, response);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  SegmentResponse callRawZeroCopy(MemorySegment request, int shared) {
    if (request.byteSize() > limit || smallStruct) {
      return super.callRawZeroCopy(request, shared);
    }
    Scratch scratch = Scratch.take();
    try {
      Response.clear(scratch.response);
      return handedOver(
          Native.callLeaf(handle, leafEntry | shared, request, scratch.response), scratch);
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  /** How long the array is that a response of unknown length gets, at least. */
  private int offered() {
    return Math.min(storage, limit);
  }

  private long callInto(byte[] request, int entry, byte[] storage) {
    return Native.callIntoLeaf(
        handle,
        entry,
        MemorySegment.ofArray(request),
        request.length,
        MemorySegment.ofArray(storage),
        Math.min(storage.length, limit));
  }

  /**
   * The response of a plugin that answers otherwise than it has described, or the exception of an
   * error.
   */
  private static byte[] resized(long result, byte[] storage) {
    return result >= 0
        ? Arrays.copyOf(storage, (int) result)
        : Outcome.take(result, MemorySegment.ofArray(storage));
  }

  /** Takes an outcome of a call whose storage was the scratch's array. */
  private byte[] taken(long result, Scratch scratch, byte[] storage) {
    byte[] response = Outcome.take(result, MemorySegment.ofArray(storage));
    if (response.length <= limit) {
      scratch.array(response.length);
    }
    return response;
  }
}
