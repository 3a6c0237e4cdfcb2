package io.github.rustbridge.tests.conformance;

import io.github.rustbridge.Method;
import io.github.rustbridge.OpenOperation;
import io.github.rustbridge.PluginException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The commands for calls that were begun. */
final class Pending {
  private final List<Method> methods;
  private final Map<Integer, OpenOperation> calls = new HashMap<>();

  Pending(List<Method> methods) {
    this.methods = methods;
  }

  /** Reads what a command has and says what it does. */
  Testee.Act command(int letter, Testee from) throws IOException {
    if (letter == 'O') {
      long object = from.u64();
      return () -> Testee.nothing(() -> OpenOperation.release(object));
    }
    int call = from.u8();
    switch (letter) {
      case 'W':
        Method method = methods.get(from.u32());
        OpenOperation.Begin begin =
            new OpenOperation.Begin(
                from.u8(),
                from.u64(),
                from.bytes(),
                from.bytes(),
                from.bytes(),
                numbers(from.bytes()),
                from.u64(),
                from.u64(),
                from.bytes());
        return () -> Testee.nothing(() -> calls.put(call, OpenOperation.begin(method, begin)));
      case 'E':
        long millis = from.u64();
        return () -> event(calls.get(call).event(millis));
      case 'K':
        return () -> Testee.nothing(() -> calls.get(call).cancel());
      case 'G':
        return () -> Testee.nothing(() -> calls.get(call).detach());
      case 'N':
        long items = from.u64();
        long bytes = from.u64();
        return () -> Testee.nothing(() -> calls.get(call).demandMore(items, bytes));
      case 'T':
        byte[][] sent = new byte[from.u32()][];
        for (int index = 0; index < sent.length; index++) {
          sent[index] = from.bytes();
        }
        return () -> Testee.nothing(() -> calls.get(call).send(sent));
      case 'Z':
        int status = from.u32();
        byte[] payload = from.bytes();
        return () -> Testee.nothing(() -> calls.get(call).finish(status, payload));
      default:
        throw new IllegalArgumentException("unknown command " + letter);
    }
  }

  private static byte[] event(OpenOperation.Event event) {
    Bytes bytes = new Bytes();
    if (event instanceof OpenOperation.End end) {
      byte[] response =
          end.status() == 0
              ? end.bytes()
              : Testee.fields(PluginException.of(end.status(), end.bytes()));
      bytes.u8(1).u32(end.status()).bytes(response).bytes(end.trailers());
      bytes.bytes(packed(end.objects()));
    } else if (event instanceof OpenOperation.Some some) {
      bytes.u8(2).u32(some.items().length);
      for (byte[] item : some.items()) {
        bytes.bytes(item);
      }
      bytes.bytes(packed(some.objects()));
    } else {
      bytes.u8(event == null ? 0 : 3);
    }
    return bytes.all();
  }

  private static long[] numbers(byte[] bytes) {
    long[] numbers = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(numbers);
    return numbers;
  }

  private static byte[] packed(long[] numbers) {
    ByteBuffer packed =
        ByteBuffer.allocate(Long.BYTES * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    packed.asLongBuffer().put(numbers);
    return packed.array();
  }

  /** Bytes as the protocol has them. */
  static final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Bytes u8(int value) {
      out.write(value);
      return this;
    }

    Bytes u32(int value) {
      ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      out.writeBytes(buffer.putInt(value).array());
      return this;
    }

    Bytes bytes(byte[] value) {
      ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      out.writeBytes(length.putLong(value.length).array());
      out.writeBytes(value);
      return this;
    }

    byte[] all() {
      return out.toByteArray();
    }
  }
}
