package io.github.rustbridge;

import io.github.rustbridge.internal.Json;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The content of an error payload.
 *
 * @param type the name of the error's type; empty for none
 * @param message describes the failure
 * @param details what the error carries besides, as values of JSON that nobody can change
 * @param backtrace the Rust backtrace, or null
 */
record ErrorPayload(String type, String message, Map<String, Object> details, String backtrace) {
  /** What a payload in the wire form begins with. */
  private static final int TYPED = 1;

  /** Where texts begin in one: behind what it begins with, and the status, which came beside it. */
  private static final int TEXTS = 2 * Integer.BYTES;

  static {
    // Loads what reads, and what that throws: a logger that writes later may ask for the message
    // when the class loader is closed.
    Json.tryParse("");
  }

  /**
   * Reads a payload.
   *
   * @param status what came beside it
   * @param payload one JSON object in UTF-8, an error with a type in the wire form, or empty; one
   *     that is something else is the message
   */
  static ErrorPayload of(Status status, byte[] payload) {
    if (payload.length == 0) {
      return message("the call failed with status " + status + " and no message");
    }
    if (valueAt(payload) >= 0) {
      ByteBuffer in = wire(payload).position(TEXTS);
      String message = text(in, payload);
      return new ErrorPayload(text(in, payload), message, Map.of(), null);
    }
    String text = new String(payload, StandardCharsets.UTF_8);
    ErrorPayload plain = plain(text);
    return plain != null ? plain : parsed(text);
  }

  /**
   * Returns the payload of an error of a service in the wire format. The library adds the status
   * and the name of the type, which it reads in the client schema.
   *
   * @param message describes the failure; empty for the name of the type
   * @param value the error in the wire format
   */
  static byte[] ofValue(String message, byte[] value) {
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    // The mark, the status, the message after its length, and the length of an empty type.
    int start = (TEXTS + 2 * Integer.BYTES + text.length + 7) & ~7;
    byte[] payload = new byte[start + value.length];
    wire(payload).putInt(TYPED).position(TEXTS).putInt(text.length).put(text);
    System.arraycopy(value, 0, payload, start, value.length);
    return payload;
  }

  private static ErrorPayload message(String message) {
    return new ErrorPayload("", message, Map.of(), null);
  }

  private static ErrorPayload parsed(String text) {
    if (!(Json.tryParse(text) instanceof Map<?, ?> error)) {
      return message(text);
    }
    Object details = error.get("details");
    return new ErrorPayload(
        error.get("type") instanceof String type ? type : "",
        error.get("message") instanceof String message ? message : text,
        details == null || details instanceof Map
            ? Json.object(details)
            : Map.of("details", details),
        error.get("backtrace") instanceof String backtrace ? backtrace : null);
  }

  /**
   * Reads what nearly all payloads are: an object of a few texts without escapes, as plugins write
   * it. Null if it's anything else, also if it's no JSON. It takes two thirds of the parser's time.
   */
  private static ErrorPayload plain(String text) {
    String type = "";
    String message = text;
    String backtrace = null;
    int last = text.length() - 1;
    char before = '{';
    int at = 0;
    while (at < last && text.charAt(at) == before) {
      int nameEnd = endOfText(text, at + 1);
      if (nameEnd < 0 || nameEnd == last || text.charAt(nameEnd + 1) != ':') {
        return null;
      }
      int end = endOfText(text, nameEnd + 2);
      if (end < 0) {
        return null;
      }
      String name = text.substring(at + 2, nameEnd);
      String value = text.substring(nameEnd + 3, end);
      switch (name) {
        case "message" -> message = value;
        case "type" -> type = value;
        case "backtrace" -> backtrace = value;
        case "details" -> {
          return null;
        }
        default -> {
          // The code, which is the status.
        }
      }
      before = ',';
      at = end + 1;
    }
    boolean isWhole = before == ',' && at == last && text.charAt(at) == '}';
    return isWhole ? new ErrorPayload(type, message, Map.of(), backtrace) : null;
  }

  /** Where the quote is that ends a text without escapes; -1 if there's no such text. */
  private static int endOfText(String text, int at) {
    int length = text.length();
    if (at >= length || text.charAt(at) != '"') {
      return -1;
    }
    for (int end = at + 1; end < length; end++) {
      char character = text.charAt(end);
      if (character == '"') {
        return end;
      }
      if (character < ' ' || character == '\\') {
        return -1;
      }
    }
    return -1;
  }

  /** Where the error itself begins in a payload that has one in the wire form; -1 if it hasn't. */
  static int valueAt(byte[] payload) {
    if (payload.length == 0 || payload[0] != TYPED) {
      return -1;
    }
    try {
      ByteBuffer in = wire(payload);
      if (in.getInt() != TYPED) {
        return -1;
      }
      in.position(TEXTS);
      skip(in);
      skip(in);
      return Math.min((in.position() + 7) & ~7, payload.length);
    } catch (BufferUnderflowException | IllegalArgumentException truncated) {
      return -1;
    }
  }

  private static ByteBuffer wire(byte[] payload) {
    return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void skip(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    in.position(in.position() + length);
  }

  private static String text(ByteBuffer in, byte[] payload) {
    int length = in.getInt();
    int start = in.position();
    in.position(start + length);
    return new String(payload, start, length, StandardCharsets.UTF_8);
  }
}
