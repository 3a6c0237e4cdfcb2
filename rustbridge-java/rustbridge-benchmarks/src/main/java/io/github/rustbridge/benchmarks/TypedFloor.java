package io.github.rustbridge.benchmarks;

import io.github.rustbridge.benchmarks.clients.Greeting;
import io.github.rustbridge.benchmarks.clients.Item;
import io.github.rustbridge.benchmarks.clients.Person;
import io.github.rustbridge.benchmarks.clients.Reading;
import io.github.rustbridge.benchmarks.clients.Shape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Typed values by hand: the client's own classes, laid out for these very calls in arrays that are
 * kept, with what a careful person checks.
 *
 * <p>One thread at a time.
 */
final class TypedFloor {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);
  private static final VarHandle FLOAT = view(float[].class);
  private static final VarHandle DOUBLE = view(double[].class);
  private static final char REPLACEMENT = '\uFFFD';
  private static final int SMALLEST_ITEM = 16;

  /** The request, from its first byte on. */
  byte[] sent = new byte[16 << 10];

  /** The response, likewise. */
  final byte[] came = new byte[16 << 10];

  private int at;
  private int end;

  private static VarHandle view(Class<?> numbers) {
    return MethodHandles.byteArrayViewVarHandle(numbers, ByteOrder.LITTLE_ENDIAN);
  }

  /** Overwrites the last response. */
  void forget() {
    Arrays.fill(came, (byte) 0xAA);
  }

  /** Writes a person; gives the length. */
  int put(Person person) {
    return text(0, person.name());
  }

  /** Reads a greeting. */
  Greeting greeting(int length) {
    begin(length);
    Greeting value = new Greeting(text());
    finish();
    return value;
  }

  /** Writes a reading; gives the length. */
  int put(Reading reading) {
    INT.set(sent, 0, narrow(reading.instrument()));
    LONG.set(sent, 4, reading.at());
    DOUBLE.set(sent, 12, reading.low());
    DOUBLE.set(sent, 20, reading.high());
    FLOAT.set(sent, 28, reading.weight());
    int count = reading.count();
    if (count >>> Short.SIZE != 0) {
      throw wrong();
    }
    SHORT.set(sent, 32, (short) count);
    return 34;
  }

  /** Reads a reading. */
  Reading reading(int length) {
    if (length != 34) {
      throw wrong();
    }
    return new Reading(
        Integer.toUnsignedLong((int) INT.get(came, 0)),
        (long) LONG.get(came, 4),
        (double) DOUBLE.get(came, 12),
        (double) DOUBLE.get(came, 20),
        (float) FLOAT.get(came, 28),
        Short.toUnsignedInt((short) SHORT.get(came, 32)));
  }

  /** Writes items; gives the length. */
  int put(List<Item> items) {
    INT.set(sent, 0, items.size());
    int to = 4;
    for (Item item : items) {
      reserve(to + 4);
      INT.set(sent, to, narrow(item.number()));
      to = text(to + 4, item.name());
      reserve(to + 8);
      DOUBLE.set(sent, to, item.price());
      to += 8;
    }
    return to;
  }

  /** Reads items. */
  List<Item> items(int length) {
    begin(length);
    int count = integer();
    if (count < 0 || count > (end - at) / SMALLEST_ITEM) {
      throw wrong();
    }
    List<Item> items = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      items.add(new Item(Integer.toUnsignedLong(integer()), text(), real()));
    }
    finish();
    return items;
  }

  /** Writes a shape; gives the length. */
  int put(Shape shape) {
    return switch (shape) {
      case Shape.Circle circle -> {
        SHORT.set(sent, 0, (short) 0);
        DOUBLE.set(sent, 2, circle.radius());
        yield 10;
      }
      case Shape.Rectangle rectangle -> {
        SHORT.set(sent, 0, (short) 1);
        DOUBLE.set(sent, 2, rectangle.width());
        DOUBLE.set(sent, 10, rectangle.height());
        yield 18;
      }
      case Shape.Label label -> {
        SHORT.set(sent, 0, (short) 2);
        yield text(2, label.text());
      }
    };
  }

  /** Reads a shape. */
  Shape shape(int length) {
    begin(length);
    at = take(2) + 2;
    Shape shape =
        switch ((short) SHORT.get(came, 0)) {
          case 0 -> new Shape.Circle(real());
          case 1 -> new Shape.Rectangle(real(), real());
          case 2 -> new Shape.Label(text());
          default -> throw wrong();
        };
    finish();
    return shape;
  }

  /** Writes numbers; gives the length. */
  int put(double[] numbers) {
    int length = 8 + Double.BYTES * numbers.length;
    reserve(length);
    LONG.set(sent, 0, (long) numbers.length);
    ByteBuffer.wrap(sent, 8, length - 8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asDoubleBuffer()
        .put(numbers);
    return length;
  }

  /** Reads numbers. */
  double[] doubles(int length) {
    long count = (long) LONG.get(came, 0);
    if (length < 8 || count != (length - 8) / Double.BYTES || length % Double.BYTES != 0) {
      throw wrong();
    }
    double[] numbers = new double[(int) count];
    ByteBuffer.wrap(came, 8, length - 8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asDoubleBuffer()
        .get(numbers);
    return numbers;
  }

  private static int narrow(long number) {
    if (number >>> Integer.SIZE != 0) {
      throw wrong();
    }
    return (int) number;
  }

  private void reserve(int size) {
    if (size > sent.length) {
      sent = Arrays.copyOf(sent, 2 * size);
    }
  }

  /** Writes a text, and gives where it ends. */
  private int text(int start, String text) {
    int length = text.length();
    reserve(start + 4 + length);
    byte[] bytes = sent;
    for (int i = 0; i < length; i++) {
      char letter = text.charAt(i);
      if (letter >= 0x80) {
        return anyText(start, text);
      }
      bytes[start + 4 + i] = (byte) letter;
    }
    INT.set(bytes, start, length);
    return start + 4 + length;
  }

  private int anyText(int start, String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      int length = encoded.remaining();
      reserve(start + 4 + length);
      INT.set(sent, start, length);
      encoded.get(sent, start + 4, length);
      return start + 4 + length;
    } catch (CharacterCodingException surrogate) {
      throw new IllegalArgumentException(surrogate);
    }
  }

  private void begin(int length) {
    at = 0;
    end = length;
  }

  private void finish() {
    if (at != end) {
      throw wrong();
    }
  }

  private int take(int size) {
    int start = at;
    if (size < 0 || size > end - start) {
      throw wrong();
    }
    at = start + size;
    return start;
  }

  private int integer() {
    return (int) INT.get(came, take(4));
  }

  private double real() {
    return (double) DOUBLE.get(came, take(8));
  }

  private String text() {
    int length = integer();
    int start = take(length);
    String text = new String(came, start, length, StandardCharsets.UTF_8);
    // It replaces what is wrong, which would go unnoticed otherwise.
    if (text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(
            text.getBytes(StandardCharsets.UTF_8), Arrays.copyOfRange(came, start, at))) {
      throw wrong();
    }
    return text;
  }

  private static IllegalStateException wrong() {
    return new IllegalStateException("the bare call, or who calls, has it otherwise");
  }
}
