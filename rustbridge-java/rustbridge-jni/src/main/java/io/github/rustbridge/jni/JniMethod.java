package io.github.rustbridge.jni;

import io.github.rustbridge.Method;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.MethodEntry;
import io.github.rustbridge.interop.ResponseBuffer;
import io.github.rustbridge.interop.Scratches;
import io.github.rustbridge.interop.Sizes;
import io.github.rustbridge.spi.Failures;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;

/**
 * A prepared method. The hot path: the request goes to the scratch, one native call with numbers
 * only, the response comes from the scratch.
 */
final class JniMethod extends Method {
  private static final Scratches<Scratch> SCRATCHES = new Scratches<>(Scratch::new);

  private final long handle;
  private final int entry;
  private final boolean json;

  /**
   * Whether the plugin writes its response to the storage bit by bit, so that more storage spares
   * it memory of its own. A response of raw bytes is in such memory anyway, and to hand that over
   * spares a copy.
   */
  private final boolean written;

  /**
   * The length of the last response that was handed over, if it was more than is kept; else 0.
   * Threads overwrite each other's: it only makes calls faster or slower.
   */
  private int expected;

  private final int responseSize;

  /** How much storage to offer for a response when nothing better is known. */
  private final int storage;

  /** How much storage to keep from call to call. */
  private final int bufferLimit;

  JniMethod(CallTarget target) {
    super(target);
    handle = target.handle();
    entry = target.entry();
    json = target.encoding() == AbiLayout.RB_ENCODING_JSON;
    written = target.encoding() != AbiLayout.RB_ENCODING_RAW;
    responseSize = target.responseSize();
    storage = target.storage();
    bufferLimit = target.bufferLimit();
  }

  int entry() {
    return entry;
  }

  @Override
  public String call(String json) {
    Objects.requireNonNull(json, "json");
    if (!this.json) {
      throw notJson();
    }
    byte[] request = encode(json);
    Scratch scratch = takeScratch();
    try {
      long result = cross(scratch, request, 0, request.length);
      if (result >= 0) {
        int length = (int) result;
        return decode(scratch.text(length, bufferLimit), 0, length);
      }
      byte[] response = take(scratch, result);
      return decode(response, 0, response.length);
    } finally {
      giveScratch(scratch);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte[] callRawBytes(byte[] request) {
    Objects.requireNonNull(request, "request");
    Scratch scratch = takeScratch();
    try {
      long result = cross(scratch, request, 0, request.length);
      return result >= 0 ? scratch.response((int) result) : take(scratch, result);
    } finally {
      giveScratch(scratch);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  protected void callInto(byte[] request, int length, ResponseBuffer response) {
    Scratch scratch = scratchBeside(response);
    try {
      long result = cross(scratch, request, 0, length);
      if (result >= 0) {
        scratch.response((int) result, response.room((int) result), 0);
      } else {
        response.take(take(scratch, result));
      }
    } finally {
      giveScratch(scratch);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public int callRaw(byte[] request, byte[] response) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(response, "response");
    checkRoom(response.length);
    Scratch scratch = takeScratch();
    try {
      long result = cross(scratch, request, 0, request.length);
      if (result < 0) {
        return takeIntoArray(result, scratch, response, 0, response.length);
      }
      int length = (int) result;
      checkFits(scratch, length, response.length);
      scratch.response(length, response, 0);
      return length;
    } finally {
      giveScratch(scratch);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public int callRaw(ByteBuffer request, ByteBuffer response) {
    return callRaw(request, MethodEntry.SHARED, response);
  }

  @Override
  public int callRawUnshared(ByteBuffer request, ByteBuffer response) {
    return callRaw(request, 0, response);
  }

  /**
   * Calls with buffers.
   *
   * @param shared {@link MethodEntry#SHARED} if the plugin mustn't get the request itself, else 0
   */
  private int callRaw(ByteBuffer request, int shared, ByteBuffer response) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(response, "response");
    if (response.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    int end = request.limit();
    int start = response.position();
    checkRoom(response.remaining());
    Scratch scratch = takeScratch();
    int length;
    try {
      length =
          response.remaining() > Sizes.JNI_COPIED && response.isDirect()
              ? callInPlace(scratch, request, shared, response)
              : callCopied(scratch, request, shared, response);
    } finally {
      giveScratch(scratch);
      Reference.reachabilityFence(request);
      Reference.reachabilityFence(response);
      Reference.reachabilityFence(this);
    }
    request.position(end);
    response.position(start + length);
    return length;
  }

  /** Calls with the response going through the scratch. */
  private int callCopied(Scratch scratch, ByteBuffer request, int shared, ByteBuffer response) {
    int start = response.position();
    int capacity = response.remaining();
    if (response.isDirect()) {
      // Before there is an outcome, which may have to be taken straight to the buffer.
      checkAlive(response);
    }
    long result = noted(cross(scratch, request, shared, scratch.storage(), scratch.capacity()));
    if (result >= 0) {
      int length = (int) result;
      checkFits(scratch, length, capacity);
      scratch.response(length, response, start);
      return length;
    }
    if (response.hasArray()) {
      return takeIntoArray(
          result, scratch, response.array(), response.arrayOffset() + start, capacity);
    }
    // Direct, as what can be written to is one or the other.
    int length = Native.takeIntoMemory(result, scratch.target(response) + start, capacity);
    if (length < 0) {
      throw tooLarge(take(scratch, result), capacity);
    }
    return length;
  }

  /** Calls with the response going straight to a direct buffer. */
  private int callInPlace(Scratch scratch, ByteBuffer request, int shared, ByteBuffer response) {
    int capacity = response.remaining();
    checkAlive(response);
    long storage = scratch.target(response) + response.position();
    int copied = shared;
    if (copied == 0 && isInPlace(request)) {
      // A plugin may still read the one while it writes the other.
      long source = scratch.source(request) + request.position();
      boolean apart = source + request.remaining() <= storage || storage + capacity <= source;
      copied = apart ? 0 : MethodEntry.SHARED;
    }
    long result = cross(scratch, request, copied, storage, capacity);
    if (result >= 0) {
      return (int) result;
    }
    int length = Native.takeIntoMemory(result, storage, capacity);
    if (length >= 0) {
      return length;
    }
    throw tooLarge(take(result, storage), capacity);
  }

  @Override
  public RawResponse callRawZeroCopy(byte[] request) {
    Objects.requireNonNull(request, "request");
    Scratch scratch = SCRATCHES.take();
    try {
      return lease(cross(scratch, request, 0, request.length, 0, 0));
    } finally {
      SCRATCHES.give(scratch);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public RawResponse callRawZeroCopy(ByteBuffer request) {
    return callRawZeroCopy(request, MethodEntry.SHARED);
  }

  @Override
  public RawResponse callRawZeroCopyUnshared(ByteBuffer request) {
    return callRawZeroCopy(request, 0);
  }

  private RawResponse callRawZeroCopy(ByteBuffer request, int shared) {
    Objects.requireNonNull(request, "request");
    int end = request.limit();
    Scratch scratch = SCRATCHES.take();
    RawResponse response;
    try {
      response = lease(cross(scratch, request, shared, 0, 0));
    } finally {
      SCRATCHES.give(scratch);
      Reference.reachabilityFence(request);
      Reference.reachabilityFence(this);
    }
    request.position(end);
    return response;
  }

  /** Wraps the result of a call that had no storage. */
  private RawResponse lease(long result) {
    long length = result < 0 ? Native.leaseLength(result) : 0;
    if (length < 0) {
      take(result, 0);
    }
    try {
      return new JniResponse(target(), result, length);
    } catch (Throwable outOfMemory) {
      if (result < 0) {
        Native.releaseOutcome(result);
      }
      throw outOfMemory;
    }
  }

  private long cross(Scratch scratch, byte[] request, int offset, int length) {
    return noted(cross(scratch, request, offset, length, scratch.storage(), scratch.capacity()));
  }

  private long cross(
      Scratch scratch, byte[] request, int offset, int length, long storage, long capacity) {
    if (length <= Sizes.JNI_REQUEST) {
      scratch.put(request, offset, length);
      return Native.callInto(handle, entry, scratch.request(), length, storage, capacity);
    }
    return Native.callArray(handle, entry, request, offset, length, storage, capacity);
  }

  private long cross(Scratch scratch, ByteBuffer request, int shared, long storage, long capacity) {
    int start = request.position();
    int length = request.remaining();
    if (isInPlace(request)) {
      checkAlive(request);
      long source = scratch.source(request) + start;
      return Native.callInto(handle, entry | shared, source, length, storage, capacity);
    }
    if (length <= Sizes.JNI_REQUEST) {
      scratch.put(request, start, length);
      return Native.callInto(handle, entry, scratch.request(), length, storage, capacity);
    }
    if (request.hasArray()) {
      int offset = request.arrayOffset() + start;
      return Native.callArray(handle, entry, request.array(), offset, length, storage, capacity);
    }
    // Read-only and on the heap: only the buffer itself can read it.
    byte[] copy = new byte[length];
    request.get(start, copy);
    return Native.callArray(handle, entry, copy, 0, length, storage, capacity);
  }

  /** Whether a request is read where it is. */
  private static boolean isInPlace(ByteBuffer request) {
    return request.remaining() > Sizes.JNI_COPIED && request.isDirect();
  }

  /**
   * Throws if the memory of a direct buffer is gone: of one over a foreign segment, that is, whose
   * arena is closed.
   */
  private static void checkAlive(ByteBuffer buffer) {
    if (buffer.hasRemaining()) {
      buffer.get(buffer.position());
    }
  }

  private Scratch takeScratch() {
    return ready(SCRATCHES.take());
  }

  /** The one that goes with what a response is received in. */
  private Scratch scratchBeside(ResponseBuffer response) {
    if (response.beside instanceof Scratch known) {
      return ready(known);
    }
    Scratch scratch = new Scratch();
    response.beside = scratch;
    return ready(scratch);
  }

  private Scratch ready(Scratch scratch) {
    int length = expected;
    if (length != 0) {
      scratch.enlarge(length);
    } else if (storage > scratch.capacity()) {
      scratch.expect(storage);
    }
    return scratch;
  }

  private void giveScratch(Scratch scratch) {
    if (scratch.isEnlarged()) {
      scratch.shrink();
    }
    SCRATCHES.give(scratch);
  }

  /** Expects no more than is kept once a response was less. */
  private long noted(long result) {
    if (expected != 0 && result >= 0 && result <= bufferLimit) {
      expected = 0;
    }
    return result;
  }

  /** Takes the outcome of a call that had the scratch's storage. */
  private byte[] take(Scratch scratch, long result) {
    byte[] bytes = take(result, scratch.storage());
    expect(scratch, bytes.length);
    return bytes;
  }

  /** Makes sure that the next response of this length needn't be handed over. */
  private void expect(Scratch scratch, int length) {
    if (!written) {
      return;
    }
    if (length > bufferLimit) {
      expected = length <= Sizes.LARGEST ? length : 0;
    } else if (!scratch.isEnlarged()) {
      scratch.expect(length);
    }
  }

  /** Takes an outcome: its bytes, or the exception that they make. */
  private static byte[] take(long result, long storage) {
    long[] out = new long[1];
    byte[] bytes = Native.takeOutcome(result, storage, out);
    if (out[0] != 0) {
      throw Failures.of((int) out[0], bytes);
    }
    return bytes;
  }

  /** Takes a response into an array of the caller's. */
  private int takeIntoArray(long result, Scratch scratch, byte[] array, int offset, int capacity) {
    int length = Native.takeIntoArray(result, array, offset, capacity);
    if (length < 0) {
      throw tooLarge(take(scratch, result), capacity);
    }
    expect(scratch, length);
    return length;
  }

  private static void checkFits(Scratch scratch, int length, int capacity) {
    if (length > capacity) {
      throw tooLarge(scratch.response(length), capacity);
    }
  }

  private static ResponseTooLargeException tooLarge(byte[] response, int capacity) {
    return new ResponseTooLargeException(response, capacity);
  }

  /** Refuses room that the response of a pod can't fit into, before the call is made. */
  private void checkRoom(int capacity) {
    if (responseSize > capacity) {
      target().checkRoom(capacity);
    }
  }
}
