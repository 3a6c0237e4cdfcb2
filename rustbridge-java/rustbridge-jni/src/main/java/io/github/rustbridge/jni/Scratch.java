package io.github.rustbridge.jni;

import io.github.rustbridge.interop.Scratches;
import io.github.rustbridge.interop.Sizes;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * Native memory that a call borrows: the request is copied there, and the response is written
 * there. Copying to a direct buffer whose address is known costs less than every way in which JNI
 * gives access to an array.
 *
 * <p>It begins small. A thread with a long request or response gets more memory, once, up to a
 * limit; what's longer still takes ways that keep nothing.
 */
final class Scratch extends Scratches.Scratch {
  private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * Sizes.FIRST);
  private final long address = Native.address(memory);

  /** For requests. */
  private ByteBuffer requests = memory;

  private int room = Sizes.FIRST;
  private long requestAddress = address;

  /** For responses: this buffer from the index {@link #start} on. */
  private ByteBuffer responses = memory;

  private int start = Sizes.FIRST;
  private int capacity = Sizes.FIRST;
  private long storage = address + Sizes.FIRST;

  /** What these four stand for while a call expects more; null otherwise. */
  private LargeStorage borrowed;

  private ByteBuffer ownResponses;
  private int ownStart;
  private int ownCapacity;
  private long ownStorage;

  /** Where responses that become text are copied to on their way. */
  private byte[] text = new byte[Sizes.FIRST];

  private final BufferAddress source = new BufferAddress();
  private final BufferAddress target = new BufferAddress();

  /** Copies a request of at most {@link Sizes#JNI_REQUEST} bytes to where {@link #request} says. */
  void put(byte[] bytes, int offset, int length) {
    if (length > room) {
      makeRoom(length);
    }
    requests.put(0, bytes, offset, length);
  }

  /** Copies a request of at most {@link Sizes#JNI_REQUEST} bytes to where {@link #request} says. */
  void put(ByteBuffer bytes, int offset, int length) {
    if (length > room) {
      makeRoom(length);
    }
    requests.put(0, bytes, offset, length);
  }

  /** The address of the request that was put last. */
  long request() {
    return requestAddress;
  }

  /** The address for a response. */
  long storage() {
    return storage;
  }

  /** How long a response may be there. */
  int capacity() {
    return capacity;
  }

  /** Copies the response to a new array. */
  byte[] response(int length) {
    byte[] bytes = new byte[length];
    responses.get(start, bytes, 0, length);
    return bytes;
  }

  /** Copies the response to an array of the caller's. */
  void response(int length, byte[] target, int offset) {
    responses.get(start, target, offset, length);
  }

  /** Copies the response to a buffer of the caller's. */
  void response(int length, ByteBuffer target, int offset) {
    target.put(offset, responses, start, length);
  }

  /** Copies the response to an array that is good until the next one, and kept if it's short. */
  byte[] text(int length, int kept) {
    if (length > kept) {
      return response(length);
    }
    if (length > text.length) {
      text = new byte[Sizes.rounded(length)];
    }
    responses.get(start, text, 0, length);
    return text;
  }

  /**
   * Makes room for responses of a length, so that they needn't be handed over: the plugin would
   * allocate, and the JVM would be asked once more for the bytes.
   */
  void expect(int length) {
    if (length <= capacity) {
      return;
    }
    try {
      ByteBuffer larger = ByteBuffer.allocateDirect(Sizes.rounded(length));
      use(larger, 0, larger.capacity(), Native.address(larger));
    } catch (OutOfMemoryError limited) {
      // By -XX:MaxDirectMemorySize, most likely. The call whose response is here already hasn't
      // failed for that.
    }
  }

  /**
   * Makes room for a response of megabytes, for one call, if there is some. {@link #shrink} has to
   * follow.
   *
   * @param length at most {@link Sizes#LARGEST}
   */
  void enlarge(int length) {
    if (borrowed != null) {
      // A call that had no stack left for giving it back.
      return;
    }
    borrowed = LargeStorage.take(length);
    if (borrowed != null) {
      ownResponses = responses;
      ownStart = start;
      ownCapacity = capacity;
      ownStorage = storage;
      use(borrowed.memory(), 0, borrowed.memory().capacity(), borrowed.address());
    }
  }

  /** Whether {@link #enlarge} has found room. */
  boolean isEnlarged() {
    return borrowed != null;
  }

  /** Undoes {@link #enlarge}. */
  void shrink() {
    LargeStorage back = borrowed;
    // Only then is it others', as this may have no stack left for what follows.
    use(ownResponses, ownStart, ownCapacity, ownStorage);
    borrowed = null;
    back.give();
  }

  private void use(ByteBuffer memory, int first, int length, long at) {
    responses = memory;
    start = first;
    capacity = length;
    storage = at;
  }

  private void makeRoom(int length) {
    ByteBuffer larger = ByteBuffer.allocateDirect(Sizes.rounded(length));
    long at = Native.address(larger);
    int size = larger.capacity();
    // Nothing can throw from here on, for want of stack, say: the address of one buffer with
    // another
    // would be one of freed memory.
    requests = larger;
    requestAddress = at;
    room = size;
  }

  /** The address of a direct buffer with a request. */
  long source(ByteBuffer buffer) {
    return source.address(buffer);
  }

  /** The address of a direct buffer for a response. */
  long target(ByteBuffer buffer) {
    return target.address(buffer);
  }

  /**
   * The address of the buffer that was used last: asking JNI for it costs more than the call. It
   * can't change while the buffer lives, and this doesn't keep it alive.
   */
  private static final class BufferAddress {
    private WeakReference<ByteBuffer> buffer = new WeakReference<>(null);
    private long address;

    long address(ByteBuffer asked) {
      if (!buffer.refersTo(asked)) {
        WeakReference<ByteBuffer> reference = new WeakReference<>(asked);
        long found = Native.address(asked);
        // Only now, as both belong together and nothing throws any more.
        address = found;
        buffer = reference;
      }
      return address;
    }
  }
}
