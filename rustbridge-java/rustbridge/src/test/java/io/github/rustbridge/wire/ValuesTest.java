package io.github.rustbridge.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ValuesTest {
  private static byte[] bytes() {
    return new byte[] {1, 2};
  }

  /** What generated records may hold, made anew each time. */
  private static List<Object> held(byte[] bytes) {
    Map<String, byte[]> map = new HashMap<>(Map.of("b", bytes));
    map.put("none", null);
    return List.of(
        bytes,
        List.of(bytes),
        Arrays.asList(bytes, null),
        new ArrayList<>(List.of(List.of(bytes), List.of())),
        Map.of("a", bytes),
        map,
        Map.of("a", List.of(Map.of(1, bytes))),
        Values.list(List.of(bytes), "list"),
        Values.nullableList(Arrays.asList(null, bytes), "list"),
        Values.map(Map.of("a", bytes), "map"),
        Values.nullableMap(map, "map"),
        Maybe.of(List.of(bytes)),
        new Object[] {List.of(bytes)});
  }

  @Test
  void arrays_are_equal_by_content_however_deep_they_lie() {
    List<Object> one = held(bytes());
    List<Object> same = held(bytes());
    List<Object> others = held(new byte[] {1, 3});
    for (int i = 0; i < one.size(); i++) {
      String what = i + ": " + one.get(i);
      assertTrue(Values.equal(one.get(i), same.get(i)), what);
      assertEquals(Values.hash(one.get(i)), Values.hash(same.get(i)), what);
      assertFalse(Values.equal(one.get(i), others.get(i)), what);
    }
  }

  @Test
  void the_kind_of_list_or_map_is_no_difference() {
    assertTrue(Values.equal(List.of(bytes()), Values.nullableList(List.of(bytes()), "list")));
    assertTrue(Values.equal(Map.of("a", bytes()), Values.map(Map.of("a", bytes()), "map")));
    assertFalse(Values.equal(List.of(bytes()), Map.of(0, bytes())));
  }
}
