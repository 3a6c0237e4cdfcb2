package io.github.rustbridge.jni;

import io.github.rustbridge.spi.Scratches;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * Native memory that a call borrows: a request is copied to its first half, and the response is
 * written to the second. Copying to a direct buffer whose address is known costs less than every
 * way in which JNI gives access to an array.
 */
final class Scratch extends Scratches.Scratch {
  /** Longest request that fits. */
  static final int REQUEST = 8 << 10;

  /**
   * Longest response that fits; longer ones are handed over by the plugin, and copied from there.
   */
  static final int STORAGE = 8 << 10;

  /** Longest request that memory is kept for. */
  static final int LARGE = 1 << 20;

  final ByteBuffer memory = ByteBuffer.allocateDirect(REQUEST + STORAGE);
  final long request = Native.address(memory);
  final long storage = request + REQUEST;

  /** Where responses that become text are copied to on their way. */
  final byte[] text = new byte[STORAGE];

  private ByteBuffer large;
  private long largeAddress;
  private final Known source = new Known();
  private final Known target = new Known();

  /**
   * Gives memory for a request that's too long for {@link #memory}.
   *
   * @param length at most {@link #LARGE}
   */
  ByteBuffer large(int length) {
    if (large == null || large.capacity() < length) {
      large =
          ByteBuffer.allocateDirect(Math.max(Integer.highestOneBit(length - 1) << 1, 4 * REQUEST));
      largeAddress = Native.address(large);
    }
    return large;
  }

  /** The address of what {@link #large} gave last. */
  long largeAddress() {
    return largeAddress;
  }

  /** The address of a direct buffer with a request. */
  long source(ByteBuffer buffer) {
    return source.address(buffer);
  }

  /** The address of a direct buffer for a response. */
  long target(ByteBuffer buffer) {
    return target.address(buffer);
  }

  /** Copies a response of this length out. */
  byte[] response(int length) {
    byte[] bytes = new byte[length];
    memory.get(REQUEST, bytes, 0, length);
    return bytes;
  }

  /**
   * The address of the buffer that was used last: asking JNI for it costs more than the call. It
   * can't change while the buffer lives, and this doesn't keep it alive.
   */
  private static final class Known {
    private WeakReference<ByteBuffer> buffer = new WeakReference<>(null);
    private long address;

    long address(ByteBuffer asked) {
      if (!buffer.refersTo(asked)) {
        address = Native.address(asked);
        buffer = new WeakReference<>(asked);
      }
      return address;
    }
  }
}
