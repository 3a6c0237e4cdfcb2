package io.github.rustbridge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares types of two client schemas with all types in them: names, fields, variants and
 * defaults. The parts of the schemas are values of JSON.
 */
final class SameTypes {
  private final List<Object> mine;
  private final List<Object> theirs;

  /** The pairs that are compared or have been, so that types may contain each other. */
  private final Set<List<Integer>> seen = new HashSet<>();

  private final Deque<List<Integer>> next = new ArrayDeque<>();

  SameTypes(List<Object> mine, List<Object> theirs) {
    this.mine = mine;
    this.theirs = theirs;
  }

  boolean areSame(int number, int their) {
    add(number, their);
    while (!next.isEmpty()) {
      List<Integer> pair = next.pop();
      int one = pair.get(0);
      int other = pair.get(1);
      boolean areThere = one < mine.size() && other < theirs.size();
      if (!areThere || !areEqual(mine.get(one), theirs.get(other))) {
        return false;
      }
    }
    return true;
  }

  private void add(int number, int their) {
    List<Integer> pair = List.of(number, their);
    if (seen.add(pair)) {
      next.push(pair);
    }
  }

  private boolean areEqual(Object one, Object other) {
    if (one instanceof Map<?, ?> members && other instanceof Map<?, ?> others) {
      if (members.get("ref") instanceof Number number
          && others.get("ref") instanceof Number their) {
        add(number.intValue(), their.intValue());
        return true;
      }
      if (!members.keySet().equals(others.keySet())) {
        return false;
      }
      for (Map.Entry<?, ?> member : members.entrySet()) {
        if (!areEqual(member.getValue(), others.get(member.getKey()))) {
          return false;
        }
      }
      return true;
    }
    if (one instanceof List<?> items && other instanceof List<?> others) {
      if (items.size() != others.size()) {
        return false;
      }
      for (int place = 0; place < items.size(); place++) {
        if (!areEqual(items.get(place), others.get(place))) {
          return false;
        }
      }
      return true;
    }
    return one == null ? other == null : one.equals(other);
  }
}
