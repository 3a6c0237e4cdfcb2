package io.github.rustbridge.ffm;

import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.ResponseBuffer;
import io.github.rustbridge.spi.Failures;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Objects;

/**
 * A method that may block. Since the garbage collector may move arrays during a call, they are
 * copied to and from scratch memory. Leaf methods with large requests or responses are called in
 * this way too.
 *
 * <p>Each path ends in a fence for this object, because it holds the plugin. Otherwise the plugin
 * could be found unreachable, and be closed, between the last use of this object's fields and the
 * call.
 */
class OrdinaryMethod extends SegmentMethod {
  OrdinaryMethod(CallTarget target) {
    super(target);
  }

  @Override
  public String call(String json) {
    Objects.requireNonNull(json, "json");
    checkJson();
    return callText(encode(json));
  }

  final String callText(byte[] request) {
    Scratch scratch = Scratch.take(request.length, storage, bufferLimit);
    try {
      Native.write(request, request.length, scratch.request);
      long result =
          Native.callInto(
              handle, entry, scratch.request, request.length, scratch.storage, scratch.capacity);
      if (result >= 0) {
        int length = (int) result;
        byte[] response = scratch.array(length);
        Native.read(scratch.storage, response, length);
        return decode(response, 0, length);
      }
      byte[] response = taken(result, scratch);
      // However large: writing it to storage costs less than having it handed over.
      scratch.expect(response.length, bufferLimit);
      return decode(response, 0, response.length);
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte[] callRawBytes(byte[] request) {
    Objects.requireNonNull(request, "request");
    Scratch scratch = Scratch.take(request.length, storage, bufferLimit);
    try {
      Native.write(request, request.length, scratch.request);
      long result =
          Native.callInto(
              handle, entry, scratch.request, request.length, scratch.storage, scratch.capacity);
      if (result >= 0) {
        return Native.read(scratch.storage, (int) result);
      }
      return taken(result, scratch);
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  protected void callInto(byte[] request, int length, ResponseBuffer response) {
    Scratch scratch = Scratch.take(length, storage, bufferLimit);
    try {
      Native.write(request, length, scratch.request);
      long result =
          Native.callInto(
              handle, entry, scratch.request, length, scratch.storage, scratch.capacity);
      if (result >= 0) {
        Native.read(scratch.storage, response.room((int) result), (int) result);
      } else {
        byte[] taken = taken(result, scratch);
        // As for text: the plugin writes it bit by bit.
        scratch.expect(taken.length, bufferLimit);
        response.take(taken);
      }
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public int callRaw(byte[] request, byte[] response) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(response, "response");
    checkRoom(response.length);
    Scratch scratch = Scratch.take(request.length, storage, bufferLimit);
    try {
      Native.write(request, request.length, scratch.request);
      long result =
          Native.callInto(
              handle, entry, scratch.request, request.length, scratch.storage, scratch.capacity);
      if (0 <= result && result <= response.length) {
        Native.read(scratch.storage, response, (int) result);
        return (int) result;
      }
      return (int) copied(result, scratch, MemorySegment.ofArray(response));
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  long callRaw(MemorySegment request, int shared, MemorySegment response) {
    if (!request.isNative() || !response.isNative()) {
      return callCopied(request, response);
    }
    try {
      long result = Native.callInto(handle, entry | shared, request, response);
      return result >= 0 ? result : Outcome.takeInto(result, response, response);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public SegmentResponse callRawZeroCopy(byte[] request) {
    if (smallStruct) {
      return new ArrayResponse(callRawBytes(request));
    }
    Objects.requireNonNull(request, "request");
    return callRawZeroCopy(MemorySegment.ofArray(request));
  }

  @Override
  SegmentResponse callRawZeroCopy(MemorySegment request, int shared) {
    if (smallStruct) {
      return callIntoArray(request, shared);
    }
    return request.isNative() ? lease(request, shared) : leaseCopied(request);
  }

  private SegmentResponse lease(MemorySegment request, int shared) {
    Scratch scratch = Scratch.take();
    try {
      Response.clear(scratch.response);
      return handedOver(Native.call(handle, entry | shared, request, scratch.response), scratch);
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  private SegmentResponse leaseCopied(MemorySegment request) {
    long length = request.byteSize();
    Scratch scratch = Scratch.take(length, storage, bufferLimit);
    try {
      MemorySegment.copy(request, 0, Native.MEMORY, scratch.request, length);
      Response.clear(scratch.response);
      return handedOver(
          Native.call(handle, entry, scratch.request, length, scratch.response), scratch);
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  /** Calls with the response going to an array that the result owns. */
  private SegmentResponse callIntoArray(MemorySegment request, int shared) {
    byte[] response = new byte[responseSize];
    int length = (int) callRaw(request, shared, MemorySegment.ofArray(response));
    return new ArrayResponse(length == responseSize ? response : Arrays.copyOf(response, length));
  }

  /** Makes a lease of the response that the scratch describes, or an exception of the error. */
  final SegmentResponse handedOver(int status, Scratch scratch) {
    if (status == 0) {
      try {
        return new LeasedResponse(target(), scratch.response);
      } catch (Throwable outOfMemory) {
        Native.releaseResponse(scratch.response);
        throw outOfMemory;
      }
    }
    try {
      throw Failures.of(
          status,
          Response.bytes(Response.data(scratch.response), Response.length(scratch.response)));
    } finally {
      Native.releaseResponse(scratch.response);
    }
  }

  /** Calls with segments that can't go to the plugin as they are. */
  private long callCopied(MemorySegment request, MemorySegment response) {
    long length = request.byteSize();
    Scratch scratch = Scratch.take(length, storage, bufferLimit);
    try {
      MemorySegment.copy(request, 0, Native.MEMORY, scratch.request, length);
      long result =
          Native.callInto(
              handle, entry, scratch.request, length, scratch.storage, scratch.capacity);
      return copied(result, scratch, response);
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  /** Copies a call's response, wherever it is, to the user's memory, and gives its length. */
  private long copied(long result, Scratch scratch, MemorySegment response) {
    if (result < 0) {
      long length = Outcome.takeInto(result, scratch.storage(), response);
      expectSmall(scratch, length);
      return length;
    }
    if (result > response.byteSize()) {
      throw Outcome.tooLarge(Native.read(scratch.storage, (int) result), response);
    }
    MemorySegment.copy(Native.MEMORY, scratch.storage, response, 0, result);
    return result;
  }

  /** Takes an outcome of a call whose storage was the scratch's native one. */
  private byte[] taken(long result, Scratch scratch) {
    byte[] response = Outcome.take(result, scratch.storage());
    expectSmall(scratch, response.length);
    return response;
  }

  /**
   * Large bytes are as well handed over: a plugin that makes them in memory of its own copies them
   * once less.
   */
  private void expectSmall(Scratch scratch, long length) {
    if (length <= bufferLimit) {
      scratch.expect(length, bufferLimit);
    }
  }
}
