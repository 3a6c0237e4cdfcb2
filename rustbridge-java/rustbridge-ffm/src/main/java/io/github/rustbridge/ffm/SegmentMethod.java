package io.github.rustbridge.ffm;

import io.github.rustbridge.Method;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.ResponseTooLargeException;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.MethodEntry;
import io.github.rustbridge.interop.Sizes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;

/**
 * A method that also accepts {@link MemorySegment}s. The plugin reads native memory in place,
 * without a copy, if no other thread can write to it.
 *
 * <p>With the backend {@code ffm}, every method is a segment method:
 *
 * <pre>{@code
 * SegmentMethod small = SegmentMethod.of(plugin.method("bench.small", Encoding.POD));
 * try (Arena arena = Arena.ofConfined()) {
 *   MemorySegment request = arena.allocate(small.requestSize(), 8);
 *   MemorySegment response = arena.allocate(small.responseSize(), 8);
 *   small.callRaw(request, response);
 * }
 * }</pre>
 *
 * <p>The arena of a segment stays open while a call uses it: closing it from another thread during
 * the call throws {@link IllegalStateException} there. A segment of a confined or global arena is
 * the cheapest; one of a shared arena costs some nanoseconds more. Heap segments of any array type
 * are passed in place to a leaf method if they are small, and copied otherwise.
 */
public abstract class SegmentMethod extends Method {
  /**
   * A thread that never runs, and so isn't the one that calls. A virtual one takes no class loader
   * and no thread-locals over from whoever is the first to come here.
   */
  private static final Thread OTHER =
      Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(() -> {});

  final long handle;
  final int entry;
  final int responseSize;

  /** How much storage to offer for a response when nothing better is known. */
  final int storage;

  /** How much storage to keep from call to call. */
  final int bufferLimit;

  /** Whether a response fits into an array of its own better than into the plugin's memory. */
  final boolean smallStruct;

  private final boolean json;

  SegmentMethod(CallTarget target) {
    super(target);
    handle = target.handle();
    entry = target.entry();
    responseSize = target.responseSize();
    smallStruct = 0 < responseSize && responseSize <= Sizes.SMALL_STRUCT;
    storage = target.storage();
    bufferLimit = target.bufferLimit();
    json = target.encoding() == AbiLayout.RB_ENCODING_JSON;
  }

  /**
   * Returns a method as a segment method.
   *
   * @param method any method
   * @return the same method
   * @throws IllegalArgumentException if the backend isn't {@code ffm}
   */
  public static SegmentMethod of(Method method) {
    Objects.requireNonNull(method, "method");
    if (method instanceof SegmentMethod segments) {
      return segments;
    }
    throw new IllegalArgumentException(
        "memory segments require the backend ffm, but "
            + method.name()
            + " was prepared by the backend "
            + method.plugin().backend()
            + ": start the JVM with -Drustbridge.backend=ffm on JDK 22 or later, or use byte arrays or buffers");
  }

  /**
   * Calls the method with the bytes of a segment, and writes the response to another segment.
   *
   * <p>The plugin receives a copy of the request if other threads may write to it, which is the
   * case for all segments except those of a confined arena. {@link #callRawUnshared(MemorySegment,
   * MemorySegment)} saves the copy.
   *
   * @param request the request: the whole segment
   * @param response the segment that receives the response, from its start; if it overlaps the
   *     request, the request is copied
   * @return the response's length
   * @throws PluginException if the call fails
   * @throws ResponseTooLargeException if the response doesn't fit; the exception holds the response
   * @throws IllegalArgumentException if {@code response} is read-only, or too small for the
   *     method's struct
   * @throws IllegalStateException if the arena of a segment is closed
   * @throws WrongThreadException if a segment's arena is confined to another thread
   */
  public final long callRaw(MemorySegment request, MemorySegment response) {
    Objects.requireNonNull(request, "request");
    checkTarget(response);
    // A plugin may still read the one while it writes the other.
    boolean copied = isShared(request) || overlap(request, response);
    return callRaw(request, copied ? MethodEntry.SHARED : 0, response);
  }

  /**
   * Calls the method like {@link #callRaw(MemorySegment, MemorySegment)}, but without copying the
   * request. The caller promises that no thread writes to the request until this method returns. So
   * the plugin reads native memory of any arena in place.
   *
   * <p>Breaking the promise may crash the JVM. For example, text that the plugin has already
   * checked may become invalid.
   *
   * @param request the request: the whole segment
   * @param response the segment that receives the response, from its start; if it overlaps the
   *     request, the request is copied
   * @return the response's length
   * @throws PluginException if the call fails
   * @throws ResponseTooLargeException if the response doesn't fit; the exception holds the response
   * @throws IllegalArgumentException if {@code response} is read-only, or too small for the
   *     method's struct
   * @throws IllegalStateException if the arena of a segment is closed
   * @throws WrongThreadException if a segment's arena is confined to another thread
   */
  public final long callRawUnshared(MemorySegment request, MemorySegment response) {
    Objects.requireNonNull(request, "request");
    checkTarget(response);
    return callRaw(request, overlap(request, response) ? MethodEntry.SHARED : 0, response);
  }

  /**
   * Calls.
   *
   * @param shared {@link MethodEntry#SHARED} if the plugin mustn't get the request itself, else 0
   */
  abstract long callRaw(MemorySegment request, int shared, MemorySegment response);

  /**
   * Calls the method with the bytes of a segment, and leaves the response in the plugin's memory.
   * The request is copied as in {@link #callRaw(MemorySegment, MemorySegment)}.
   *
   * @param request the request: the whole segment
   * @return the response; the caller must close it
   * @throws PluginException if the call fails
   * @throws IllegalStateException if the arena is closed
   * @throws WrongThreadException if the arena is confined to another thread
   */
  public final SegmentResponse callRawZeroCopy(MemorySegment request) {
    Objects.requireNonNull(request, "request");
    return callRawZeroCopy(request, isShared(request) ? MethodEntry.SHARED : 0);
  }

  /**
   * Calls the method like {@link #callRawZeroCopy(MemorySegment)}, but without copying the request.
   * The caller promises that no thread writes to the request until this method returns; see {@link
   * #callRawUnshared(MemorySegment, MemorySegment)}.
   *
   * @param request the request: the whole segment
   * @return the response; the caller must close it
   * @throws PluginException if the call fails
   * @throws IllegalStateException if the arena is closed
   * @throws WrongThreadException if the arena is confined to another thread
   */
  public final SegmentResponse callRawZeroCopyUnshared(MemorySegment request) {
    Objects.requireNonNull(request, "request");
    return callRawZeroCopy(request, 0);
  }

  /** As {@link #callRaw(MemorySegment, int, MemorySegment)}. */
  abstract SegmentResponse callRawZeroCopy(MemorySegment request, int shared);

  @Override
  public abstract SegmentResponse callRawZeroCopy(byte[] request);

  @Override
  public final SegmentResponse callRawZeroCopy(ByteBuffer request) {
    Objects.requireNonNull(request, "request");
    int end = request.limit();
    SegmentResponse response = callRawZeroCopy(MemorySegment.ofBuffer(request));
    request.position(end);
    return response;
  }

  @Override
  public final SegmentResponse callRawZeroCopyUnshared(ByteBuffer request) {
    Objects.requireNonNull(request, "request");
    int end = request.limit();
    SegmentResponse response = callRawZeroCopyUnshared(MemorySegment.ofBuffer(request));
    request.position(end);
    return response;
  }

  @Override
  public final int callRaw(ByteBuffer request, ByteBuffer response) {
    checkBuffers(request, response);
    int length = (int) callRaw(MemorySegment.ofBuffer(request), MemorySegment.ofBuffer(response));
    advance(request, response, length);
    return length;
  }

  @Override
  public final int callRawUnshared(ByteBuffer request, ByteBuffer response) {
    checkBuffers(request, response);
    int length =
        (int) callRawUnshared(MemorySegment.ofBuffer(request), MemorySegment.ofBuffer(response));
    advance(request, response, length);
    return length;
  }

  private static void checkBuffers(ByteBuffer request, ByteBuffer response) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(response, "response");
    if (response.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
  }

  private static void advance(ByteBuffer request, ByteBuffer response, int length) {
    request.position(request.limit());
    response.position(response.position() + length);
  }

  /** Refuses JSON text where it isn't spoken. */
  final void checkJson() {
    if (!json) {
      throw notJson();
    }
  }

  /** Refuses room that a struct won't fit into, before the call is made. */
  final void checkRoom(long capacity) {
    if (capacity < responseSize) {
      target().checkRoom(capacity);
    }
  }

  /** Refuses a segment that the response can't go to. */
  final void checkTarget(MemorySegment response) {
    Objects.requireNonNull(response, "response");
    if (response.isReadOnly()) {
      throw new IllegalArgumentException("the segment for the response is read-only");
    }
    checkRoom(response.byteSize());
  }

  /**
   * Whether any thread but this one can write to a segment's memory. One that is read-only may be a
   * view of another that isn't.
   */
  private static boolean isShared(MemorySegment segment) {
    return segment.isAccessibleBy(OTHER);
  }

  /**
   * Whether two segments share memory, so that a plugin would overwrite the request that it reads.
   */
  static boolean overlap(MemorySegment one, MemorySegment other) {
    if (one.isNative() && other.isNative()) {
      // By address: two segments over the same memory may have nothing else in common.
      long a = one.address();
      long b = other.address();
      return a < b + other.byteSize() && b < a + one.byteSize();
    }
    return one.asOverlappingSlice(other).isPresent();
  }
}
