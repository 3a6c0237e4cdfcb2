package io.github.rustbridge.tests.conformance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.rustbridge.tests.Plugins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads {@code conformance/cases}. A field that this reader doesn't know is an error, not something
 * to skip.
 */
final class Cases {
  /** Reads integers exactly, other numbers as doubles, and takes nothing after the value. */
  static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNestingDepth(10_000)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final Set<String> STEP =
      Set.of(
          "op",
          "instance",
          "method",
          "method_id",
          "method_bytes",
          "encoding",
          "via",
          "request",
          "capacity",
          "misalign",
          "level",
          "expect");
  private static final Set<String> CASE =
      Set.of(
          "id",
          "plugin",
          "provenance",
          "notes",
          "needs",
          "config",
          "config_bytes",
          "on_panic",
          "instances",
          "load",
          "logs",
          "steps");
  private static final Set<String> EXPECT = Set.of("status", "stage", "response", "error", "state");
  private static final Set<String> ERROR =
      Set.of("type", "message", "message_contains", "details", "no_details", "checks");
  private static final Set<String> NEEDS = Set.of("c-abi");

  private Cases() {}

  /** Gives every case of every file. */
  static List<JsonNode> all() {
    List<JsonNode> cases = new ArrayList<>();
    try (Stream<Path> files = Files.list(Plugins.REPOSITORY.resolve("conformance/cases"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).sorted().toList()) {
        for (JsonNode one : JSON.readTree(Files.readAllBytes(file)).get("cases")) {
          known(one);
          cases.add(one);
        }
      }
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
    return cases;
  }

  /** Tells whether a typed API can express a case. */
  static boolean expressible(JsonNode one) {
    return !one.has("needs");
  }

  /** Gives the steps of a case: its own, or the case itself. */
  static Iterable<JsonNode> steps(JsonNode one) {
    return one.has("steps") ? one.get("steps") : List.of(one);
  }

  /** Refuses a case with something in it that this reader would overlook. */
  static void known(JsonNode one) {
    String id = one.path("id").asText();
    only(id, one, union(CASE, STEP));
    for (JsonNode need : one.path("needs")) {
      if (!NEEDS.contains(need.asText())) {
        throw new IllegalArgumentException(id + " needs the unknown " + need);
      }
    }
    expectation(id, one.path("load"));
    for (JsonNode step : steps(one)) {
      if (one.has("steps")) {
        only(id, step, STEP);
      }
      expectation(id, step.path("expect"));
    }
    for (JsonNode logs : one.path("logs")) {
      only(id, logs, Set.of("level", "records"));
      for (JsonNode record : logs.get("records")) {
        only(id, record, Set.of("level", "message", "target", "fields", "spans"));
      }
    }
  }

  private static void expectation(String id, JsonNode expect) {
    only(id, expect, EXPECT);
    only(id, expect.path("error"), ERROR);
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    Set<String> all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }

  private static void only(String id, JsonNode value, Set<String> known) {
    for (Iterator<String> fields = value.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!known.contains(field)) {
        throw new IllegalArgumentException(id + " has the unknown field " + field);
      }
    }
  }
}
