package io.github.rustbridge.internal;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small reader of JSON (RFC 8259) for what the core and plugins say: error payloads,
 * descriptions, log fields. It isn't for requests and responses.
 *
 * <p>Whole numbers become Long, or BigInteger if they don't fit; all others Double, those beyond
 * its range an infinity. Of members with the same name the last counts. Escapes of unpaired
 * surrogates are taken as they are: such a text says something about a failure, and losing all of
 * it over one character would help nobody. Maps and lists are unmodifiable.
 */
public final class Json {
  /** Deeper nesting than this is refused, so that no text overflows the stack. */
  static final int MAX_DEPTH = 256;

  /** Longer whole numbers are refused: reading one takes time as the square of its length. */
  static final int MAX_DIGITS = 1000;

  /** A text isn't JSON. */
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
   * Reads a text.
   *
   * @param text JSON
   * @return Map, List, String, Long, BigInteger, Double, Boolean or null
   * @throws DecodeException if it isn't JSON; says where and why
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
   * Reads a text that may be something else.
   *
   * @param text JSON
   * @return Map, List, String, Long, BigInteger, Double, Boolean or null; null also if it isn't
   *     JSON
   */
  public static Object tryParse(String text) {
    try {
      return parse(text);
    } catch (DecodeException notJson) {
      return null;
    }
  }

  /**
   * Gives an object's members.
   *
   * @param value a value of JSON
   * @return the members, none if it isn't an object
   */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(Object value) {
    return value instanceof Map ? (Map<String, Object>) value : Map.of();
  }

  /**
   * Gives an array's elements.
   *
   * @param value a value of JSON
   * @return the elements, none if it isn't an array
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
