package io.github.rustbridge.tests.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** The bytes that a payload of a case stands for. */
final class Payloads {
  private Payloads() {}

  /** Gives the bytes; none for a payload that isn't there. */
  static byte[] bytes(JsonNode payload) {
    if (payload == null || payload.isMissingNode()) {
      return new byte[0];
    }
    if (payload.size() != (payload.has("repeat") ? 2 : 1)) {
      throw new IllegalArgumentException("not a payload: " + payload);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (payload.has("text")) {
      bytes.writeBytes(utf8(payload.get("text").textValue()));
    } else if (payload.has("hex")) {
      bytes.writeBytes(HexFormat.of().parseHex(payload.get("hex").textValue()));
    } else if (payload.has("concat")) {
      for (JsonNode part : payload.get("concat")) {
        bytes.writeBytes(bytes(part));
      }
    } else if (payload.has("repeat")) {
      byte[] part = bytes(payload.get("repeat"));
      for (int count = payload.get("count").intValue(); count > 0; count--) {
        bytes.writeBytes(part);
      }
    } else {
      throw new IllegalArgumentException("not a payload: " + payload);
    }
    return bytes.toByteArray();
  }

  private static byte[] utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!text.equals(new String(bytes, StandardCharsets.UTF_8))) {
      throw new IllegalArgumentException("a text with an unpaired surrogate has no UTF-8");
    }
    return bytes;
  }

  /** Gives the text that bytes are the UTF-8 of; nothing if they aren't UTF-8. */
  static Optional<String> text(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString());
    } catch (CharacterCodingException notUtf8) {
      return Optional.empty();
    }
  }
}
