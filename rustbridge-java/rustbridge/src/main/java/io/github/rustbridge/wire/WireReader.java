package io.github.rustbridge.wire;

import java.lang.invoke.VarHandle;
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
 * Reads a message, value by value, and refuses what isn't as the wire form says.
 *
 * <p>One thread at a time.
 */
public final class WireReader {
  /** Lists up to this length are read number by number. */
  private static final int SHORT_LIST = 8;

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

  /** Makes one that has nothing to read. */
  public WireReader() {}

  /**
   * Reads a message.
   *
   * @param message an array that begins with it
   * @param length how long it is
   * @param decode what reads its type
   * @param <T> the type
   * @return its value
   * @throws DecodeException if it's none
   */
  public <T> T read(byte[] message, int length, Decode<T> decode) {
    bytes = message;
    at = 0;
    end = length;
    depth = 0;
    try {
      T value = decode.read(this);
      if (at != end) {
        throw new DecodeException(at, end - at + " bytes are left over");
      }
      return value;
    } finally {
      bytes = NOTHING;
    }
  }

  /**
   * Reads a message with objects beside it.
   *
   * @param message the message
   * @param client whose objects they are
   * @param came the objects; what the message means is taken out, and leaves null
   * @param decode what reads its type
   * @param <T> the type
   * @return its value
   * @throws DecodeException if it's none
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
   * Gives whose objects there are.
   *
   * @return what reading began with
   */
  public Object client() {
    return client;
  }

  /**
   * Reads an object, which came beside the message.
   *
   * @return the object
   */
  public Object object() {
    int start = at;
    long position = Integer.toUnsignedLong(i32());
    if (position >= objects.length) {
      throw new DecodeException(
          start, "object " + position + " is meant, and " + objects.length + " came");
    }
    Object taken = objects[(int) position];
    if (taken == null) {
      throw new DecodeException(start, "object " + position + " is meant twice");
    }
    objects[(int) position] = null;
    return taken;
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
    return new DecodeException(at, size + " bytes are expected, and " + (end - at) + " are left");
  }

  private int take(int count, int width) {
    if ((long) count * width > end - at) {
      throw truncated((long) count * width);
    }
    return take(count * width);
  }

  /** Begins a value that may have others of its kind in it. */
  public void enter() {
    if (depth == WireWriter.MAX_DEPTH) {
      throw new DecodeException(
          at, "more than " + WireWriter.MAX_DEPTH + " values lie in each other");
    }
    depth++;
  }

  /** Ends what {@link #enter} began. */
  public void leave() {
    depth--;
  }

  /**
   * Reads a yes or no, or whether something follows.
   *
   * @return it
   */
  public boolean bool() {
    int start = take(1);
    byte found = bytes[start];
    if (found >>> 1 != 0) {
      throw new DecodeException(start, (found & 0xFF) + " is neither 0 nor 1");
    }
    return found != 0;
  }

  /**
   * Reads which variant follows.
   *
   * @param count how many there are
   * @param type whose
   * @return its place in the declaration
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
   * Reads which variant follows of an enum that may have more than are known.
   *
   * @param count how many are known
   * @param type whose
   * @return its place in the declaration, or {@code count} for one that isn't known
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
   * Reads how many items or pairs follow.
   *
   * @param least the fewest bytes that one takes
   * @return how many
   */
  public int count(int least) {
    int start = take(4);
    int count = (int) INTS.get(bytes, start);
    if ((count & 0xFFFF_FFFFL) * least > end - at) {
      throw new DecodeException(
          start,
          (count & 0xFFFF_FFFFL)
              + " items don't fit into the "
              + (end - at)
              + " bytes that are left");
    }
    return count;
  }

  /**
   * Reads how many items follow, and the zeros up to where they begin.
   *
   * @param least the fewest bytes that one takes
   * @return how many
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
   * Checks, before there's room made for them, that so many items can be there.
   *
   * @param count how many
   * @param least the fewest bytes that one takes
   */
  public void need(int count, int least) {
    if ((long) count * least > end - at) {
      throw truncated((long) count * least);
    }
  }

  /**
   * Reads a number.
   *
   * @return it, from 0 to 255
   */
  public int u8() {
    int start = take(1);
    return bytes[start] & 0xFF;
  }

  /**
   * Reads a number.
   *
   * @return it, from 0 to 65,535
   */
  public int u16() {
    return i16() & 0xFFFF;
  }

  /**
   * Reads a number.
   *
   * @return it, from 0 to 4,294,967,295
   */
  public long u32() {
    return i32() & 0xFFFF_FFFFL;
  }

  /**
   * Reads a number.
   *
   * @return it
   */
  public byte i8() {
    int start = take(1);
    return bytes[start];
  }

  /**
   * Reads a number.
   *
   * @return it, or the bits of one without a sign
   */
  public short i16() {
    int start = take(2);
    return (short) SHORTS.get(bytes, start);
  }

  /**
   * Reads a number.
   *
   * @return it, or the bits of one without a sign
   */
  public int i32() {
    int start = take(4);
    return (int) INTS.get(bytes, start);
  }

  /**
   * Reads a number.
   *
   * @return it, or the bits of one without a sign
   */
  public long i64() {
    int start = take(8);
    return (long) LONGS.get(bytes, start);
  }

  /**
   * Reads a number of 128 bits without a sign.
   *
   * @return it
   */
  public BigInteger u128() {
    return new BigInteger(1, wide());
  }

  /**
   * Reads a number of 128 bits.
   *
   * @return it
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
   * @return it
   */
  public float f32() {
    int start = take(4);
    return (float) FLOATS.get(bytes, start);
  }

  /**
   * Reads a number.
   *
   * @return it
   */
  public double f64() {
    int start = take(8);
    return (double) DOUBLES.get(bytes, start);
  }

  /**
   * Reads a character.
   *
   * @return its code point
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
   * @return it
   */
  public String string() {
    return text(count(1));
  }

  /**
   * Reads the text of a raw message, whose length is the message's.
   *
   * @return it
   */
  public String restString() {
    return text(end - at);
  }

  /**
   * Reads the bytes of a raw message, whose length is the message's.
   *
   * @return they
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
   * @return they
   */
  public byte[] bytes() {
    return bytes(count(1));
  }

  /**
   * Reads a point in time.
   *
   * @return it
   */
  public Instant timestamp() {
    int start = at;
    long seconds = i64();
    int nanos = nanos();
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException tooFar) {
      throw new DecodeException(
          start, seconds + " seconds from 1970 on are more than an Instant holds");
    }
  }

  private int nanos() {
    int nanos = i32();
    if (Integer.compareUnsigned(nanos, 1_000_000_000) >= 0) {
      throw new DecodeException(
          at - 4, (nanos & 0xFFFF_FFFFL) + " nanoseconds are a second or more");
    }
    return nanos;
  }

  /**
   * Reads a span of time.
   *
   * @return it
   */
  public Duration duration() {
    int start = at;
    long seconds = i64();
    int nanos = nanos();
    if (seconds < 0) {
      throw new DecodeException(
          start, Long.toUnsignedString(seconds) + " seconds are more than a Duration holds");
    }
    return Duration.ofSeconds(seconds, nanos);
  }

  /**
   * Reads a UUID.
   *
   * @return it
   */
  public UUID uuid() {
    return new UUID(Long.reverseBytes(i64()), Long.reverseBytes(i64()));
  }

  /**
   * Reads a list of yes or no.
   *
   * @return they
   */
  public boolean[] bools() {
    return bools(count(1));
  }

  /**
   * Reads a list of characters.
   *
   * @return their code points
   */
  public int[] characters() {
    return characters(count(4));
  }

  /**
   * Reads a list of numbers.
   *
   * @return they
   */
  public short[] i16s() {
    return i16s(alignedCount(2));
  }

  /**
   * Reads a list of numbers.
   *
   * @return they
   */
  public int[] i32s() {
    return i32s(alignedCount(4));
  }

  /**
   * Reads a list of numbers.
   *
   * @return they
   */
  public long[] i64s() {
    return i64s(alignedCount(8));
  }

  /**
   * Reads a list of numbers.
   *
   * @return they
   */
  public float[] f32s() {
    return f32s(alignedCount(4));
  }

  /**
   * Reads a list of numbers.
   *
   * @return they
   */
  public double[] f64s() {
    return f64s(alignedCount(8));
  }

  /**
   * Reads an array of bytes.
   *
   * @param count how many
   * @return they
   */
  public byte[] bytes(int count) {
    int start = take(count);
    return Arrays.copyOfRange(bytes, start, start + count);
  }

  /**
   * Reads an array of yes or no.
   *
   * @param count how many
   * @return they
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
   * @param count how many
   * @return their code points
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
   * @param count how many
   * @return they
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
   * @param count how many
   * @return they
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
   * @param count how many
   * @return they
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
   * @param count how many
   * @return they
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
   * @param count how many
   * @return they
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
   * Makes a map, to be filled.
   *
   * @param count how many pairs it's going to have
   * @param <K> its keys' type
   * @param <V> its values' type
   * @return an empty map
   */
  public <K, V> Map<K, V> map(int count) {
    return new LinkedHashMap<>(Math.min(count, MOST_ROOM) * 4 / 3 + 1);
  }

  /**
   * Ends a map.
   *
   * @param map what {@link #map(int)} made, with its pairs
   * @param count how many pairs it was to have
   * @param nulls whether its values may be null
   * @param <K> its keys' type
   * @param <V> its values' type
   * @return the same pairs, which nobody changes
   */
  public <K, V> Map<K, V> filled(Map<K, V> map, int count, boolean nulls) {
    if (map.size() != count) {
      throw new DecodeException(at, "a map has a key twice");
    }
    return Values.made(map, nulls);
  }

  /**
   * Reads a dynamic value.
   *
   * @return null, a Boolean, a Long, a BigInteger if it's above a long's, a Double, a String, an
   *     array of bytes, a List or a Map
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
          throw new DecodeException(start, "there's no dynamic value of kind " + (kind & 0xFF));
    };
  }

  private BigInteger large() {
    long bits = i64();
    if (bits >= 0) {
      throw new DecodeException(at - 8, bits + " is written as one that an i64 doesn't hold");
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
