package io.github.rustbridge.wire;

import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Reads a message, value by value, and rejects data that violates the wire format.
 *
 * <p>Only one thread at a time may use it.
 */
public final class WireReader {
  /** Lists up to this length are read number by number. */
  private static final int SHORT_LIST = 8;

  /** The message about a value whose depth exceeds the limit. */
  static final String TOO_DEEP =
      "the value is nested deeper than " + WireWriter.MAX_DEPTH + " levels, the limit of a message";

  /** Maps get room for so many pairs at most before they are read. */
  private static final int MOST_ROOM = 1 << 16;

  private static final VarHandle SHORTS = WireWriter.view(short[].class);
  private static final VarHandle INTS = WireWriter.view(int[].class);
  private static final VarHandle LONGS = WireWriter.view(long[].class);
  private static final VarHandle FLOATS = WireWriter.view(float[].class);
  private static final VarHandle DOUBLES = WireWriter.view(double[].class);

  /** What the JDK puts where text isn't UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private static final byte[] NOTHING = {};
  private static final Object[] NO_OBJECTS = {};

  private byte[] bytes = NOTHING;
  private int at;
  private int end;
  private int depth;
  private Object client;
  private Object[] objects = NO_OBJECTS;

  /** Creates a reader without a message. */
  public WireReader() {}

  /**
   * Reads a message.
   *
   * @param message an array that starts with the message
   * @param length the length of the message
   * @param decode reads a value of the message's type
   * @param <T> the type
   * @return the message's value
   * @throws DecodeException if the message isn't a value of the type
   */
  public <T> T read(byte[] message, int length, Decode<T> decode) {
    bytes = message;
    at = 0;
    end = length;
    depth = 0;
    try {
      T value = decode.read(this);
      if (at != end) {
        throw new DecodeException(at, end - at + " bytes are left after the value");
      }
      return value;
    } finally {
      bytes = NOTHING;
    }
  }

  /**
   * Reads a message with objects.
   *
   * @param message the message
   * @param client the typed client that the objects belong to
   * @param came the objects of the message; each object that the value refers to is replaced by
   *     null
   * @param decode reads a value of the message's type
   * @param <T> the type
   * @return the message's value
   * @throws DecodeException if the message isn't a value of the type
   */
  public <T> T read(byte[] message, Object client, Object[] came, Decode<T> decode) {
    this.client = client;
    objects = came;
    try {
      return read(message, message.length, decode);
    } finally {
      this.client = null;
      objects = NO_OBJECTS;
    }
  }

  /**
   * Returns the typed client that the objects belong to.
   *
   * @return the client that was passed when reading started
   */
  public Object client() {
    return client;
  }

  /**
   * Reads a reference to an object of the message.
   *
   * @return the object
   */
  public Object object() {
    int start = at;
    long position = Integer.toUnsignedLong(i32());
    if (position >= objects.length) {
      throw new DecodeException(
          start,
          "object "
              + position
              + " is missing: "
              + objects.length
              + " objects accompany the message, and positions count from 0");
    }
    Object taken = objects[(int) position];
    if (taken == null) {
      throw new DecodeException(
          start, "object " + position + " occurs twice in the message, expected once");
    }
    objects[(int) position] = null;
    return taken;
  }

  /**
   * Creates the exception for a callback that the plugin has returned, although it returned none
   * when the client was generated.
   *
   * @param callback the name of the callback
   * @return the exception
   */
  public static IllegalStateException isOnlySent(String callback) {
    return new IllegalStateException(
        "a `"
            + callback
            + "` was returned, but the client can only send it: regenerate the client");
  }

  private int take(int size) {
    int start = at;
    if (size > end - start) {
      throw truncated(size);
    }
    at = start + size;
    return start;
  }

  private DecodeException truncated(long size) {
    return new DecodeException(
        at, "expected " + size + " bytes, but only " + (end - at) + " are left");
  }

  private int take(int count, int width) {
    if ((long) count * width > end - at) {
      throw truncated((long) count * width);
    }
    return take(count * width);
  }

  /** Starts a value that may contain values of its own kind. */
  public void enter() {
    if (depth == WireWriter.MAX_DEPTH) {
      throw new DecodeException(at, TOO_DEEP);
    }
    depth++;
  }

  /** Ends the value that {@link #enter} started. */
  public void leave() {
    depth--;
  }

  /**
   * Reads a Boolean, or whether a value follows.
   *
   * @return the value
   */
  public boolean bool() {
    int start = take(1);
    byte found = bytes[start];
    if (found >>> 1 != 0) {
      throw new DecodeException(start, "expected 0 or 1, found " + (found & 0xFF));
    }
    return found != 0;
  }

  /**
   * Reads the number of the variant that follows.
   *
   * @param count the number of variants
   * @param type the name of the enum
   * @return the variant's index in the declaration
   */
  public int variant(int count, String type) {
    int start = take(2);
    int found = (short) SHORTS.get(bytes, start) & 0xFFFF;
    if (found >= count) {
      throw new DecodeException(start, type + " has no variant " + found);
    }
    return found;
  }

  /**
   * Reads the number of the variant that follows, for an enum that may have unknown variants.
   *
   * @param count the number of known variants
   * @param type the name of the enum
   * @return the variant's index in the declaration, or {@code count} for an unknown variant
   */
  public int openVariant(int count, String type) {
    int start = take(2);
    int found = (short) SHORTS.get(bytes, start) & 0xFFFF;
    if (found == WireWriter.UNKNOWN_VARIANT) {
      return count;
    }
    if (found >= count) {
      throw new DecodeException(start, type + " has no variant " + found);
    }
    return found;
  }

  /**
   * Reads the number of items or pairs that follow.
   *
   * @param least the smallest size of an item or pair in bytes
   * @return the number
   */
  public int count(int least) {
    int start = take(4);
    int count = (int) INTS.get(bytes, start);
    if ((count & 0xFFFF_FFFFL) * least > end - at) {
      throw new DecodeException(
          start,
          "expected "
              + (count & 0xFFFF_FFFFL)
              + " items, but only "
              + (end - at)
              + " bytes are left");
    }
    return count;
  }

  /**
   * Reads the number of items that follow, and the padding zeros up to their start.
   *
   * @param least the smallest size of an item or pair in bytes
   * @return the number
   */
  public int alignedCount(int least) {
    int count = count(least);
    int zeros = -at & 7;
    int start = take(zeros);
    for (int i = start; i < start + zeros; i++) {
      if (bytes[i] != 0) {
        throw new DecodeException(i, "padding isn't zero");
      }
    }
    if ((long) count * least > end - at) {
      throw truncated((long) count * least);
    }
    return count;
  }

  /**
   * Checks, before memory for the items is allocated, that the message can contain that many.
   *
   * @param count the number
   * @param least the smallest size of an item or pair in bytes
   */
  public void need(int count, int least) {
    if ((long) count * least > end - at) {
      throw truncated((long) count * least);
    }
  }

  /**
   * Reads a number.
   *
   * @return the value, from 0 to 255
   */
  public int u8() {
    int start = take(1);
    return bytes[start] & 0xFF;
  }

  /**
   * Reads a number.
   *
   * @return the value, from 0 to 65,535
   */
  public int u16() {
    return i16() & 0xFFFF;
  }

  /**
   * Reads a number.
   *
   * @return the value, from 0 to 4,294,967,295
   */
  public long u32() {
    return i32() & 0xFFFF_FFFFL;
  }

  /**
   * Reads a number.
   *
   * @return the value
   */
  public byte i8() {
    int start = take(1);
    return bytes[start];
  }

  /**
   * Reads a number.
   *
   * @return the value, or the bits of an unsigned value
   */
  public short i16() {
    int start = take(2);
    return (short) SHORTS.get(bytes, start);
  }

  /**
   * Reads a number.
   *
   * @return the value, or the bits of an unsigned value
   */
  public int i32() {
    int start = take(4);
    return (int) INTS.get(bytes, start);
  }

  /**
   * Reads a number.
   *
   * @return the value, or the bits of an unsigned value
   */
  public long i64() {
    int start = take(8);
    return (long) LONGS.get(bytes, start);
  }

  /**
   * Reads an unsigned integer of 128 bits.
   *
   * @return the value
   */
  public BigInteger u128() {
    return new BigInteger(1, wide());
  }

  /**
   * Reads a signed integer of 128 bits.
   *
   * @return the value
   */
  public BigInteger i128() {
    return new BigInteger(wide());
  }

  /** Sixteen bytes, the most significant first. */
  private byte[] wide() {
    int start = take(16);
    byte[] reversed = new byte[16];
    for (int i = 0; i < 16; i++) {
      reversed[i] = bytes[start + 15 - i];
    }
    return reversed;
  }

  /**
   * Reads a number.
   *
   * @return the value
   */
  public float f32() {
    int start = take(4);
    return (float) FLOATS.get(bytes, start);
  }

  /**
   * Reads a number.
   *
   * @return the value
   */
  public double f64() {
    int start = take(8);
    return (double) DOUBLES.get(bytes, start);
  }

  /**
   * Reads a character.
   *
   * @return the code point
   */
  public int character() {
    int point = i32();
    if (!WireWriter.isCharacter(point)) {
      throw new DecodeException(at - 4, (point & 0xFFFF_FFFFL) + " isn't a character");
    }
    return point;
  }

  /**
   * Reads text.
   *
   * @return the value
   */
  public String string() {
    return text(count(1));
  }

  /**
   * Reads the text of a raw message, up to the message's end.
   *
   * @return the value
   */
  public String restString() {
    return text(end - at);
  }

  /**
   * Reads the bytes of a raw message, up to the message's end.
   *
   * @return the bytes
   */
  public byte[] rest() {
    return bytes(end - at);
  }

  private String text(int length) {
    int start = take(length);
    String text = new String(bytes, start, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      checkReplaced(text, start, length);
    }
    return text;
  }

  /** A replacement may have been in the text already. */
  private void checkReplaced(String text, int start, int length) {
    byte[] again = text.getBytes(StandardCharsets.UTF_8);
    int wrong = Arrays.mismatch(again, 0, again.length, bytes, start, start + length);
    if (wrong >= 0) {
      throw new DecodeException(start + wrong, "text isn't UTF-8");
    }
  }

  /**
   * Reads bytes.
   *
   * @return the bytes
   */
  public byte[] bytes() {
    return bytes(count(1));
  }

  /**
   * Reads a point in time.
   *
   * @return the value
   */
  public Instant timestamp() {
    int start = at;
    long seconds = i64();
    int nanos = nanos();
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException tooFar) {
      throw new DecodeException(start, seconds + " seconds are outside the range of an Instant");
    }
  }

  private int nanos() {
    int nanos = i32();
    if (Integer.compareUnsigned(nanos, 1_000_000_000) >= 0) {
      throw new DecodeException(
          at - 4, "expected less than 1000000000 nanoseconds, found " + (nanos & 0xFFFF_FFFFL));
    }
    return nanos;
  }

  /**
   * Reads a span of time.
   *
   * @return the value
   */
  public Duration duration() {
    int start = at;
    long seconds = i64();
    int nanos = nanos();
    if (seconds < 0) {
      throw new DecodeException(
          start, Long.toUnsignedString(seconds) + " seconds are outside the range of a Duration");
    }
    return Duration.ofSeconds(seconds, nanos);
  }

  /**
   * Reads a decimal number.
   *
   * @return the value, with as many digits behind the point as the plugin sent
   */
  public BigDecimal decimal() {
    int start = at;
    String text = string();
    if (!Decimals.isDecimal(text)) {
      String shown = text.length() > 40 ? text.substring(0, 40) + "..." : text;
      throw new DecodeException(start, '"' + shown + "\" isn't a decimal number");
    }
    return new BigDecimal(text);
  }

  /**
   * Reads a UUID.
   *
   * @return the value
   */
  public UUID uuid() {
    return new UUID(Long.reverseBytes(i64()), Long.reverseBytes(i64()));
  }

  /**
   * Reads a list of Booleans.
   *
   * @return the bytes
   */
  public boolean[] bools() {
    return bools(count(1));
  }

  /**
   * Reads a list of characters.
   *
   * @return the code points
   */
  public int[] characters() {
    return characters(count(4));
  }

  /**
   * Reads a list of numbers.
   *
   * @return the bytes
   */
  public short[] i16s() {
    return i16s(alignedCount(2));
  }

  /**
   * Reads a list of numbers.
   *
   * @return the bytes
   */
  public int[] i32s() {
    return i32s(alignedCount(4));
  }

  /**
   * Reads a list of numbers.
   *
   * @return the bytes
   */
  public long[] i64s() {
    return i64s(alignedCount(8));
  }

  /**
   * Reads a list of numbers.
   *
   * @return the bytes
   */
  public float[] f32s() {
    return f32s(alignedCount(4));
  }

  /**
   * Reads a list of numbers.
   *
   * @return the bytes
   */
  public double[] f64s() {
    return f64s(alignedCount(8));
  }

  /**
   * Reads an array of bytes.
   *
   * @param count the number
   * @return the bytes
   */
  public byte[] bytes(int count) {
    int start = take(count);
    return Arrays.copyOfRange(bytes, start, start + count);
  }

  /**
   * Reads an array of Booleans.
   *
   * @param count the number
   * @return the bytes
   */
  public boolean[] bools(int count) {
    need(count, 1);
    boolean[] values = new boolean[count];
    for (int i = 0; i < count; i++) {
      values[i] = bool();
    }
    return values;
  }

  /**
   * Reads an array of characters.
   *
   * @param count the number
   * @return the code points
   */
  public int[] characters(int count) {
    need(count, 4);
    int[] points = new int[count];
    for (int i = 0; i < count; i++) {
      points[i] = character();
    }
    return points;
  }

  /**
   * Reads an array of numbers.
   *
   * @param count the number
   * @return the bytes
   */
  public short[] i16s(int count) {
    int start = take(count, 2);
    short[] values = new short[count];
    if (count > SHORT_LIST) {
      from(start).asShortBuffer().get(values);
      return values;
    }
    for (int i = 0; i < count; i++) {
      values[i] = (short) SHORTS.get(bytes, start + 2 * i);
    }
    return values;
  }

  private ByteBuffer from(int start) {
    return ByteBuffer.wrap(bytes).position(start).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads an array of numbers.
   *
   * @param count the number
   * @return the bytes
   */
  public int[] i32s(int count) {
    int start = take(count, 4);
    int[] values = new int[count];
    if (count > SHORT_LIST) {
      from(start).asIntBuffer().get(values);
      return values;
    }
    for (int i = 0; i < count; i++) {
      values[i] = (int) INTS.get(bytes, start + 4 * i);
    }
    return values;
  }

  /**
   * Reads an array of numbers.
   *
   * @param count the number
   * @return the bytes
   */
  public long[] i64s(int count) {
    int start = take(count, 8);
    long[] values = new long[count];
    if (count > SHORT_LIST) {
      from(start).asLongBuffer().get(values);
      return values;
    }
    for (int i = 0; i < count; i++) {
      values[i] = (long) LONGS.get(bytes, start + 8 * i);
    }
    return values;
  }

  /**
   * Reads an array of numbers.
   *
   * @param count the number
   * @return the bytes
   */
  public float[] f32s(int count) {
    int start = take(count, 4);
    float[] values = new float[count];
    if (count > SHORT_LIST) {
      from(start).asFloatBuffer().get(values);
      return values;
    }
    for (int i = 0; i < count; i++) {
      values[i] = (float) FLOATS.get(bytes, start + 4 * i);
    }
    return values;
  }

  /**
   * Reads an array of numbers.
   *
   * @param count the number
   * @return the bytes
   */
  public double[] f64s(int count) {
    int start = take(count, 8);
    double[] values = new double[count];
    if (count > SHORT_LIST) {
      from(start).asDoubleBuffer().get(values);
      return values;
    }
    for (int i = 0; i < count; i++) {
      values[i] = (double) DOUBLES.get(bytes, start + 8 * i);
    }
    return values;
  }

  /**
   * Creates a map to be filled.
   *
   * @param count the number of pairs that it will have
   * @param <K> the keys' type
   * @param <V> the values' type
   * @return an empty map
   */
  public <K, V> Map<K, V> map(int count) {
    return new LinkedHashMap<>(Math.min(count, MOST_ROOM) * 4 / 3 + 1);
  }

  /**
   * Completes a map.
   *
   * @param map the map that {@link #map(int)} created, with its pairs
   * @param count the number of pairs that it should have
   * @param nulls whether values may be null
   * @param <K> the keys' type
   * @param <V> the values' type
   * @return an immutable map of the same pairs
   */
  public <K, V> Map<K, V> filled(Map<K, V> map, int count, boolean nulls) {
    if (map.size() != count) {
      throw new DecodeException(at, "duplicate key in a map");
    }
    return Values.made(map, nulls);
  }

  /**
   * Reads a dynamic value.
   *
   * @return null, a Boolean, a Long, a BigInteger if the number doesn't fit into a long, a Double,
   *     a String, a byte array, a List or a Map
   */
  public Object any() {
    int start = take(1);
    byte kind = bytes[start];
    return switch (kind) {
      case 0 -> null;
      case 1 -> false;
      case 2 -> true;
      case 3 -> i64();
      case 4 -> large();
      case 5 -> f64();
      case 6 -> string();
      case 7 -> bytes();
      case 8 -> anyList();
      case 9 -> anyMap();
      default ->
          throw new DecodeException(start, "unknown kind of dynamic value: " + (kind & 0xFF));
    };
  }

  private BigInteger large() {
    long bits = i64();
    if (bits >= 0) {
      throw new DecodeException(at - 8, bits + " fits an i64, but is encoded as a u64");
    }
    return new BigInteger(1, ByteBuffer.allocate(8).putLong(bits).array());
  }

  private Object anyList() {
    enter();
    Object[] items = new Object[count(1)];
    for (int i = 0; i < items.length; i++) {
      items[i] = any();
    }
    leave();
    return Values.listOfNullable(items);
  }

  private Object anyMap() {
    enter();
    int count = count(5);
    Map<String, Object> pairs = map(count);
    for (int i = 0; i < count; i++) {
      String name = string();
      pairs.put(name, any());
    }
    leave();
    return filled(pairs, count, true);
  }
}
