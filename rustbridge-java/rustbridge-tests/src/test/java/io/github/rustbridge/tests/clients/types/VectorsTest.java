package io.github.rustbridge.tests.clients.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.tests.Plugins;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.DecodeException;
import io.github.rustbridge.wire.Encode;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The bytes that the page of the wire form says, read and written by the typed client. */
class VectorsTest {
  private static final String FILE = "conformance/wire/vectors.json";

  /** How a vector is read, and what else is done with it. */
  private record Echo<T>(Encode<T> encode, Decode<T> decode, UnaryOperator<T> call) {
    void holds(JsonNode vector) {
      byte[] message = HexFormat.of().parseHex(vector.get("wire").asText());
      if (vector.has("refused")) {
        assertThrows(
            DecodeException.class, () -> new WireReader().read(message, message.length, decode));
        return;
      }
      T value = new WireReader().read(message, message.length, decode);
      WireWriter out = new WireWriter();
      encode.write(out, value);
      assertArrayEquals(message, out.toByteArray());
      T answer = call.apply(value);
      if (value instanceof double[] numbers) {
        assertArrayEquals(numbers, (double[]) answer);
      } else {
        assertEquals(!vector.has("filled"), Objects.equals(value, answer));
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> every_vector_holds() throws IOException {
    JsonNode vectors =
        new ObjectMapper().readTree(Plugins.REPOSITORY.resolve(FILE).toFile()).get("vectors");
    assertTrue(vectors.size() > 50);
    Types types =
        Types.load(Plugins.path("types-plugin"), PluginConfig.defaults().logLevel(LogLevel.OFF));
    return StreamSupport.stream(vectors.spliterator(), false)
        .map(vector ->
            DynamicTest.dynamicTest(
                vector.get("name").asText(),
                () -> echo(types, vector.get("method").asText()).holds(vector)))
        .onClose(types::close);
  }

  private static Echo<?> echo(Types types, String method) {
    return switch (method) {
      case "numbers" ->
          new Echo<>(TypesCodec::writeNumbers, TypesCodec::readNumbers, types::numbers);
      case "texts" -> new Echo<>(TypesCodec::writeTexts, TypesCodec::readTexts, types::texts);
      case "times" -> new Echo<>(TypesCodec::writeTimes, TypesCodec::readTimes, types::times);
      case "lists" -> new Echo<>(TypesCodec::writeLists, TypesCodec::readLists, types::lists);
      case "pairs" -> new Echo<>(TypesCodec::writePairs, TypesCodec::readPairs, types::pairs);
      case "person" -> new Echo<>(TypesCodec::writePerson, TypesCodec::readPerson, types::person);
      case "people" ->
          new Echo<>(TypesCodec::writePagePerson, TypesCodec::readPagePerson, types::people);
      case "shape" -> new Echo<>(TypesCodec::writeShape, TypesCodec::readShape, types::shape);
      case "color" -> new Echo<>(TypesCodec::writeColor, TypesCodec::readColor, types::color);
      case "tagged" -> new Echo<>(TypesCodec::writeTagged, TypesCodec::readTagged, types::tagged);
      case "untagged" ->
          new Echo<>(TypesCodec::writeUntagged, TypesCodec::readUntagged, types::untagged);
      case "expr" -> new Echo<>(TypesCodec::writeExpr, TypesCodec::readExpr, types::expr);
      case "tree" -> new Echo<>(TypesCodec::writeTree, TypesCodec::readTree, types::tree);
      case "samples" ->
          new Echo<>(TypesCodec::writeSamples, TypesCodec::readSamples, types::samples);
      case "point" -> new Echo<>(TypesCodec::writePoint, TypesCodec::readPoint, types::point);
      case "celsius" ->
          new Echo<>(TypesCodec::writeCelsius, TypesCodec::readCelsius, types::celsius);
      case "bounded" ->
          new Echo<>(TypesCodec::writeBounded, TypesCodec::readBounded, types::bounded);
      case "unit" -> new Echo<>(TypesCodec::writeUnit, TypesCodec::readUnit, types::unit);
      case "defaults" ->
          new Echo<>(TypesCodec::writeDefaults, TypesCodec::readDefaults, types::defaults);
      case "renamed" ->
          new Echo<>(TypesCodec::writeRenamedRecord, TypesCodec::readRenamedRecord, types::renamed);
      case "any" ->
          new Echo<Object>((out, value) -> out.any(value, "any"), WireReader::any, types::any);
      case "doubles" ->
          new Echo<>((out, value) -> out.f64s(value), WireReader::f64s, types::doubles);
      case "map" ->
          new Echo<>(
              (out, value) -> TypesCodec.writeMapOfStringToPerson(out, value, "map"),
              TypesCodec::readMapOfStringToPerson,
              types::map);
      case "maybe" ->
          new Echo<>(TypesCodec::writeOptionOfPerson, TypesCodec::readOptionOfPerson, types::maybe);
      case "tuple" ->
          new Echo<>(
              (out, value) ->
                  TypesCodec.writeTupleOfU8AndStringAndOptionOfBool(out, value, "tuple"),
              TypesCodec::readTupleOfU8AndStringAndOptionOfBool,
              types::tuple);
      case "duration" ->
          new Echo<>(
              (out, value) -> out.duration(value, "duration"),
              WireReader::duration,
              types::duration);
      case "timestamp" ->
          new Echo<>(WireWriter::timestamp, WireReader::timestamp, types::timestamp);
      default -> throw new AssertionError(method);
    };
  }
}
