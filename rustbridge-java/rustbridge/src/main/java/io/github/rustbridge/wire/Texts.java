package io.github.rustbridge.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Encodes texts as UTF-8. */
final class Texts {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Texts() {}

  /** Returns a text as UTF-8, or throws an error that names the field. */
  static byte[] encoded(String value, String field) {
    // The JDK replaces what it can't encode, so that is looked for first.
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    if (text.length != value.length() || mayBeReplaced(text)) {
      checkPairs(value, field);
    }
    return text;
  }

  /** Whether there's a question mark in it. */
  private static boolean mayBeReplaced(byte[] text) {
    int i = 0;
    for (; i <= text.length - 8; i += 8) {
      long other = (long) LONGS.get(text, i) ^ 0x3F3F3F3F3F3F3F3FL;
      if ((other - 0x0101010101010101L & ~other & 0x8080808080808080L) != 0) {
        return true;
      }
    }
    for (; i < text.length; i++) {
      if (text[i] == '?') {
        return true;
      }
    }
    return false;
  }

  private static void checkPairs(String value, String field) {
    int length = value.length();
    int i = 0;
    while (i < length) {
      int letter = value.codePointAt(i);
      if (letter <= Character.MAX_VALUE && Character.isSurrogate((char) letter)) {
        throw new EncodeException(
            field + ": the character at index " + i + " is half of a surrogate pair");
      }
      i += Character.charCount(letter);
    }
  }
}
