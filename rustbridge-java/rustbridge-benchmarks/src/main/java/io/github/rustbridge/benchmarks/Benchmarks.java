package io.github.rustbridge.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.PackageVersion;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks and writes JMH's JSON, and the percentiles of single operations beside it.
 *
 * <p>Ours and its floor run one right after the other, each in a JVM of its own, and all of it is
 * repeated in rounds: a machine's speed drifts within minutes, and what the JIT makes of the same
 * code differs from one JVM to the next. Methods don't share a JVM, although its start costs a
 * third of a second: what the JIT learns of the one, it would apply to the other, and a call with
 * two kinds of receivers isn't inlined any more.
 */
public final class Benchmarks {
  private static final String METHOD =
      """
      Ours and its floor one right after the other, each in a JVM of its own, in two rounds; there two warm-ups of 250 ms,
      or six where Jackson, exceptions or threads are in it, and five samples of 90 ms; single operations after the
      warm-up, 5,000 a JVM or half a second. Quick: one round, warm-ups of 100 ms, three samples of 40 ms.
      """;

  private final Arguments arguments;
  private final int rounds;
  private final List<RunResult> results = new ArrayList<>();
  private final List<ObjectNode> firstLoads = new ArrayList<>();
  private final Singles singles = new Singles();

  /** What failed: it's told at the end, and the others are measured all the same. */
  private final List<String> failures = new ArrayList<>();

  private Benchmarks(Arguments arguments) {
    this.arguments = arguments;
    this.rounds = arguments.quick() ? 1 : 2;
  }

  /**
   * Runs what was asked for.
   *
   * @param command see the usage
   * @throws Exception if a benchmark fails, or the results can't be written
   */
  public static void main(String[] command) throws Exception {
    if (!Arguments.areOurs(command)) {
      Main.main(command);
      return;
    }
    Arguments arguments = Arguments.parse(command);
    List<Pair> pairs = new Selection(arguments).pairs();
    if (arguments.list()) {
      pairs.forEach(pair -> pair.rows().values().forEach(row -> System.out.println(row.listed())));
      return;
    }
    // Before the first JVM is started for one.
    for (String library :
        List.of("floor", "rustbridge", "hello_plugin", "conformance_plugin", "bench_plugin")) {
      Libraries.find(library);
    }
    Benchmarks benchmarks = new Benchmarks(arguments);
    benchmarks.run(pairs);
    benchmarks.write();
    if (!benchmarks.failures.isEmpty()) {
      benchmarks.failures.forEach(System.err::println);
      System.exit(1);
    }
  }

  private void run(List<Pair> pairs) throws IOException {
    int total = rounds * pairs.size() - (int) pairs.stream().filter(this::isOnce).count();
    int done = 0;
    long begin = System.nanoTime();
    for (int round = 0; round < rounds; round++) {
      for (Pair pair : pairs) {
        if (round > 0 && isOnce(pair)) {
          continue;
        }
        StringBuilder line = new StringBuilder();
        for (Map.Entry<String, Row> entry : pair.rows().entrySet()) {
          Row row = entry.getValue();
          try {
            double ns = measure(pair, entry.getKey(), row);
            line.append(String.format(Locale.ROOT, "  %s %.1f ns", row.subject(), ns));
          } catch (RunnerException | IllegalStateException problem) {
            StringWriter reason = new StringWriter();
            problem.printStackTrace(new PrintWriter(reason, true));
            failures.add(row.listed().replace('\t', ' ') + ": " + reason);
            line.append("  ").append(row.subject()).append(" FAILED");
          }
        }
        done++;
        long each = (System.nanoTime() - begin) / done;
        System.out.printf(
            Locale.ROOT,
            "[%d/%d, %d s left] %-3s  %d  %-48s%s%n",
            done,
            total,
            Duration.ofNanos(each * (total - done)).toSeconds(),
            pair.transport(),
            pair.threads(),
            pair.name(),
            line);
      }
    }
  }

  /** What has no budget of its own, and shows what other rows show, is measured in one round. */
  private boolean isOnce(Pair pair) {
    String name = pair.name();
    return rounds > 1
        && (isFirstLoad(pair)
            || name.startsWith("A ")
            || name.startsWith("math.add ")
            || name.endsWith("request built inside")
            || name.startsWith("M echo ")
            || name.startsWith("get_blob ") && name.endsWith(", lease"));
  }

  private static boolean isFirstLoad(Pair pair) {
    return pair.scenario().equals(FirstLoad.SCENARIO);
  }

  /** Measures and gives the median, in nanoseconds. */
  private double measure(Pair pair, String benchmark, Row row) throws RunnerException, IOException {
    boolean quick = arguments.quick();
    if (isFirstLoad(pair)) {
      long[] times = FirstLoad.start(pair.transport(), quick ? 3 : 9);
      firstLoads.add(FirstLoad.asJmh(pair.transport(), times));
      return FirstLoad.median(times);
    }
    OptionsBuilder options = new OptionsBuilder();
    options
        .include("^" + Pattern.quote(benchmark) + "$")
        .param("scenario", pair.scenario())
        .param("transport", pair.transport())
        .threads(pair.threads())
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    if (quick) {
      options.warmupTime(TimeValue.milliseconds(100)).measurementIterations(3);
      options.measurementTime(TimeValue.milliseconds(40));
    }
    // In place of those that the classes are annotated with.
    List<String> jvm = new ArrayList<>(Scenario.JVM_ARGUMENTS);
    if (Runtime.version().feature() >= 23) {
      // JMH uses it, and every JVM would say so.
      jvm.add("--sun-misc-unsafe-memory-access=allow");
    }
    Path times = Singles.include(row) ? Files.createTempFile("rustbridge-times", ".txt") : null;
    try {
      if (times != null) {
        int jvms = quick ? 5 : isOnce(pair) ? 1 : rounds;
        jvm.add("-D" + Stopwatch.FILE + "=" + times);
        jvm.add("-D" + Stopwatch.COUNT + "=" + Singles.COUNT / jvms);
      }
      options.jvmArgsAppend(jvm.toArray(String[]::new));
      Collection<RunResult> measured = new Runner(options.build()).run();
      if (times != null) {
        singles.add(row, times);
      }
      results.addAll(measured);
      return measured.iterator().next().getPrimaryResult().getStatistics().getPercentile(50);
    } finally {
      if (times != null) {
        Files.delete(times);
      }
    }
  }

  private void write() throws IOException, RunnerException {
    for (Path file : List.of(arguments.result(), arguments.singles())) {
      Files.createDirectories(file.toAbsolutePath().getParent());
    }
    File result = arguments.result().toFile();
    ResultFormatFactory.getInstance(ResultFormatType.JSON, result.toString()).writeOut(results);
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ArrayNode all = (ArrayNode) mapper.readTree(result);
    mapper.writeValue(result, all.addAll(firstLoads));
    singles.write(arguments.singles());
    String rows = System.getenv(Arguments.ROWS);
    if (rows != null) {
      Files.writeString(Path.of(rows, "method-" + arguments.harness() + ".txt"), METHOD);
      mapper.writeValue(Path.of(rows, "tools-" + arguments.harness() + ".json").toFile(), tools());
    }
  }

  private Map<String, String> tools() {
    Map<String, String> versions = new TreeMap<>();
    versions.put("jackson", PackageVersion.VERSION.toString());
    if (arguments.peers()) {
      versions.put("jna", com.sun.jna.Native.VERSION);
    }
    return versions;
  }
}
