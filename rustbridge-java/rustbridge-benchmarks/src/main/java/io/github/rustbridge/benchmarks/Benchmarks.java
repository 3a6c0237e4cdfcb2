package io.github.rustbridge.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks and writes JMH's JSON.
 *
 * <p>Ours and its floor run one right after the other, each in a JVM of its own, and all of it is
 * repeated in rounds: a machine's speed drifts within minutes, and what the JIT makes of the same
 * code differs from one JVM to the next.
 */
public final class Benchmarks {
  private static final String USAGE =
      "benchmarks.jar [--quick] [--only REGEX] [--result FILE]; REGEX is looked for in `TRANSPORT SCENARIO`";

  /** The scenarios that are measured with several threads as well. */
  private static final List<String> CONCURRENT = List.of("bench.small 76/80", "json echo 13 B");

  /** What a quick run measures. */
  private static final List<String> LOOK =
      List.of(
          "empty call",
          "pod 8/8",
          "pod 32/32, ordinary",
          "bench.small 76/80",
          "json echo 13 B",
          "json echo 100 KB",
          "raw 100 KB",
          "load, call, close: mapped before");

  private final boolean quick;
  private final Pattern only;

  private Benchmarks(boolean quick, Pattern only) {
    this.quick = quick;
    this.only = only;
  }

  /**
   * Runs what was asked for.
   *
   * @param arguments see the usage
   * @throws Exception if a benchmark fails, or the results can't be written
   */
  public static void main(String[] arguments) throws Exception {
    boolean quick = false;
    Pattern only = Pattern.compile("");
    Path result = Path.of("jmh.json");
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--quick" -> quick = true;
        case "--only" -> only = Pattern.compile(arguments[++i]);
        case "--result" -> result = Path.of(arguments[++i]);
        default -> {
          System.err.println(USAGE);
          System.exit(2);
        }
      }
    }
    // Before the first JVM is started for one.
    for (String library : List.of("floor", "rustbridge", "hello_plugin", "conformance_plugin")) {
      Libraries.find(library);
    }
    List<RunResult> results = new Benchmarks(quick, only).run();
    Files.createDirectories(result.toAbsolutePath().getParent());
    ResultFormatFactory.getInstance(ResultFormatType.JSON, result.toString()).writeOut(results);
  }

  /** Ours and its floor, or ours alone: what runs one right after the other. */
  private record Pair(
      String name, String scenario, String transport, int threads, List<String> methods) {}

  private List<RunResult> run() throws RunnerException {
    List<Pair> pairs = pairs();
    List<RunResult> results = new ArrayList<>();
    int rounds = quick ? 1 : 2;
    for (int round = 0; round < rounds; round++) {
      for (Pair pair : pairs) {
        if (round > 0 && once(pair)) {
          continue;
        }
        Collection<RunResult> two = measure(pair);
        results.addAll(two);
        print(pair, two);
      }
    }
    return results;
  }

  private List<Pair> pairs() {
    // By class and variant, in the order of names.
    Map<String, List<BenchmarkListEntry>> found = new TreeMap<>();
    var silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
    for (BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(silent, List.of())) {
      String name = entry.getUsername().replaceFirst("(?:_)?(?:ours|floor)$", "");
      found.computeIfAbsent(name, key -> new ArrayList<>()).add(entry);
    }
    List<Pair> pairs = new ArrayList<>();
    found.forEach((name, entries) -> {
      BenchmarkListEntry first = entries.get(0);
      List<String> methods = entries.stream().map(BenchmarkListEntry::getUsername).toList();
      for (String transport : first.getParams().get().get("transport")) {
        for (String scenario : first.getParams().get().get("scenario")) {
          for (int threads : threads(name, scenario)) {
            if (wanted(name, scenario) && only.matcher(transport + " " + scenario).find()) {
              pairs.add(new Pair(name, scenario, transport, threads, methods));
            }
          }
        }
      }
    });
    if (pairs.isEmpty()) {
      throw new IllegalArgumentException("no benchmark is called " + only);
    }
    return pairs;
  }

  private static boolean isVariant(String name) {
    return !name.endsWith(".");
  }

  private List<Integer> threads(String name, String scenario) {
    if (isVariant(name) || !CONCURRENT.contains(scenario)) {
      return List.of(1);
    }
    return quick ? List.of(1, 2) : List.of(1, 2, 4, 8);
  }

  /** A look needs neither all variants nor what takes long. */
  private boolean wanted(String name, String scenario) {
    return !quick || LOOK.contains(scenario) && (!isVariant(name) || name.endsWith(".segment"));
  }

  /** What has no budget of its own, and shows what other rows show, is measured once. */
  private static boolean once(Pair pair) {
    return pair.scenario.startsWith("A ")
        || pair.scenario.startsWith("lease ")
        || pair.scenario.startsWith("math.add ")
        || pair.name.endsWith("requestBuiltInside");
  }

  private Collection<RunResult> measure(Pair pair) throws RunnerException {
    OptionsBuilder options = new OptionsBuilder();
    for (String method : pair.methods) {
      options.include("^" + Pattern.quote(method) + "$");
    }
    options
        .param("scenario", pair.scenario)
        .param("transport", pair.transport)
        .threads(pair.threads)
        .forks(1)
        .warmupIterations(quick ? 1 : 2)
        .warmupTime(TimeValue.milliseconds(250))
        .measurementIterations(quick ? 2 : 3)
        .measurementTime(TimeValue.milliseconds(quick ? 100 : 150))
        .addProfiler(GCProfiler.class)
        // A young generation that is gone through during the warm-up: memory that is touched for
        // the first time costs more than the calls that ask for it.
        .jvmArgsAppend("-Xms256m", "-Xmx2g", "--enable-native-access=ALL-UNNAMED")
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    return new Runner(options.build()).run();
  }

  private static void print(Pair pair, Collection<RunResult> results) {
    StringBuilder line = new StringBuilder();
    String variant = pair.name.substring(pair.name.lastIndexOf('.') + 1);
    line.append(
        String.format(
            Locale.ROOT,
            "%-3s  %d  %-50s",
            pair.transport,
            pair.threads,
            (pair.scenario + " " + variant).strip()));
    for (RunResult result : results) {
      String method = result.getPrimaryResult().getLabel();
      double ns = result.getPrimaryResult().getStatistics().getPercentile(50);
      line.append(
          String.format(
              Locale.ROOT, "  %s %.1f ns", method.endsWith("ours") ? "ours" : "floor", ns));
    }
    System.out.println(line);
  }
}
