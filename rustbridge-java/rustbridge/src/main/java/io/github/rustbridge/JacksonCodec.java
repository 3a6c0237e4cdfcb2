package io.github.rustbridge;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.NumberSerializers;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Type;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The codec over Jackson. It's the only class that refers to Jackson, and it's loaded only if
 * Jackson is available.
 *
 * <p>Jackson's defaults are used, with these exceptions. Members that the class doesn't have are
 * ignored, so that a plugin can add members without breaking its hosts. Dates are texts, as Rust's
 * crates write them. Text after the value is an error.
 *
 * <p>No number is made up. JSON has no NaN and no infinity: Rust writes null for them, which
 * Jackson would read as 0 into a primitive, and Jackson writes texts, which Rust can't read as
 * numbers. Both are errors that name the member. A fraction for an integer, which Jackson would
 * truncate, is an error as well. Jackson's modules are registered if they are found.
 */
final class JacksonCodec implements JsonCodec {
  private final ObjectMapper mapper =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          // For what the serializers below don't get to see: the plugin refuses it, which it
          // wouldn't a text.
          .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
          .addModule(finiteNumbers())
          .build();
  private final ObjectWriter writer = mapper.writer();

  /**
   * A reader knows its deserializer already. Kept with the class, so that no class is kept longer
   * than its loader; and weakly, so that Jackson and this class aren't kept longer than theirs by a
   * class of the JDK's.
   */
  private final ClassValue<AtomicReference<WeakReference<ObjectReader>>> readers =
      new ClassValue<>() {
        @Override
        protected AtomicReference<WeakReference<ObjectReader>> computeValue(Class<?> type) {
          return new AtomicReference<>(new WeakReference<>(null));
        }
      };

  private ObjectReader reader(Class<?> type) {
    AtomicReference<WeakReference<ObjectReader>> kept = readers.get(type);
    ObjectReader reader = kept.get().get();
    if (reader == null) {
      reader = mapper.readerFor(type);
      kept.set(new WeakReference<>(reader));
    }
    return reader;
  }

  @Override
  public byte[] encode(Object value) {
    try {
      return writer.writeValueAsBytes(value);
    } catch (JsonProcessingException error) {
      String type = value == null ? "null" : value.getClass().getTypeName();
      throw new IllegalArgumentException(
          "a " + type + " can't be written as JSON: " + reason(error), error);
    }
  }

  @Override
  public Object decode(byte[] json, Type type) {
    try {
      ObjectReader reader =
          type instanceof Class<?> plain
              ? reader(plain)
              : mapper.readerFor(mapper.constructType(type));
      return reader.readValue(json);
    } catch (IOException error) {
      String reason =
          error instanceof JsonProcessingException processing
              ? reason(processing)
              : error.getMessage();
      throw new IllegalArgumentException(
          "the response can't be read as " + type.getTypeName() + ": " + reason, error);
    }
  }

  /** What was wrong, and at which member. */
  private static String reason(JsonProcessingException error) {
    String at = error instanceof JsonMappingException mapping ? path(mapping) : "";
    return at.isEmpty()
        ? error.getOriginalMessage()
        : "at `" + at + "`: " + error.getOriginalMessage();
  }

  private static String path(JsonMappingException error) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : error.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.length() == 0 ? "" : ".").append(step.getFieldName());
      }
    }
    return path.toString();
  }

  private static SimpleModule finiteNumbers() {
    return new SimpleModule("rustbridge")
        .addSerializer(double.class, new FiniteDouble(double.class))
        .addSerializer(Double.class, new FiniteDouble(Double.class))
        .addSerializer(float.class, new FiniteFloat())
        .addSerializer(Float.class, new FiniteFloat())
        .addSerializer(double[].class, new FiniteDoubles())
        .addSerializer(float[].class, new FiniteFloats());
  }

  private static void check(JsonGenerator to, double number) throws JsonMappingException {
    if (!Double.isFinite(number)) {
      throw JsonMappingException.from(to, number + " isn't a number in JSON");
    }
  }

  private static final class FiniteDouble extends NumberSerializers.DoubleSerializer {
    private static final long serialVersionUID = 1L;

    FiniteDouble(Class<?> type) {
      super(type);
    }

    @Override
    public void serialize(Object value, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      check(to, (Double) value);
      super.serialize(value, to, provider);
    }
  }

  private static final class FiniteFloat extends NumberSerializers.FloatSerializer {
    private static final long serialVersionUID = 1L;

    @Override
    public void serialize(Object value, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      check(to, (Float) value);
      super.serialize(value, to, provider);
    }
  }

  // Jackson's own for arrays can't be extended.

  private static final class FiniteDoubles extends StdSerializer<double[]> {
    private static final long serialVersionUID = 1L;

    FiniteDoubles() {
      super(double[].class);
    }

    @Override
    public void serialize(double[] values, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      for (int index = 0; index < values.length; index++) {
        checkElement(to, values[index], values, index);
      }
      to.writeArray(values, 0, values.length);
    }
  }

  private static final class FiniteFloats extends StdSerializer<float[]> {
    private static final long serialVersionUID = 1L;

    FiniteFloats() {
      super(float[].class);
    }

    @Override
    public void serialize(float[] values, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      to.writeStartArray(values, values.length);
      for (int index = 0; index < values.length; index++) {
        checkElement(to, values[index], values, index);
        to.writeNumber(values[index]);
      }
      to.writeEndArray();
    }
  }

  private static void checkElement(JsonGenerator to, double number, Object array, int index)
      throws JsonMappingException {
    try {
      check(to, number);
    } catch (JsonMappingException error) {
      throw JsonMappingException.wrapWithPath(error, array, index);
    }
  }
}
