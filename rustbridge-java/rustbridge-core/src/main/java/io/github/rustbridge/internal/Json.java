package io.github.rustbridge.internal;

import java.util.Map;

/** A small reader of JSON for what the core says: error payloads, descriptions, log fields. */
public final class Json {
  private Json() {}

  /**
   * Reads a text.
   *
   * @param text JSON
   * @return Map, List, String, Long, BigInteger, Double, Boolean or null; null also if it isn't JSON
   */
  public static Object tryParse(String text) {
    throw new UnsupportedOperationException("being written");
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
}
