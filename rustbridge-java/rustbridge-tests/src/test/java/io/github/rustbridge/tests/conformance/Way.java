package io.github.rustbridge.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Method;
import io.github.rustbridge.RawResponse;
import io.github.rustbridge.ResponseTooLargeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One of the ways to call a method. Each gives the response as bytes, so that all can be compared;
 * what only Java can see is asserted here.
 */
enum Way {
  /** By {@code callRawBytes}. */
  BYTES {
    @Override
    byte[] call(Method method, byte[] request, int capacity, int offset) {
      return method.callRawBytes(request);
    }
  },

  /** By {@code call(String)}, for JSON. */
  TEXT {
    @Override
    byte[] call(Method method, byte[] request, int capacity, int offset) {
      String text = new String(request, StandardCharsets.UTF_8);
      return method.call(text).getBytes(StandardCharsets.UTF_8);
    }
  },

  /** By {@code call(T, Class)} of what a map or list of Java's makes of the JSON. */
  OBJECTS {
    @Override
    byte[] call(Method method, byte[] request, int capacity, int offset) {
      try {
        Object response = method.call(Testee.JSON.readValue(request, Object.class), Object.class);
        return Testee.JSON.writeValueAsBytes(response);
      } catch (IOException problem) {
        throw new UncheckedIOException(problem);
      }
    }
  },

  /** By {@code callRaw} from array to array. */
  ARRAYS {
    @Override
    boolean hasStorage() {
      return true;
    }

    @Override
    byte[] call(Method method, byte[] request, int capacity, int offset) {
      byte[] storage = new byte[capacity];
      return orTooLarge(() -> Arrays.copyOf(storage, method.callRaw(request, storage)), capacity);
    }
  },

  /** By {@code callRaw} from a part of a heap buffer to a part of another. */
  HEAP_BUFFERS {
    @Override
    boolean hasStorage() {
      return true;
    }

    @Override
    byte[] call(Method method, byte[] request, int capacity, int offset) {
      ByteBuffer placed = ByteBuffer.allocate(request.length + 2 * GUARD);
      return throughBuffers(method, part(placed, GUARD, request), ByteBuffer::allocate, capacity);
    }
  },

  /**
   * By {@code callRaw} from a part of a direct buffer, misaligned if asked for, to a part of
   * another.
   */
  DIRECT_BUFFERS {
    @Override
    boolean hasStorage() {
      return true;
    }

    @Override
    boolean canMisalign() {
      return true;
    }

    @Override
    byte[] call(Method method, byte[] request, int capacity, int offset) {
      return throughBuffers(
          method, misaligned(request, offset), ByteBuffer::allocateDirect, capacity);
    }
  },

  /** By {@code callRawZeroCopy} of an array. */
  LEASE {
    @Override
    byte[] call(Method method, byte[] request, int capacity, int offset) {
      return taken(method.callRawZeroCopy(request));
    }
  },

  /** By {@code callRawZeroCopy} of a direct buffer, misaligned if asked for. */
  LEASE_OF_BUFFER {
    @Override
    boolean canMisalign() {
      return true;
    }

    @Override
    byte[] call(Method method, byte[] request, int capacity, int offset) {
      return taken(method.callRawZeroCopy(misaligned(request, offset)));
    }
  };

  private static final int GUARD = 32;
  private static final byte FILL = (byte) 0xa5;

  /**
   * Calls.
   *
   * @param capacity the storage's size, for those that {@link #hasStorage}
   * @param offset how far past a multiple of 16 the request lies, for those that {@link
   *     #canMisalign}
   */
  abstract byte[] call(Method method, byte[] request, int capacity, int offset);

  /** Tells whether the response goes into memory of the caller's, so that its size matters. */
  boolean hasStorage() {
    return false;
  }

  /** Tells whether the request's address can be chosen. */
  boolean canMisalign() {
    return false;
  }

  /** Asserts that storage too small for a pod is refused before the call, by naming both sizes. */
  void refusesStorageTooSmallForPod(Method method, byte[] request, int capacity) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> call(method, request, capacity, 0))
            .getMessage();
    assertTrue(message.contains(Integer.toString(method.responseSize())), message);
    assertTrue(message.contains(Integer.toString(capacity)), message);
  }

  private interface Attempt {
    byte[] call();
  }

  private interface Allocation {
    ByteBuffer of(int size);
  }

  private static byte[] orTooLarge(Attempt attempt, int capacity) {
    byte[] response;
    try {
      response = attempt.call();
    } catch (ResponseTooLargeException tooLarge) {
      response = tooLarge.response();
      assertTrue(response.length > capacity, "it would have fitted");
      assertTrue(
          tooLarge.getMessage().contains(Integer.toString(response.length))
              && tooLarge.getMessage().contains(Integer.toString(capacity)),
          tooLarge.getMessage());
      return response;
    }
    assertTrue(response.length <= capacity, "it can't have fitted");
    return response;
  }

  private static byte[] throughBuffers(
      Method method, ByteBuffer request, Allocation allocation, int capacity) {
    ByteBuffer whole = allocation.of(capacity + 2 * GUARD);
    for (int index = 0; index < whole.capacity(); index++) {
      whole.put(index, FILL);
    }
    ByteBuffer storage = whole.duplicate().position(GUARD).limit(GUARD + capacity);
    int from = request.position();
    try {
      return orTooLarge(
          () -> {
            int length = method.callRaw(request, storage);
            assertEquals(request.limit(), request.position(), "the request wasn't consumed");
            assertEquals(GUARD + length, storage.position(), "the response's position is wrong");
            byte[] response = new byte[length];
            whole.duplicate().position(GUARD).get(response);
            return response;
          },
          capacity);
    } catch (RuntimeException failure) {
      assertEquals(from, request.position(), "a failed call moved the request's position");
      assertEquals(GUARD, storage.position(), "a failed call moved the response's position");
      throw failure;
    } finally {
      for (int index = 0; index < GUARD; index++) {
        assertEquals(FILL, whole.get(index), "bytes before the storage were written");
        assertEquals(
            FILL, whole.get(GUARD + capacity + index), "bytes after the storage were written");
      }
    }
  }

  private static ByteBuffer part(ByteBuffer whole, int at, byte[] bytes) {
    return whole.position(at).put(bytes).limit(at + bytes.length).position(at);
  }

  private static ByteBuffer misaligned(byte[] request, int offset) {
    ByteBuffer whole = ByteBuffer.allocateDirect(request.length + 2 * GUARD);
    int at = Math.floorMod(offset - whole.alignmentOffset(0, 16), 16);
    ByteBuffer placed = part(whole, at, request);
    assertEquals(offset, placed.alignmentOffset(at, 16), "the request isn't where it should be");
    return placed;
  }

  private static byte[] taken(RawResponse response) {
    try (response) {
      byte[] bytes = response.toByteArray();
      assertEquals(bytes.length, response.length());
      assertEquals(ByteBuffer.wrap(bytes), response.buffer());
      return bytes;
    }
  }
}
