package io.github.rustbridge;

import io.github.rustbridge.internal.Json;
import io.github.rustbridge.wire.DecodeException;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.WireWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A method's error type, from the client schema. Exceptions that {@code rustbridge gen} writes
 * contain it.
 *
 * @param <E> the error's type
 */
public final class TypedError<E> {
  private final String clientSchema;
  private final int number;
  private final Encode<E> encode;

  /** The schema's types, parsed when they are first needed. */
  private volatile List<Object> types;

  /** The last comparison with a type of another schema. */
  private volatile Compared compared;

  /**
   * Creates an error type from a client schema.
   *
   * @param clientSchema the client schema
   * @param number the type's number in the schema
   * @param encode writes errors
   */
  public TypedError(String clientSchema, int number, Encode<E> encode) {
    this.clientSchema = Objects.requireNonNull(clientSchema, "clientSchema");
    this.number = number;
    this.encode = Objects.requireNonNull(encode, "encode");
  }

  /** Returns an error in the wire format. */
  byte[] encode(E error) {
    WireWriter out = new WireWriter();
    encode.write(out, error);
    return out.toByteArray();
  }

  /**
   * Reports whether this is the type with that number in that client schema. It may be the schema
   * of another client, which uses this client's exception for a type that is the same in both.
   */
  boolean is(String clientSchema, int number) {
    if (this.number == number && this.clientSchema.equals(clientSchema)) {
      return true;
    }
    Compared before = compared;
    if (before == null || before.number != number || !before.clientSchema.equals(clientSchema)) {
      SameTypes types = new SameTypes(types(), types(clientSchema));
      before = new Compared(clientSchema, number, types.areSame(this.number, number));
      compared = before;
    }
    return before.isSame;
  }

  /** Returns the error type as an exception reports it, e.g. {@code MathError.Overflow}. */
  String typeOf(byte[] value) {
    Map<String, Object> definition = definition();
    Object name = definition.get("name");
    return definition.containsKey("enum")
        ? name + "." + variant(definition, value).get("name")
        : String.valueOf(name);
  }

  /**
   * Returns the status with which the plugin reports the error; UNKNOWN if it doesn't declare it.
   */
  Status statusOf(byte[] value) {
    Map<String, Object> definition = definition();
    Map<String, Object> of =
        definition.containsKey("enum") ? variant(definition, value) : definition;
    for (Status status : Status.values()) {
      if (status.name().equals(of.get("status"))) {
        return status;
      }
    }
    return Status.UNKNOWN;
  }

  /** Returns an error's fields as values of JSON. A field that is another error is its value. */
  Map<String, Object> detailsOf(byte[] value) {
    Map<String, Object> definition = definition();
    try {
      return new WireValues(types())
          .read(
              value,
              values -> {
                if (definition.containsKey("enum")) {
                  return details(values, values.variant(definition));
                }
                return details(values, definition);
              });
    } catch (DecodeException | IllegalArgumentException malformed) {
      return Map.of();
    }
  }

  /** The fields of a record or of a variant; values without names have their positions instead. */
  private static Map<String, Object> details(WireValues values, Map<String, Object> shape) {
    for (String key : List.of("fields", "record", "pod")) {
      if (shape.containsKey(key)) {
        return values.fields(shape.get(key));
      }
    }
    Map<String, Object> details = new LinkedHashMap<>();
    int position = 0;
    for (Object type : Json.array(shape.get("tuple"))) {
      details.put(String.valueOf(position++), values.value(type));
    }
    return details;
  }

  private Map<String, Object> variant(Map<String, Object> definition, byte[] value) {
    return new WireValues(types()).read(value, 2, values -> values.variant(definition));
  }

  private Map<String, Object> definition() {
    List<Object> known = types();
    return number < known.size() ? Json.object(known.get(number)) : Map.of();
  }

  private List<Object> types() {
    List<Object> known = types;
    if (known == null) {
      known = types(clientSchema);
      types = known;
    }
    return known;
  }

  private static List<Object> types(String clientSchema) {
    return Json.array(Json.object(Json.tryParse(clientSchema)).get("types"));
  }

  /** Whether the type is the same as one of another schema. */
  private record Compared(String clientSchema, int number, boolean isSame) {}
}
