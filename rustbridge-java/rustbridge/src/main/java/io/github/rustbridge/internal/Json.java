package io.github.rustbridge.internal;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small JSON parser (RFC 8259) for texts of the core and of plugins: error payloads, descriptions
 * and log fields. It isn't used for requests and responses.
 *
 * <p>Integers become Long, or BigInteger if they don't fit. All other numbers become Double, which
 * is infinite for numbers beyond its range. If names repeat, the last member counts. Escapes of
 * unpaired surrogates are accepted, so that one character doesn't prevent reading a failure. Maps
 * and lists are unmodifiable.
 */
public final class Json {
  /** Deeper nesting than this is refused, so that no text overflows the stack. */
  static final int MAX_DEPTH = 256;

  /** Longer whole numbers are refused: reading one takes time as the square of its length. */
  static final int MAX_DIGITS = 1000;

  /** The text isn't valid JSON. */
  public static final class DecodeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    DecodeException(String message) {
      super(message);
    }
  }

  private final String text;
  private int at;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Parses a JSON text.
   *
   * @param text the JSON text
   * @return Map, List, String, Long, BigInteger, Double, Boolean or null
   * @throws DecodeException if the text isn't valid JSON; the message contains the place and the
   *     reason
   */
  public static Object parse(String text) {
    Json json = new Json(text);
    json.skipSpace();
    Object value = json.value();
    json.skipSpace();
    if (json.at < text.length()) {
      throw json.expected("the end");
    }
    return value;
  }

  /**
   * Parses a text that may not be JSON.
   *
   * @param text the JSON text
   * @return Map, List, String, Long, BigInteger, Double, Boolean or null; also null if the text
   *     isn't valid JSON
   */
  public static Object tryParse(String text) {
    try {
      return parse(text);
    } catch (DecodeException notJson) {
      return null;
    }
  }

  /**
   * Returns an object's members.
   *
   * @param value a JSON value
   * @return the members; empty if the value isn't an object
   */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(Object value) {
    return value instanceof Map ? (Map<String, Object>) value : Map.of();
  }

  /**
   * Returns an array's elements.
   *
   * @param value a JSON value
   * @return the elements; empty if the value isn't an array
   */
  @SuppressWarnings("unchecked")
  public static List<Object> array(Object value) {
    return value instanceof List ? (List<Object>) value : List.of();
  }

  private Object value() {
    if (at == text.length()) {
      throw expected("a value");
    }
    char first = text.charAt(at);
    switch (first) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", null);
      default:
        if (first == '-' || isDigit(first)) {
          return number();
        }
        throw expected("a value");
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw expected("a value");
    }
    at += word.length();
    return value;
  }

  private Map<String, Object> object() {
    enter();
    Map<String, Object> members = new LinkedHashMap<>();
    skipSpace();
    if (!skip('}')) {
      do {
        skipSpace();
        if (at == text.length() || text.charAt(at) != '"') {
          throw expected("a member's name");
        }
        String name = string();
        skipSpace();
        if (!skip(':')) {
          throw expected("`:`");
        }
        skipSpace();
        members.put(name, value());
        skipSpace();
      } while (skip(','));
      if (!skip('}')) {
        throw expected("`,` or `}`");
      }
    }
    depth--;
    return Collections.unmodifiableMap(members);
  }

  private List<Object> array() {
    enter();
    List<Object> elements = new ArrayList<>();
    skipSpace();
    if (!skip(']')) {
      do {
        skipSpace();
        elements.add(value());
        skipSpace();
      } while (skip(','));
      if (!skip(']')) {
        throw expected("`,` or `]`");
      }
    }
    depth--;
    return Collections.unmodifiableList(elements);
  }

  private void enter() {
    if (++depth > MAX_DEPTH) {
      throw malformed("is nested deeper than " + MAX_DEPTH + " levels");
    }
    at++;
  }

  private String string() {
    at++;
    int start = at;
    StringBuilder unescaped = null;
    while (true) {
      if (at == text.length()) {
        throw expected("`\"`");
      }
      char c = text.charAt(at);
      if (c == '"') {
        String rest = text.substring(start, at++);
        return unescaped == null ? rest : unescaped.append(rest).toString();
      }
      if (c < ' ') {
        throw malformed("has a control character in a string");
      }
      if (c != '\\') {
        at++;
        continue;
      }
      if (unescaped == null) {
        unescaped = new StringBuilder();
      }
      unescaped.append(text, start, at);
      at++;
      unescaped.append(escaped());
      start = at;
    }
  }

  private char escaped() {
    if (at == text.length()) {
      throw expected("an escape");
    }
    char c = text.charAt(at++);
    switch (c) {
      case '"':
      case '\\':
      case '/':
        return c;
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'u':
        return codeUnit();
      default:
        at--;
        throw expected("an escape");
    }
  }

  private char codeUnit() {
    int unit = 0;
    for (int i = 0; i < 4; i++, at++) {
      // Character.digit takes digits of every script.
      int digit =
          at < text.length() && text.charAt(at) < 0x80 ? Character.digit(text.charAt(at), 16) : -1;
      if (digit < 0) {
        throw expected("four hexadecimal digits");
      }
      unit = unit << 4 | digit;
    }
    return (char) unit;
  }

  private Number number() {
    int start = at;
    skip('-');
    if (!skip('0')) {
      digits();
    }
    boolean whole = true;
    if (skip('.')) {
      whole = false;
      digits();
    }
    if (skip('e') || skip('E')) {
      whole = false;
      if (!skip('+')) {
        skip('-');
      }
      digits();
    }
    String number = text.substring(start, at);
    if (!whole) {
      return Double.valueOf(number);
    }
    // 18 digits and a sign always fit.
    if (number.length() <= 19) {
      try {
        return Long.valueOf(number);
      } catch (NumberFormatException large) {
        return new BigInteger(number);
      }
    }
    if (number.length() > MAX_DIGITS) {
      throw malformed("has a whole number of more than " + MAX_DIGITS + " digits");
    }
    BigInteger large = new BigInteger(number);
    return large.bitLength() < Long.SIZE ? (Number) large.longValue() : large;
  }

  private void digits() {
    int start = at;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw expected("a digit");
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private boolean skip(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void skipSpace() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        return;
      }
      at++;
    }
  }

  private DecodeException expected(String what) {
    String found =
        at < text.length() ? "`" + Character.toString(text.codePointAt(at)) + "`" : "the end";
    return malformed("has " + found + " where " + what + " is expected");
  }

  private DecodeException malformed(String what) {
    return new DecodeException("the JSON text " + what + ", at character " + at);
  }
}
