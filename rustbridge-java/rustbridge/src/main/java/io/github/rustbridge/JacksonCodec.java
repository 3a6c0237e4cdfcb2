package io.github.rustbridge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.lang.reflect.Type;

/**
 * JSON by Jackson, the only class that refers to it: loaded only if Jackson is there.
 *
 * <p>Jackson's defaults, except that members that the class doesn't know are ignored, so that a
 * plugin can add one without breaking its hosts; that dates are texts, as Rust's crates write them;
 * and that text behind the value is an error. Jackson's modules are used as far as they are found.
 */
final class JacksonCodec implements JsonCodec {
  private final ObjectMapper mapper =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .build();
  private final ObjectWriter writer = mapper.writer();

  /**
   * A reader knows its deserializer already. Kept with the class, so that no class is kept longer
   * than its loader.
   */
  private final ClassValue<ObjectReader> readers =
      new ClassValue<>() {
        @Override
        protected ObjectReader computeValue(Class<?> type) {
          return mapper.readerFor(type);
        }
      };

  @Override
  public byte[] encode(Object value) {
    try {
      return writer.writeValueAsBytes(value);
    } catch (JsonProcessingException error) {
      String type = value == null ? "null" : value.getClass().getTypeName();
      throw new IllegalArgumentException(
          "a " + type + " can't be written as JSON: " + error.getOriginalMessage(), error);
    }
  }

  @Override
  public Object decode(byte[] json, Type type) {
    try {
      ObjectReader reader =
          type instanceof Class<?> plain
              ? readers.get(plain)
              : mapper.readerFor(mapper.constructType(type));
      return reader.readValue(json);
    } catch (IOException error) {
      String reason =
          error instanceof JsonProcessingException processing
              ? processing.getOriginalMessage()
              : error.getMessage();
      throw new IllegalArgumentException(
          "the response can't be read as " + type.getTypeName() + ": " + reason, error);
    }
  }
}
