package io.github.rustbridge;

import io.github.rustbridge.internal.Json;
import io.github.rustbridge.wire.WireReader;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Decodes values in the wire format as JSON values, by the types of a client schema.
 *
 * <p>It doesn't limit how deeply values are nested, since a typed client has read or written them
 * before.
 */
final class WireValues {
  /** Types whose lists begin at a multiple of 8, as do those of pods. */
  private static final Set<String> ALIGNED =
      Set.of("u16", "u32", "u64", "u128", "i16", "i32", "i64", "i128", "f32", "f64");

  private final List<Object> types;
  private final WireReader in = new WireReader();

  /**
   * Creates a reader.
   *
   * @param types the schema's types
   */
  WireValues(List<Object> types) {
    this.types = types;
  }

  /** Reads a whole message. */
  <T> T read(byte[] message, Function<WireValues, T> read) {
    return read(message, message.length, read);
  }

  /** Reads the first bytes of a message. */
  <T> T read(byte[] message, int length, Function<WireValues, T> read) {
    return in.read(message, Math.min(length, message.length), ignored -> read.apply(this));
  }

  /** Reads a value of a type. */
  Object value(Object type) {
    if (type instanceof String name) {
      return simple(name);
    }
    Map.Entry<String, Object> only =
        Json.object(type).entrySet().stream().findFirst().orElseThrow(() -> unknown(type));
    Object inside = only.getValue();
    return switch (only.getKey()) {
      case "ref" -> named(Json.object(types.get(((Long) inside).intValue())));
      case "option" -> in.bool() ? value(inside) : null;
      case "list" -> items(inside, isAligned(inside) ? in.alignedCount(1) : in.count(1));
      case "array" -> {
        List<Object> array = Json.array(inside);
        yield items(array.get(0), ((Long) array.get(1)).intValue());
      }
      case "map" -> map(Json.array(inside));
      case "tuple" -> tuple(Json.array(inside));
      case "object" -> in.u32();
      default -> throw unknown(type);
    };
  }

  private static IllegalArgumentException unknown(Object type) {
    return new IllegalArgumentException("the schema has an unknown type: " + type);
  }

  private Object simple(String type) {
    return switch (type) {
      case "unit" -> null;
      case "bool" -> in.bool();
      case "u8" -> (long) in.u8();
      case "u16" -> (long) in.u16();
      case "u32" -> in.u32();
      case "u64" -> {
        long bits = in.i64();
        yield bits >= 0 ? bits : (Object) new BigInteger(Long.toUnsignedString(bits));
      }
      case "u128" -> integer(in.u128());
      case "i8" -> (long) in.i8();
      case "i16" -> (long) in.i16();
      case "i32" -> (long) in.i32();
      case "i64" -> in.i64();
      case "i128" -> integer(in.i128());
      case "f32" -> {
        float number = in.f32();
        // By its digits, as JSON has it: 0.1, not the double that is nearest to it.
        yield Float.isFinite(number) ? Double.valueOf(Float.toString(number)) : null;
      }
      case "f64" -> {
        double number = in.f64();
        yield Double.isFinite(number) ? number : null;
      }
      case "char" -> Character.toString(in.character());
      case "string" -> in.string();
      case "decimal" -> in.decimal().toPlainString();
      case "bytes" -> bytes(in.bytes());
      case "timestamp" -> {
        Instant time = in.timestamp();
        yield pair("secs_since_epoch", time.getEpochSecond(), "nanos_since_epoch", time.getNano());
      }
      case "duration" -> {
        Duration duration = in.duration();
        yield pair("secs", duration.getSeconds(), "nanos", duration.getNano());
      }
      case "uuid" -> in.uuid().toString();
      case "any" -> plain(in.any());
      default -> throw unknown(type);
    };
  }

  private static Object integer(BigInteger number) {
    return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
  }

  private static Map<String, Object> pair(String first, long one, String second, long other) {
    Map<String, Object> pair = new LinkedHashMap<>();
    pair.put(first, one);
    pair.put(second, other);
    return pair;
  }

  private static List<Object> bytes(byte[] bytes) {
    List<Object> items = new ArrayList<>(bytes.length);
    for (byte item : bytes) {
      items.add((long) (item & 0xFF));
    }
    return items;
  }

  /** A dynamic value with numbers in place of bytes, which JSON doesn't have. */
  private static Object plain(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes(bytes);
    }
    if (value instanceof List<?> list) {
      List<Object> items = new ArrayList<>(list.size());
      list.forEach(item -> items.add(plain(item)));
      return items;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> members = new LinkedHashMap<>();
      map.forEach((name, member) -> members.put(String.valueOf(name), plain(member)));
      return members;
    }
    return value;
  }

  private List<Object> items(Object type, int count) {
    List<Object> items = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      items.add(value(type));
    }
    return items;
  }

  private boolean isAligned(Object type) {
    if (type instanceof String name) {
      return ALIGNED.contains(name);
    }
    Map<String, Object> of = Json.object(type);
    if (of.get("ref") instanceof Long number) {
      return Json.object(types.get(number.intValue())).containsKey("pod");
    }
    return of.containsKey("array") && isAligned(Json.array(of.get("array")).get(0));
  }

  private Map<String, Object> map(List<Object> pair) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int left = in.count(1); left > 0; left--) {
      String key = String.valueOf(value(pair.get(0)));
      map.put(key, value(pair.get(1)));
    }
    return map;
  }

  private List<Object> tuple(List<Object> items) {
    List<Object> values = new ArrayList<>();
    items.forEach(item -> values.add(value(item)));
    return values;
  }

  private Object named(Map<String, Object> definition) {
    if (definition.containsKey("enum")) {
      return variantValue(definition);
    }
    if (definition.containsKey("newtype")) {
      return value(definition.get("newtype"));
    }
    if (definition.containsKey("tuple")) {
      return tuple(Json.array(definition.get("tuple")));
    }
    return fields(definition.getOrDefault("record", definition.get("pod")));
  }

  /** Reads fields, by their names. */
  Map<String, Object> fields(Object fields) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (Object one : Json.array(fields)) {
      Map<String, Object> field = Json.object(one);
      if (isSet(field, "default") && !in.bool()) {
        continue;
      }
      Object value = value(field.get("type"));
      if (isSet(field, "flatten")) {
        members.putAll(Json.object(value));
      } else {
        members.put(String.valueOf(field.get("name")), value);
      }
    }
    return members;
  }

  private static boolean isSet(Map<String, Object> of, String flag) {
    return Boolean.TRUE.equals(of.get(flag));
  }

  /** Reads which variant of an enum follows, and returns its description. */
  Map<String, Object> variant(Map<String, Object> definition) {
    Map<String, Object> shape = Json.object(definition.get("enum"));
    List<Object> variants = Json.array(shape.get("variants"));
    String name = String.valueOf(definition.get("name"));
    if (!isSet(shape, "open")) {
      return Json.object(variants.get(in.variant(variants.size(), name)));
    }
    int place = in.openVariant(variants.size(), name);
    return place < variants.size() ? Json.object(variants.get(place)) : Map.of();
  }

  private Object variantValue(Map<String, Object> definition) {
    Map<String, Object> variant = variant(definition);
    Object name = variant.get("name");
    Object tag = Json.object(definition.get("enum")).getOrDefault("tag", "outside");
    boolean isBare = !variant.containsKey("tuple") && !variant.containsKey("fields");
    Object content = isBare ? null : content(variant);
    if ("none".equals(tag)) {
      return content;
    }
    Map<String, Object> members = new LinkedHashMap<>();
    if (Json.object(tag).get("inside") instanceof String inside) {
      members.put(inside, name);
      members.putAll(Json.object(content));
      return members;
    }
    if (Json.object(tag).containsKey("beside")) {
      List<Object> names = Json.array(Json.object(tag).get("beside"));
      members.put(String.valueOf(names.get(0)), name);
      if (!isBare) {
        members.put(String.valueOf(names.get(1)), content);
      }
      return members;
    }
    if (isBare) {
      return name;
    }
    members.put(String.valueOf(name), content);
    return members;
  }

  private Object content(Map<String, Object> variant) {
    if (variant.containsKey("fields")) {
      return fields(variant.get("fields"));
    }
    List<Object> items = Json.array(variant.get("tuple"));
    return items.size() == 1 ? value(items.get(0)) : tuple(items);
  }
}
