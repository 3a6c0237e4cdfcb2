package io.github.rustbridge.internal;

import java.util.Collection;
import java.util.Map;

/** Writes values as JSON, for code that has to work without a codec. */
public final class JsonText {
  private JsonText() {}

  /**
   * Writes a value.
   *
   * @param value a map, collection, number, Boolean or null; any other value is written as its text
   * @return the JSON text
   */
  public static String of(Object value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString();
  }

  private static void write(Object value, StringBuilder to) {
    if (value instanceof Map<?, ?> map) {
      to.append('{');
      boolean first = true;
      for (Map.Entry<?, ?> member : map.entrySet()) {
        to.append(first ? "" : ",");
        first = false;
        quote(String.valueOf(member.getKey()), to);
        to.append(':');
        write(member.getValue(), to);
      }
      to.append('}');
    } else if (value instanceof Collection<?> elements) {
      to.append('[');
      boolean first = true;
      for (Object element : elements) {
        to.append(first ? "" : ",");
        first = false;
        write(element, to);
      }
      to.append(']');
    } else if (value == null || value instanceof Boolean || isFinite(value)) {
      to.append(value);
    } else {
      quote(String.valueOf(value), to);
    }
  }

  private static boolean isFinite(Object value) {
    if (value instanceof Double number) {
      return Double.isFinite(number);
    }
    return value instanceof Number number && Float.isFinite(number.floatValue())
        || value instanceof java.math.BigInteger;
  }

  private static void quote(String text, StringBuilder to) {
    to.append('"');
    for (int index = 0; index < text.length(); index++) {
      char character = text.charAt(index);
      if (character == '"' || character == '\\') {
        to.append('\\').append(character);
      } else if (character < ' ' || Character.isSurrogate(character) && isAlone(text, index)) {
        to.append(String.format("\\u%04x", (int) character < ' ' ? (int) character : 0xfffd));
      } else {
        to.append(character);
      }
    }
    to.append('"');
  }

  private static boolean isAlone(String text, int index) {
    char character = text.charAt(index);
    boolean isFirst = Character.isHighSurrogate(character);
    int other = isFirst ? index + 1 : index - 1;
    if (other < 0 || other >= text.length()) {
      return true;
    }
    return isFirst
        ? !Character.isLowSurrogate(text.charAt(other))
        : !Character.isHighSurrogate(text.charAt(other));
  }
}
