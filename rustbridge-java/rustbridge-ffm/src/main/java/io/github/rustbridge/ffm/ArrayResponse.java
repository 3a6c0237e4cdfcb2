package io.github.rustbridge.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A small struct in an array that this object owns. No memory has to be released, so nothing is
 * tracked or locked. It costs half as much as a response in the plugin's memory.
 */
final class ArrayResponse extends SegmentResponse {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final byte[] bytes;

  ArrayResponse(byte[] bytes) {
    super(bytes.length);
    this.bytes = bytes;
  }

  @Override
  Object lock() {
    return bytes;
  }

  // Copied, as an array can't be taken away from those who have a segment of it; nor has it an
  // alignment. Not by the arena's own allocation, which costs twice as much as the call did.
  //
  // Restricted: a wrong length would make a segment over foreign memory. It's the one that was
  // allocated.
  @Override
  @SuppressWarnings("restricted")
  MemorySegment toSegment(Arena arena, Runnable ended) {
    MemorySegment copy;
    long address = Native.allocate(bytes.length);
    try {
      copy =
          MemorySegment.ofAddress(address)
              .reinterpret(
                  bytes.length,
                  arena,
                  closed -> {
                    Native.free(address);
                    ended.run();
                  });
    } catch (Throwable refused) {
      Native.free(address);
      throw refused;
    }
    return copy.copyFrom(MemorySegment.ofArray(bytes)).asReadOnly();
  }

  @Override
  MemorySegment toView() {
    return toSegment(Arena.ofAuto(), () -> {});
  }

  @Override
  void release() {}

  @Override
  public byte[] toByteArray() {
    checkOpen();
    return bytes.clone();
  }

  @Override
  public byte getByte(long offset) {
    checkOpen();
    checkRange(offset, Byte.BYTES);
    return bytes[(int) offset];
  }

  @Override
  public int getInt(long offset) {
    checkOpen();
    checkRange(offset, Integer.BYTES);
    return (int) INT.get(bytes, (int) offset);
  }

  @Override
  public long getLong(long offset) {
    checkOpen();
    checkRange(offset, Long.BYTES);
    return (long) LONG.get(bytes, (int) offset);
  }
}
