package io.github.rustbridge.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every case of {@code conformance/}, in each of the ways Java has to call a method. */
class ConformanceTest {
  private static final List<JsonNode> CASES = Cases.all();

  @TestFactory
  Stream<DynamicContainer> a_case_gives_what_every_host_must_get() {
    return Stream.of(Way.values())
        .map(way ->
            DynamicContainer.dynamicContainer(
                way.name(), CASES.stream().filter(Cases::expressible).map(one -> test(one, way))));
  }

  private static DynamicTest test(JsonNode one, Way way) {
    String id = one.get("id").textValue();
    return DynamicTest.dynamicTest(
        id,
        () -> {
          try {
            new CaseRun(one, way).run();
            Results.write(id, "passed");
          } catch (Throwable problem) {
            Results.write(id, "failed: " + way + ": " + problem.getMessage());
            // Reports of dynamic tests show a number instead of the name.
            throw new AssertionError(id + " by " + way + ": " + problem.getMessage(), problem);
          }
        });
  }

  @Test
  void only_the_cases_beyond_a_typed_api_are_left_out() {
    assertEquals(668, CASES.size());
    Set<String> ids = new HashSet<>();
    CASES.forEach(one -> assertTrue(ids.add(one.get("id").textValue()), () -> "twice: " + one));
    List<JsonNode> leftOut = CASES.stream().filter(one -> !Cases.expressible(one)).toList();
    assertEquals(17, leftOut.size());
    for (JsonNode one : leftOut) {
      assertEquals("[\"c-abi\"]", one.get("needs").toString());
    }
  }
}
