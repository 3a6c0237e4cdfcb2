package io.github.rustbridge.calls;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory that one native call borrows: the structs, a buffer for a short response, and room for the
 * request's data.
 *
 * <p>Blocks are in a few places, of which a thread tries its own two: a service inside a call needs
 * a second block. So no thread keeps a block, which would be too much for a million virtual
 * threads.
 */
public final class Block {
  private static final int PLACES = 16;

  /** The distance between places, so that threads don't share cache lines. */
  private static final int STRIDE = 16;

  private static final AtomicReferenceArray<Block> FREE =
      new AtomicReferenceArray<>((PLACES + 1) * STRIDE);

  /** The largest room for requests that is kept. */
  private static final int KEPT = 1 << 18;

  // The offsets of the structs. Those that every call writes are at the start of cache lines.
  public static final int SUBMISSION = 0;
  public static final int HEADER = (AbiLayout.SIZEOF_SUBMISSION + 63) & -64;
  public static final int REPLY = HEADER + AbiLayout.SIZEOF_CALL_CONTEXT;
  public static final int ERROR = REPLY + AbiLayout.SIZEOF_REPLY_HEADERS;
  public static final int RESPONSE = ERROR + AbiLayout.SIZEOF_RESPONSE;
  public static final int NUMBER = RESPONSE + AbiLayout.SIZEOF_RESPONSE;
  public static final int BATCH = NUMBER + Long.BYTES;
  public static final int CLOSE = BATCH + AbiLayout.SIZEOF_BATCH;
  public static final int STORAGE = (CLOSE + AbiLayout.SIZEOF_CLOSE_OPTIONS + 63) & -64;
  public static final int CAPACITY = 1536;

  public final ByteBuffer structs =
      ByteBuffer.allocateDirect(STORAGE + CAPACITY).order(ByteOrder.nativeOrder());
  public final long address;
  private final Natives natives;
  private ByteBuffer room = ByteBuffer.allocateDirect(2048).order(ByteOrder.nativeOrder());
  private long roomAddress;

  private Block(Natives natives) {
    this.natives = natives;
    address = natives.address(structs);
    roomAddress = natives.address(room);
  }

  public static Block take(Natives natives) {
    int place = place();
    Block block = takeFrom(place);
    if (block == null) {
      block = takeFrom(place + 1);
    }
    return block != null && block.natives == natives ? block : new Block(natives);
  }

  private static Block takeFrom(int place) {
    return FREE.get(place) == null ? null : FREE.getAndSet(place, null);
  }

  public void give() {
    if (room.capacity() > KEPT) {
      room = ByteBuffer.allocateDirect(2048).order(ByteOrder.nativeOrder());
      roomAddress = natives.address(room);
    }
    int place = place();
    FREE.lazySet(FREE.get(place) == null ? place : place + 1, this);
  }

  private static int place() {
    return ((int) Thread.currentThread().getId() & PLACES - 1) * STRIDE + STRIDE;
  }

  /** Makes room for a number of bytes; its previous content is lost. */
  public void reserve(long size) {
    if (size > room.capacity()) {
      if (size > Integer.MAX_VALUE - 8) {
        throw new OutOfMemoryError(
            "a request of " + size + " bytes is larger than the largest buffer");
      }
      int capacity = (int) Math.min(Integer.MAX_VALUE - 8, size <= KEPT ? roundedUp(size) : size);
      ByteBuffer larger = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
      roomAddress = natives.address(larger);
      room = larger;
    }
  }

  private static long roundedUp(long size) {
    return Long.highestOneBit(size - 1) << 1;
  }

  /** Copies bytes to the room. */
  public long put(int at, byte[] bytes) {
    room.put(at, bytes);
    return roomAddress + at;
  }

  /** Returns the room, for writing numbers. */
  public ByteBuffer room() {
    return room;
  }

  public long roomAddress() {
    return roomAddress;
  }

  /** Clears an {@code rb_response}, so that a response in it is callee-allocated. */
  public long clear(int response) {
    structs.putLong(response + AbiLayout.RESPONSE_DATA, 0);
    structs.putLong(response + AbiLayout.RESPONSE_CAPACITY, 0);
    structs.putLong(response + AbiLayout.RESPONSE_LEN, 0);
    structs.putLong(response + AbiLayout.RESPONSE_RELEASE, 0);
    return address + response;
  }

  /** Offers the block's buffer to a response. */
  public void offer(int response) {
    structs.putLong(response + AbiLayout.RESPONSE_DATA, address + STORAGE);
    structs.putLong(response + AbiLayout.RESPONSE_CAPACITY, CAPACITY);
    structs.putLong(response + AbiLayout.RESPONSE_LEN, 0);
    structs.putLong(response + AbiLayout.RESPONSE_RELEASE, 0);
  }

  /** Copies a response, and releases it. */
  public byte[] taken(int response) {
    return taken(natives, structs, address, response, structs, address);
  }

  /** Copies a response with its reply, and releases both. */
  public Answer answer(int status, int response) {
    return answer(natives, status, structs, address, response, REPLY, structs, address);
  }

  /** Copies a response with its reply and initial metadata, and releases all. */
  public Answer answerWithHeaders(int status, int response) {
    byte[] headers = Answer.NO_BYTES;
    Throwable full = null;
    try {
      headers = taken(REPLY + AbiLayout.REPLY_HEADERS_HEADERS);
    } catch (OutOfMemoryError error) {
      full = error;
    }
    Answer answer = answer(status, response);
    if (full != null) {
      ObjectRelease.release(natives, answer.objects());
      throw (OutOfMemoryError) full;
    }
    return headers.length == 0 ? answer : answer.after(headers);
  }

  /**
   * Copies the bytes of an {@code rb_response}, and releases it.
   *
   * @param in the memory with the struct
   * @param at the address of that memory
   * @param response the struct's place there
   * @param storage the buffer that was offered to the response
   * @param start the address of that buffer
   */
  public static byte[] taken(
      Natives natives, ByteBuffer in, long at, int response, ByteBuffer storage, long start) {
    long length = in.getLong(response + AbiLayout.RESPONSE_LEN);
    boolean handedOver = in.getLong(response + AbiLayout.RESPONSE_RELEASE) != 0;
    try {
      if (length == 0) {
        return Answer.NO_BYTES;
      }
      if (length < 0 || length > Integer.MAX_VALUE - 8) {
        throw new OutOfMemoryError(
            "the response has "
                + Long.toUnsignedString(length)
                + " bytes, but a Java array has at most 2147483639");
      }
      byte[] bytes = new byte[(int) length];
      long data = in.getLong(response + AbiLayout.RESPONSE_DATA);
      if (handedOver) {
        natives.read(data, bytes);
      } else {
        storage.get((int) (data - start), bytes);
      }
      return bytes;
    } finally {
      release(natives, in, at, response);
    }
  }

  /** Releases a callee-allocated response. Further calls have no effect. */
  private static void release(Natives natives, ByteBuffer in, long at, int response) {
    if (in.getLong(response + AbiLayout.RESPONSE_RELEASE) != 0) {
      natives.releaseResponse(at + response);
      in.putLong(response + AbiLayout.RESPONSE_RELEASE, 0);
    }
  }

  /**
   * Copies a response with its trailing metadata and objects, and releases all three. If there is
   * no memory for that, the objects are released as well, since no caller receives them.
   *
   * @param in the memory with the structs
   * @param at the address of that memory
   * @param response the place of the {@code rb_response} there
   * @param reply the place of the {@code rb_reply} there
   * @param storage the buffer that was offered to the response
   * @param start the address of that buffer
   */
  public static Answer answer(
      Natives natives,
      int status,
      ByteBuffer in,
      long at,
      int response,
      int reply,
      ByteBuffer storage,
      long start) {
    int trailersAt = reply + AbiLayout.REPLY_TRAILERS;
    long[] objects = null;
    boolean whole = false;
    try {
      // First: the other parts can be released without being read.
      objects = objects(natives, in, at, reply + AbiLayout.REPLY_OBJECTS, storage, start);
      byte[] bytes = taken(natives, in, at, response, storage, start);
      byte[] trailers = taken(natives, in, at, trailersAt, storage, start);
      Answer answer = new Answer(status, bytes, trailers, objects);
      whole = true;
      return answer;
    } finally {
      if (!whole) {
        release(natives, in, at, response);
        release(natives, in, at, trailersAt);
        if (objects != null) {
          ObjectRelease.release(natives, objects);
        }
      }
    }
  }

  private static long[] objects(
      Natives natives, ByteBuffer in, long at, int response, ByteBuffer storage, long start) {
    long length = in.getLong(response + AbiLayout.RESPONSE_LEN);
    if (length == 0) {
      release(natives, in, at, response);
      return Answer.NO_OBJECTS;
    }
    long data = in.getLong(response + AbiLayout.RESPONSE_DATA);
    boolean handedOver = in.getLong(response + AbiLayout.RESPONSE_RELEASE) != 0;
    try {
      byte[] bytes = new byte[Math.toIntExact(length)];
      if (handedOver) {
        natives.read(data, bytes);
      } else {
        storage.get((int) (data - start), bytes);
      }
      return numbers(bytes);
    } catch (Throwable full) {
      // One by one, which needs little memory.
      byte[] one = new byte[Long.BYTES];
      for (long offset = 0; offset < length; offset += Long.BYTES) {
        if (handedOver) {
          natives.read(data + offset, one);
        } else {
          storage.get((int) (data + offset - start), one);
        }
        ObjectRelease.release(natives, numbers(one));
      }
      throw full;
    } finally {
      release(natives, in, at, response);
    }
  }

  /** Converts the bytes of an {@code objects} response to numbers. */
  private static long[] numbers(byte[] bytes) {
    long[] numbers = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer().get(numbers);
    return numbers;
  }
}
