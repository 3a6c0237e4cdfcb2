package io.github.rustbridge.benchmarks;

import java.util.Locale;

/**
 * What a benchmark's results are of: a line of the results.
 *
 * @param host {@code java} or {@code kotlin}
 * @param scenario as in the catalogue, with the variant
 * @param transport {@code ffm}, {@code jni}, or empty for what has nothing to do with either
 * @param subject {@code ours}, {@code floor}, or a peer's name
 * @param threads how many threads call at once
 */
record Row(String host, String scenario, String transport, String subject, int threads) {

  /**
   * Names the results of a method: what comes last in its name is the subject, what comes before
   * are variants, and the class's says whose language it is, so that {@code
   * lease_requestBuiltInside_ours} adds {@code , lease, request built inside} to the scenario.
   */
  static Row of(String benchmark, String scenario, String transport, int threads) {
    String method = method(benchmark);
    int end = method.lastIndexOf('_');
    StringBuilder name = new StringBuilder(scenario);
    if (end >= 0) {
      for (String variant : method.substring(0, end).split("_")) {
        name.append(", ").append(words(variant));
      }
    }
    String subject = words(method.substring(end + 1));
    return new Row(host(benchmark), name.toString(), transport, subject, threads);
  }

  /** The language that a benchmark, or a class of some, measures. */
  static String host(String benchmark) {
    return benchmark.contains(".Kotlin") ? "kotlin" : "java";
  }

  /** The name of a benchmark's method. */
  static String method(String benchmark) {
    return benchmark.substring(benchmark.lastIndexOf('.') + 1);
  }

  /** The variant in the name of a benchmark's method; empty for the scenario itself. */
  static String variant(String benchmark) {
    String method = method(benchmark);
    return method.substring(0, Math.max(0, method.lastIndexOf('_')));
  }

  private static String words(String camelCase) {
    return camelCase.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  /** As every harness lists what it measures. */
  String listed() {
    return String.join("\t", scenario, host, transport, subject, Integer.toString(threads));
  }
}
