package io.github.rustbridge.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Ours and its floor, or one alone: what runs one right after the other.
 *
 * @param scenario the parameter of that name
 * @param transport likewise
 * @param threads how many threads call
 * @param rows what is measured, by the benchmark's name
 */
record Pair(String scenario, String transport, int threads, Map<String, Row> rows) {
  /** Names what a list of benchmarks measures with these parameters. */
  static Pair of(List<String> benchmarks, String scenario, String transport, int threads) {
    Map<String, Row> rows =
        benchmarks.stream()
            .collect(
                Collectors.toMap(
                    name -> name,
                    name -> Row.of(name, scenario, transport, threads),
                    (one, other) -> one,
                    TreeMap::new));
    return new Pair(scenario, transport, threads, rows);
  }

  /** The language, the same in all rows. */
  String host() {
    return rows.values().iterator().next().host();
  }

  /** The scenario with its variant, the same in all rows. */
  String name() {
    return rows.values().iterator().next().scenario();
  }
}
