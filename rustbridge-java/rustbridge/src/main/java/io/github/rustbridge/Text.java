package io.github.rustbridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * Converts between strings and UTF-8 without loss: text that can't be converted is rejected, never
 * replaced.
 *
 * <p>The JDK's own conversions replace invalid text, and the strict ones of its charset coders cost
 * several times as much. So the fast conversion is used, and the text is checked only if the result
 * contains a character that may be a replacement.
 */
final class Text {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;

  /** The JDK encodes what it can't as this. */
  private static final byte ENCODED_AS = '?';

  /** As many of them are looked at one by one; with more, decoding all of the text is faster. */
  private static final int FEW = 4;

  private static final long ENCODED_EIGHT_TIMES = ONES * ENCODED_AS;

  /** The JDK decodes what it can't as this. */
  private static final char DECODED_AS = '\uFFFD';

  private Text() {}

  /**
   * Encodes a string.
   *
   * @param text any string
   * @return the text in UTF-8
   * @throws PluginException with {@link Status#INVALID_ARGUMENT} and the type {@code
   *     rustbridge.InvalidRequest} if it has unpaired surrogates, which UTF-8 can't express
   */
  static byte[] encode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int at = indexOfReplacement(bytes, 0);
    if (at >= 0) {
      checkReplacements(text, bytes, at);
    }
    return bytes;
  }

  private static void checkReplacements(String text, byte[] bytes, int first) {
    if (bytes.length != text.length()) {
      checkAll(text, new String(bytes, StandardCharsets.UTF_8));
      return;
    }
    // Each character has become one byte, so it was ASCII, or else replaced.
    int at = first;
    for (int found = 0; at >= 0 && found < FEW; found++) {
      if (text.charAt(at) != ENCODED_AS) {
        throw unpaired(text);
      }
      at = indexOfReplacement(bytes, at + 1);
    }
    if (at >= 0) {
      checkAll(text, new String(bytes, StandardCharsets.ISO_8859_1));
    }
  }

  private static void checkAll(String text, String again) {
    if (!again.equals(text)) {
      throw unpaired(text);
    }
  }

  /**
   * Decodes UTF-8.
   *
   * @param bytes the array that contains the text
   * @param offset the index of its first byte
   * @param length its length in bytes
   * @return the string
   * @throws PluginException with {@link Status#DATA_LOSS} and the type {@code
   *     rustbridge.InvalidResponse} if it isn't valid UTF-8
   */
  static String decode(byte[] bytes, int offset, int length) {
    String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
    // A search for it in a string of Latin-1 characters takes no time, and in others it's
    // vectorized.
    if (text.indexOf(DECODED_AS) >= 0) {
      byte[] again = text.getBytes(StandardCharsets.UTF_8);
      int wrong = Arrays.mismatch(again, 0, again.length, bytes, offset, offset + length);
      if (wrong >= 0) {
        throw new PluginException(
            Status.DATA_LOSS,
            "rustbridge.InvalidResponse",
            "the plugin's response isn't valid UTF-8: its byte " + wrong + " is invalid",
            Map.of(),
            null);
      }
    }
    return text;
  }

  private static int indexOfReplacement(byte[] bytes, int from) {
    int i = from;
    // Four at a time, which don't wait for each other.
    while (i <= bytes.length - 4 * Long.BYTES
        && (hits(bytes, i) | hits(bytes, i + 8) | hits(bytes, i + 16) | hits(bytes, i + 24)) == 0) {
      i += 4 * Long.BYTES;
    }
    for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
      long hits = hits(bytes, i);
      if (hits != 0) {
        // The lowest one is always right, and it's that of the first byte.
        return i + (Long.numberOfTrailingZeros(hits) >> 3);
      }
    }
    for (; i < bytes.length; i++) {
      if (bytes[i] == ENCODED_AS) {
        return i;
      }
    }
    return -1;
  }

  /** Finds the replacement among eight bytes: not zero if it's there. */
  private static long hits(byte[] bytes, int at) {
    // A byte of `other` is zero where the text has the character; the rest finds zero bytes.
    long other = (long) LONGS.get(bytes, at) ^ ENCODED_EIGHT_TIMES;
    return other - ONES & ~other & TOPS;
  }

  private static PluginException unpaired(String text) {
    int i = 0;
    while (i < text.length()) {
      int point = text.codePointAt(i);
      if (Character.MIN_SURROGATE <= point && point <= Character.MAX_SURROGATE) {
        break;
      }
      i += Character.charCount(point);
    }
    return new PluginException(
        Status.INVALID_ARGUMENT,
        "rustbridge.InvalidRequest",
        String.format(
            "the text has an unpaired surrogate (U+%04X) at index %d, which UTF-8 can't express",
            (int) text.charAt(i), i),
        Map.of(),
        null);
  }
}
