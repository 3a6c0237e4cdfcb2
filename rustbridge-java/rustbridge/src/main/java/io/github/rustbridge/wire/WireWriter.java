package io.github.rustbridge.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Writes a message, value by value. Values that may not fit their type are passed with the name of
 * their field, which the exception contains.
 *
 * <p>Only one thread at a time may use it.
 */
public final class WireWriter {
  /** The maximum nesting depth of values. */
  static final int MAX_DEPTH = 128;

  /** The variant that stands for those that a client doesn't know. */
  static final int UNKNOWN_VARIANT = 0xFFFF;

  /** The most bytes that a message has. */
  private static final int LARGEST = Integer.MAX_VALUE - 8;

  /** Texts up to this length are written character by character. */
  private static final int SHORT_TEXT = 48;

  /** Lists up to this length are written number by number. */
  private static final int SHORT_LIST = 8;

  private static final int MEMORY = 512;

  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);

  private byte[] bytes = new byte[MEMORY];
  private int at;
  private int depth;

  /** What goes beside the message; null if nothing can. */
  private List<Object> objects;

  private int firstObject;

  /** Creates a writer with an empty message. */
  public WireWriter() {}

  static VarHandle view(Class<?> numbers) {
    return MethodHandles.byteArrayViewVarHandle(numbers, ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Starts a new message.
   *
   * @param kept the largest size of memory to keep from the previous message, in bytes
   */
  public void clear(int kept) {
    at = 0;
    depth = 0;
    objects = null;
    if (bytes.length > kept) {
      bytes = new byte[MEMORY];
    }
  }

  /**
   * Allows the new message to contain objects.
   *
   * @param first the position of the first object
   */
  public void lend(int first) {
    firstObject = first;
    objects = new ArrayList<>();
  }

  /**
   * Returns the objects of the message.
   *
   * @return the objects, in the order of their positions; a {@link CallbackValue} for an
   *     implementation of a callback
   */
  public List<Object> lent() {
    return objects == null ? List.of() : objects;
  }

  /**
   * Writes an object: its position into the message, and the object into the list of objects.
   *
   * @param value the object
   * @param field the name of the field
   */
  public void object(Object value, String field) {
    Objects.requireNonNull(value, field);
    if (objects == null) {
      throw new EncodeException(field + ": objects can't accompany this message");
    }
    i32(firstObject + objects.size());
    objects.add(value);
  }

  /**
   * Writes an implementation of a callback, like an object.
   *
   * @param value an object of the host or of the plugin
   * @param callback the name of the callback
   * @param field the name of the field
   */
  public void callback(Object value, String callback, String field) {
    object(new CallbackValue(callback, Objects.requireNonNull(value, field)), field);
  }

  /**
   * Returns the array that contains the message at its start.
   *
   * @return the array; it's valid until more is written
   */
  public byte[] array() {
    return bytes;
  }

  /**
   * Returns the length of the message.
   *
   * @return the length in bytes
   */
  public int length() {
    return at;
  }

  /**
   * Returns the message.
   *
   * @return a copy
   */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, at);
  }

  /** Makes room, and gives where it begins. */
  private int take(int size) {
    int start = at;
    if (size > bytes.length - start) {
      grow(start, size);
    }
    at = start + size;
    return start;
  }

  private void grow(int start, long size) {
    long needed = start + size;
    if (needed > LARGEST) {
      throw tooLarge();
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(LARGEST, Math.max(needed, 2L * bytes.length)));
  }

  private static EncodeException tooLarge() {
    return new EncodeException("the message exceeds the limit of " + LARGEST + " bytes");
  }

  /** Makes room for that many numbers of a width. */
  private int take(int count, int width) {
    long size = (long) count * width;
    if (size > bytes.length - at) {
      grow(at, size);
    }
    return take((int) size);
  }

  /** Starts a value that may contain values of its own kind. */
  public void enter() {
    if (depth == MAX_DEPTH) {
      throw new EncodeException(
          WireReader.TOO_DEEP + ": reduce its nesting, and check that it doesn't contain itself");
    }
    depth++;
  }

  /** Ends the value that {@link #enter} started. */
  public void leave() {
    depth--;
  }

  /**
   * Writes a Boolean.
   *
   * @param value the value
   */
  public void bool(boolean value) {
    int start = take(1);
    bytes[start] = (byte) (value ? 1 : 0);
  }

  /**
   * Writes whether a value follows.
   *
   * @param value whether a value follows
   * @return the same as {@code value}
   */
  public boolean present(boolean value) {
    bool(value);
    return value;
  }

  /**
   * Writes the number of the variant that follows.
   *
   * @param number the variant's index in the declaration
   */
  public void variant(int number) {
    int start = take(2);
    SHORTS.set(bytes, start, (short) number);
  }

  /**
   * Creates the exception for an unknown variant, which can't be written.
   *
   * @param type the name of the enum
   * @return the exception, for the caller to throw
   */
  public static EncodeException unknownVariant(String type) {
    return new EncodeException(type + ": an unknown variant can't be sent");
  }

  /**
   * Writes the number of items or pairs that follow.
   *
   * @param count the number
   */
  public void count(int count) {
    i32(count);
  }

  /**
   * Writes the number of items that follow, and padding zeros up to their start.
   *
   * @param count the number
   */
  public void alignedCount(int count) {
    i32(count);
    int zeros = -at & 7;
    int start = take(zeros);
    for (int i = 0; i < zeros; i++) {
      bytes[start + i] = 0;
    }
  }

  /**
   * Writes an integer from 0 to 255.
   *
   * @param value the value
   * @param field the name of the field
   */
  public void u8(int value, String field) {
    if (value >>> 8 != 0) {
      throw beyond(value, 0xFF, field);
    }
    int start = take(1);
    bytes[start] = (byte) value;
  }

  /**
   * Writes an integer from 0 to 65,535.
   *
   * @param value the value
   * @param field the name of the field
   */
  public void u16(int value, String field) {
    if (value >>> 16 != 0) {
      throw beyond(value, 0xFFFF, field);
    }
    i16((short) value);
  }

  /**
   * Writes an integer from 0 to 4,294,967,295.
   *
   * @param value the value
   * @param field the name of the field
   */
  public void u32(long value, String field) {
    if (value >>> 32 != 0) {
      throw beyond(value, 0xFFFF_FFFFL, field);
    }
    i32((int) value);
  }

  private static EncodeException beyond(long value, long last, String field) {
    return unfit(field, "a number from 0 to " + last + " is expected, not " + value);
  }

  private static EncodeException unfit(String field, String why) {
    return new EncodeException(field + ": " + why);
  }

  /**
   * Writes a number.
   *
   * @param value the value
   */
  public void i8(byte value) {
    int start = take(1);
    bytes[start] = value;
  }

  /**
   * Writes a number.
   *
   * @param value the value, or the bits of an unsigned value
   */
  public void i16(short value) {
    int start = take(2);
    SHORTS.set(bytes, start, value);
  }

  /**
   * Writes a number.
   *
   * @param value the value, or the bits of an unsigned value
   */
  public void i32(int value) {
    int start = take(4);
    INTS.set(bytes, start, value);
  }

  /**
   * Writes a number.
   *
   * @param value the value, or the bits of an unsigned value
   */
  public void i64(long value) {
    int start = take(8);
    LONGS.set(bytes, start, value);
  }

  /**
   * Writes an unsigned integer of 128 bits.
   *
   * @param value the value
   * @param field the name of the field
   */
  public void u128(BigInteger value, String field) {
    if (value.signum() < 0 || value.bitLength() > 128) {
      throw unfit(field, "an unsigned integer of 128 bits is expected, not " + value);
    }
    wide(value);
  }

  /**
   * Writes a signed integer of 128 bits.
   *
   * @param value the value
   * @param field the name of the field
   */
  public void i128(BigInteger value, String field) {
    if (value.bitLength() > 127) {
      throw unfit(field, "a signed integer of 128 bits is expected, not " + value);
    }
    wide(value);
  }

  private void wide(BigInteger value) {
    i64(value.longValue());
    i64(value.shiftRight(64).longValue());
  }

  /**
   * Writes a number.
   *
   * @param value the value
   */
  public void f32(float value) {
    int start = take(4);
    FLOATS.set(bytes, start, value);
  }

  /**
   * Writes a number.
   *
   * @param value the value
   */
  public void f64(double value) {
    int start = take(8);
    DOUBLES.set(bytes, start, value);
  }

  /**
   * Writes a character.
   *
   * @param point the code point
   * @param field the name of the field
   */
  public void character(int point, String field) {
    if (!isCharacter(point)) {
      throw unfit(field, "a character is expected, not the code point " + point);
    }
    i32(point);
  }

  static boolean isCharacter(int point) {
    return Character.isValidCodePoint(point)
        && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
  }

  /**
   * Writes text.
   *
   * @param value the text, without unpaired surrogates
   * @param field the name of the field
   */
  public void string(String value, String field) {
    int length = value.length();
    if (length > SHORT_TEXT) {
      bytes(Texts.encoded(value, field));
      return;
    }
    int start = take(4 + length);
    byte[] to = bytes;
    for (int i = 0; i < length; i++) {
      char letter = value.charAt(i);
      if (letter >= 0x80) {
        at = start;
        bytes(Texts.encoded(value, field));
        return;
      }
      to[start + 4 + i] = (byte) letter;
    }
    INTS.set(to, start, length);
  }

  /**
   * Writes the text of a raw message. It has no length, since the message's length determines it.
   *
   * @param value the text, without unpaired surrogates
   * @param field the name of the field
   */
  public void rawString(String value, String field) {
    byte[] text = Texts.encoded(value, field);
    bytes(text, text.length, field);
  }

  /**
   * Writes bytes.
   *
   * @param value the bytes
   */
  public void bytes(byte[] value) {
    if (value.length > LARGEST) {
      throw tooLarge();
    }
    int start = take(4 + value.length);
    INTS.set(bytes, start, value.length);
    System.arraycopy(value, 0, bytes, start + 4, value.length);
  }

  /**
   * Writes a point in time.
   *
   * @param value the value
   */
  public void timestamp(Instant value) {
    i64(value.getEpochSecond());
    i32(value.getNano());
  }

  /**
   * Writes a span of time.
   *
   * @param value the duration, not negative
   * @param field the name of the field
   */
  public void duration(Duration value, String field) {
    if (value.isNegative()) {
      throw unfit(field, "a duration of zero or more is expected, not " + value);
    }
    i64(value.getSeconds());
    i32(value.getNano());
  }

  /**
   * Writes a decimal number.
   *
   * @param value the value, whose text has at most 1,000 characters
   * @param field the name of the field
   */
  public void decimal(BigDecimal value, String field) {
    string(Decimals.text(value, field), field);
  }

  /**
   * Writes a UUID.
   *
   * @param value the value
   */
  public void uuid(UUID value) {
    i64(Long.reverseBytes(value.getMostSignificantBits()));
    i64(Long.reverseBytes(value.getLeastSignificantBits()));
  }

  /**
   * Writes a list of Booleans.
   *
   * @param values the values
   */
  public void bools(boolean[] values) {
    count(values.length);
    fixedBools(values);
  }

  private void fixedBools(boolean[] values) {
    int start = take(values.length);
    for (int i = 0; i < values.length; i++) {
      bytes[start + i] = (byte) (values[i] ? 1 : 0);
    }
  }

  /**
   * Writes a list of characters.
   *
   * @param points the code points
   * @param field the name of the field
   */
  public void characters(int[] points, String field) {
    count(points.length);
    fixedCharacters(points, field);
  }

  private void fixedCharacters(int[] points, String field) {
    for (int point : points) {
      character(point, field);
    }
  }

  /**
   * Writes a list of numbers.
   *
   * @param values the values
   */
  public void i16s(short[] values) {
    alignedCount(values.length);
    fixedI16s(values);
  }

  private void fixedI16s(short[] values) {
    int start = take(values.length, 2);
    if (values.length > SHORT_LIST) {
      from(start).asShortBuffer().put(values);
      return;
    }
    for (int i = 0; i < values.length; i++) {
      SHORTS.set(bytes, start + 2 * i, values[i]);
    }
  }

  private ByteBuffer from(int start) {
    return ByteBuffer.wrap(bytes).position(start).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Writes a list of numbers.
   *
   * @param values the values
   */
  public void i32s(int[] values) {
    alignedCount(values.length);
    fixedI32s(values);
  }

  private void fixedI32s(int[] values) {
    int start = take(values.length, 4);
    if (values.length > SHORT_LIST) {
      from(start).asIntBuffer().put(values);
      return;
    }
    for (int i = 0; i < values.length; i++) {
      INTS.set(bytes, start + 4 * i, values[i]);
    }
  }

  /**
   * Writes a list of numbers.
   *
   * @param values the values
   */
  public void i64s(long[] values) {
    alignedCount(values.length);
    fixedI64s(values);
  }

  private void fixedI64s(long[] values) {
    int start = take(values.length, 8);
    if (values.length > SHORT_LIST) {
      from(start).asLongBuffer().put(values);
      return;
    }
    for (int i = 0; i < values.length; i++) {
      LONGS.set(bytes, start + 8 * i, values[i]);
    }
  }

  /**
   * Writes a list of numbers.
   *
   * @param values the values
   */
  public void f32s(float[] values) {
    alignedCount(values.length);
    fixedF32s(values);
  }

  private void fixedF32s(float[] values) {
    int start = take(values.length, 4);
    if (values.length > SHORT_LIST) {
      from(start).asFloatBuffer().put(values);
      return;
    }
    for (int i = 0; i < values.length; i++) {
      FLOATS.set(bytes, start + 4 * i, values[i]);
    }
  }

  /**
   * Writes a list of numbers.
   *
   * @param values the values
   */
  public void f64s(double[] values) {
    alignedCount(values.length);
    fixedF64s(values);
  }

  private void fixedF64s(double[] values) {
    int start = take(values.length, 8);
    if (values.length > SHORT_LIST) {
      from(start).asDoubleBuffer().put(values);
      return;
    }
    for (int i = 0; i < values.length; i++) {
      DOUBLES.set(bytes, start + 8 * i, values[i]);
    }
  }

  /**
   * Checks that a list has the required number of items.
   *
   * @param found the number of items that it has
   * @param expected the number of items that it must have
   * @param field the name of the field
   */
  public void length(int found, int expected, String field) {
    if (found != expected) {
      throw unfit(field, expected + " items are expected, not " + found);
    }
  }

  /**
   * Writes an array of bytes.
   *
   * @param values the values
   * @param length the required number of items
   * @param field the name of the field
   */
  public void bytes(byte[] values, int length, String field) {
    length(values.length, length, field);
    int start = take(length);
    System.arraycopy(values, 0, bytes, start, length);
  }

  /**
   * Writes an array of Booleans.
   *
   * @param values the values
   * @param length the required number of items
   * @param field the name of the field
   */
  public void bools(boolean[] values, int length, String field) {
    length(values.length, length, field);
    fixedBools(values);
  }

  /**
   * Writes an array of characters.
   *
   * @param points the code points
   * @param length the required number of items
   * @param field the name of the field
   */
  public void characters(int[] points, int length, String field) {
    length(points.length, length, field);
    fixedCharacters(points, field);
  }

  /**
   * Writes an array of numbers.
   *
   * @param values the values
   * @param length the required number of items
   * @param field the name of the field
   */
  public void i16s(short[] values, int length, String field) {
    length(values.length, length, field);
    fixedI16s(values);
  }

  /**
   * Writes an array of numbers.
   *
   * @param values the values
   * @param length the required number of items
   * @param field the name of the field
   */
  public void i32s(int[] values, int length, String field) {
    length(values.length, length, field);
    fixedI32s(values);
  }

  /**
   * Writes an array of numbers.
   *
   * @param values the values
   * @param length the required number of items
   * @param field the name of the field
   */
  public void i64s(long[] values, int length, String field) {
    length(values.length, length, field);
    fixedI64s(values);
  }

  /**
   * Writes an array of numbers.
   *
   * @param values the values
   * @param length the required number of items
   * @param field the name of the field
   */
  public void f32s(float[] values, int length, String field) {
    length(values.length, length, field);
    fixedF32s(values);
  }

  /**
   * Writes an array of numbers.
   *
   * @param values the values
   * @param length the required number of items
   * @param field the name of the field
   */
  public void f64s(double[] values, int length, String field) {
    length(values.length, length, field);
    fixedF64s(values);
  }

  /**
   * Writes a dynamic value.
   *
   * @param value null, a Boolean, a Byte, Short, Integer, Long or BigInteger, a Float or Double, a
   *     String, a byte array, a List of such values, or a Map of such values by name
   * @param field the name of the field
   */
  public void any(Object value, String field) {
    if (value == null) {
      i8((byte) 0);
    } else if (value instanceof String text) {
      i8((byte) 6);
      string(text, field);
    } else if (value instanceof Boolean flag) {
      i8((byte) (flag ? 2 : 1));
    } else if (value instanceof Double || value instanceof Float) {
      i8((byte) 5);
      f64(((Number) value).doubleValue());
    } else if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      i8((byte) 3);
      i64(((Number) value).longValue());
    } else if (value instanceof BigInteger number) {
      anyNumber(number, field);
    } else if (value instanceof byte[] data) {
      i8((byte) 7);
      bytes(data);
    } else if (value instanceof List<?> list) {
      anyList(list, field);
    } else if (value instanceof Map<?, ?> map) {
      anyMap(map, field);
    } else {
      throw unfit(
          field,
          "null, a Boolean, a number, a String, a byte[], a List or a Map is expected, not "
              + value.getClass().getName());
    }
  }

  private void anyNumber(BigInteger number, String field) {
    if (number.bitLength() < 64) {
      i8((byte) 3);
    } else if (number.signum() > 0 && number.bitLength() == 64) {
      i8((byte) 4);
    } else {
      throw unfit(field, "an integer of at most 64 bits is expected, not " + number);
    }
    i64(number.longValue());
  }

  private void anyList(List<?> list, String field) {
    enter();
    i8((byte) 8);
    count(list.size());
    int index = 0;
    for (Object item : list) {
      try {
        any(item, field);
      } catch (EncodeException inside) {
        throw within(inside, field, "[" + index + "]");
      }
      index++;
    }
    leave();
  }

  private void anyMap(Map<?, ?> map, String field) {
    enter();
    i8((byte) 9);
    count(map.size());
    for (Map.Entry<?, ?> pair : map.entrySet()) {
      if (!(pair.getKey() instanceof String name)) {
        throw unfit(
            field,
            "a key of a dynamic map must be a String, not " + Objects.toString(pair.getKey()));
      }
      string(name, field);
      try {
        any(pair.getValue(), field);
      } catch (EncodeException inside) {
        throw within(inside, field, "." + name);
      }
    }
    leave();
  }

  /** Puts a step of the path behind the field's name, where the message begins with that. */
  private static EncodeException within(EncodeException inside, String field, String step) {
    String message = inside.getMessage();
    return message.startsWith(field)
        ? new EncodeException(field + step + message.substring(field.length()))
        : inside;
  }
}
