package io.github.rustbridge.ffm;

import io.github.rustbridge.spi.Failures;
import io.github.rustbridge.spi.PreparedMethod;
import io.github.rustbridge.spi.Text;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A method that may block: the JVM's garbage collector moves arrays meanwhile, so they are copied
 * to and from scratch memory. Also how calls of leaves are made that move too much to hold the
 * collector off.
 *
 * <p>Each path ends in a fence for this object: it holds the plugin, which would be closed if it
 * were found unreachable between the last use of this object's fields and the call.
 */
sealed class OrdinaryMethod extends SegmentMethod permits LeafMethod {
  OrdinaryMethod(PreparedMethod prepared) {
    super(prepared);
  }

  @Override
  public String call(String json) {
    Objects.requireNonNull(json, "json");
    checkJson();
    return callText(Text.encode(json));
  }

  final String callText(byte[] request) {
    Scratch scratch = Scratch.take();
    try {
      long address = scratch.request(request.length);
      if (address == 0) {
        byte[] response = callLarge(request, scratch);
        return Text.decode(response, 0, response.length);
      }
      Native.write(request, request.length, address);
      long result =
          Native.callInto(
              handle, entry, address, request.length, scratch.storage, scratch.capacity);
      if (result >= 0) {
        int length = (int) result;
        Native.read(scratch.storage, scratch.array, length);
        return Text.decode(scratch.array, 0, length);
      }
      byte[] response = taken(result, scratch);
      return Text.decode(response, 0, response.length);
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte[] callRawBytes(byte[] request) {
    Objects.requireNonNull(request, "request");
    Scratch scratch = Scratch.take();
    try {
      long address = scratch.request(request.length);
      if (address == 0) {
        return callLarge(request, scratch);
      }
      Native.write(request, request.length, address);
      long result =
          Native.callInto(
              handle, entry, address, request.length, scratch.storage, scratch.capacity);
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
  public int callRaw(byte[] request, byte[] response) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(response, "response");
    checkRoom(response.length);
    Scratch scratch = Scratch.take();
    try {
      long address = scratch.request(request.length);
      if (address != 0) {
        Native.write(request, request.length, address);
        long result =
            Native.callInto(
                handle, entry, address, request.length, scratch.storage, scratch.capacity);
        if (0 <= result && result <= response.length) {
          Native.read(scratch.storage, response, (int) result);
          return (int) result;
        }
        return (int) copied(result, scratch, MemorySegment.ofArray(response));
      }
    } finally {
      scratch.give();
      Reference.reachabilityFence(this);
    }
    return (int) callCopied(MemorySegment.ofArray(request), MemorySegment.ofArray(response));
  }

  @Override
  public long callRaw(MemorySegment request, MemorySegment response) {
    Objects.requireNonNull(request, "request");
    checkTarget(response);
    if (!request.isNative() || !response.isNative() || overlap(request, response)) {
      return callCopied(request, response);
    }
    try {
      long result = Native.callInto(handle, entry, request, response);
      return result >= 0 ? result : Outcome.takeInto(result, response, response);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public SegmentResponse callRawZeroCopy(byte[] request) {
    Objects.requireNonNull(request, "request");
    return callRawZeroCopy(MemorySegment.ofArray(request));
  }

  @Override
  public SegmentResponse callRawZeroCopy(MemorySegment request) {
    Objects.requireNonNull(request, "request");
    Scratch scratch = Scratch.take();
    long allocated = 0;
    try {
      Response.clear(scratch.response);
      int status;
      if (request.isNative()) {
        status = Native.call(handle, entry, request, scratch.response);
      } else {
        long length = request.byteSize();
        long address = scratch.request(length);
        if (address == 0) {
          allocated = Native.allocate(length);
          address = allocated;
        }
        MemorySegment.copy(request, 0, Native.MEMORY, address, length);
        status = Native.call(handle, entry, address, length, scratch.response);
      }
      return handedOver(status, scratch);
    } finally {
      if (allocated != 0) {
        Native.free(allocated);
      }
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  /** Makes a lease of the response that the scratch describes, or an exception of the error. */
  final SegmentResponse handedOver(int status, Scratch scratch) {
    if (status == 0) {
      return new SegmentResponse(prepared(), scratch.response);
    }
    try {
      throw Failures.of(
          status,
          Response.bytes(Response.data(scratch.response), Response.length(scratch.response)));
    } finally {
      Native.releaseResponse(scratch.response);
    }
  }

  /** Calls with a request that no scratch has room for. */
  private byte[] callLarge(byte[] request, Scratch scratch) {
    long address = Native.allocate(request.length);
    try {
      Native.write(request, request.length, address);
      long result =
          Native.callInto(
              handle, entry, address, request.length, scratch.storage, scratch.capacity);
      return result >= 0 ? Native.read(scratch.storage, (int) result) : taken(result, scratch);
    } finally {
      Native.free(address);
    }
  }

  /** Calls with segments that can't go to the plugin as they are. */
  private long callCopied(MemorySegment request, MemorySegment response) {
    long length = request.byteSize();
    Scratch scratch = Scratch.take();
    long allocated = 0;
    try {
      long address = scratch.request(length);
      if (address == 0) {
        allocated = Native.allocate(length);
        address = allocated;
      }
      MemorySegment.copy(request, 0, Native.MEMORY, address, length);
      long result =
          Native.callInto(handle, entry, address, length, scratch.storage, scratch.capacity);
      return copied(result, scratch, response);
    } finally {
      if (allocated != 0) {
        Native.free(allocated);
      }
      scratch.give();
      Reference.reachabilityFence(this);
    }
  }

  /** Copies a call's response, wherever it is, to the user's memory, and gives its length. */
  private static long copied(long result, Scratch scratch, MemorySegment response) {
    if (result < 0) {
      long length = Outcome.takeInto(result, scratch.storage(), response);
      scratch.expect(length);
      return length;
    }
    if (result > response.byteSize()) {
      throw Outcome.tooLarge(Native.read(scratch.storage, (int) result), response);
    }
    MemorySegment.copy(Native.MEMORY, scratch.storage, response, 0, result);
    return result;
  }

  /** Takes an outcome of a call whose storage was the scratch's native one. */
  private static byte[] taken(long result, Scratch scratch) {
    byte[] response = Outcome.take(result, scratch.storage());
    scratch.expect(response.length);
    return response;
  }
}
