package io.github.rustbridge.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BlockTest {
  private static final int REPLY = 64;
  private static final long NUMBERS = 4096;

  private final List<Long> responses = new ArrayList<>();
  private final List<Long> objects = new ArrayList<>();
  private final ByteBuffer structs = ByteBuffer.allocate(256).order(ByteOrder.nativeOrder());

  /** At {@link #NUMBERS} lie numbers that are their own offsets. */
  private final Natives natives =
      (Natives)
          Proxy.newProxyInstance(
              Natives.class.getClassLoader(),
              new Class<?>[] {Natives.class},
              (proxy, method, arguments) -> {
                switch (method.getName()) {
                  case "read":
                    ByteBuffer into =
                        ByteBuffer.wrap((byte[]) arguments[1]).order(ByteOrder.nativeOrder());
                    for (long at = (long) arguments[0]; into.hasRemaining(); at += Long.BYTES) {
                      into.putLong(at - NUMBERS);
                    }
                    return null;
                  case "releaseResponse":
                    responses.add((Long) arguments[0]);
                    return null;
                  case "releaseObject":
                    objects.add((Long) arguments[0]);
                    return method.getReturnType() == int.class ? 0 : null;
                  default:
                    throw new UnsupportedOperationException(method.getName());
                }
              });

  private void handOver(int at, long length) {
    structs.putLong(at + AbiLayout.RESPONSE_DATA, NUMBERS);
    structs.putLong(at + AbiLayout.RESPONSE_LEN, length);
    structs.putLong(at + AbiLayout.RESPONSE_RELEASE, 1);
  }

  private Answer answer(long bytes, long trailers) {
    handOver(0, bytes);
    handOver(REPLY + AbiLayout.REPLY_TRAILERS, trailers);
    handOver(REPLY + AbiLayout.REPLY_OBJECTS, 2 * Long.BYTES);
    return Block.answer(natives, 0, structs, 0, 0, REPLY, structs, 0);
  }

  @Test
  void an_answer_is_copied_with_what_came_beside_it() {
    Answer answer = answer(24, 8);
    assertEquals(24, answer.bytes().length);
    assertEquals(8, answer.trailers().length);
    assertEquals(List.of(0L, 8L), List.of(answer.objects()[0], answer.objects()[1]));
    assertEquals(3, responses.size());
    assertEquals(List.of(), objects);
  }

  @Test
  void what_there_is_no_memory_for_is_released_with_all_that_came_beside_it() {
    assertThrows(OutOfMemoryError.class, () -> answer(1L << 40, 8));
    assertEquals(3, responses.size());
    assertEquals(List.of(0L, 8L), objects);
    responses.clear();
    objects.clear();
    assertThrows(OutOfMemoryError.class, () -> answer(24, 1L << 40));
    assertEquals(3, responses.size());
    assertEquals(List.of(0L, 8L), objects);
  }
}
