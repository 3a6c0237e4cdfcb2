package peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs one peer's benchmarks by JMH, as long and as often as those of {@code
 * rustbridge-benchmarks}, and writes measures.
 */
public final class Harness {
  private static final String USAGE = "peer.jar [--list] [--quick] [--only TEXT]";

  private static final Map<String, String> SCENARIOS = scenarios();

  private final Class<? extends Peer> peer;
  private final String subject;
  private final String host;

  /**
   * A harness for a peer.
   *
   * @param peer has the benchmarks
   * @param subject the peer's name in the catalogue
   * @param host the language that calls
   */
  public Harness(Class<? extends Peer> peer, String subject, String host) {
    this.peer = peer;
    this.subject = subject;
    this.host = host;
  }

  private static Map<String, String> scenarios() {
    Map<String, String> scenarios = new LinkedHashMap<>();
    scenarios.put("empty", "empty call");
    scenarios.put("pod8", "pod 8/8");
    scenarios.put("small", "bench.small 76/80");
    scenarios.put("echo", "json echo 13 B");
    scenarios.put("primitive", "M primitive");
    scenarios.put("join", "M string join");
    scenarios.put("sum1000", "M sum 1000");
    scenarios.put("sum10000", "M sum 10000");
    scenarios.put("error", "error, message read");
    scenarios.put("answer", "get_answer");
    scenarios.put("blob64k", "get_blob 64 KB");
    scenarios.put("blob1m", "get_blob 1 MB");
    scenarios.put("structs", "get_structs");
    scenarios.put("text", "typed text");
    scenarios.put("reading", "typed numbers");
    scenarios.put("records", "typed 100 records");
    scenarios.put("variant", "typed enum");
    scenarios.put("doubles", "typed 1000 doubles");
    scenarios.put("ready", "ready");
    return scenarios;
  }

  /**
   * Does what the arguments say.
   *
   * @param arguments see the usage
   * @throws IOException if measures can't be written
   * @throws RunnerException if a benchmark fails
   */
  public void run(String[] arguments) throws IOException, RunnerException {
    boolean list = false;
    boolean quick = false;
    String only = "";
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--list" -> list = true;
        case "--quick" -> quick = true;
        case "--only" -> only = arguments[++i].toLowerCase(Locale.ROOT);
        default -> {
          System.err.println(USAGE);
          System.exit(2);
        }
      }
    }
    Map<String, String> chosen = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : SCENARIOS.entrySet()) {
      if (entry.getValue().toLowerCase(Locale.ROOT).contains(only)) {
        chosen.put(entry.getKey(), entry.getValue());
      }
    }
    if (list) {
      chosen
          .values()
          .forEach(name -> System.out.println(name + "\t" + host + "\t\t" + subject + "\t1"));
      return;
    }
    write(measure(chosen, quick));
  }

  private static final class Measured {
    final List<Double> ns = new ArrayList<>();
    double allocated = Double.NaN;
  }

  private Map<String, Measured> measure(Map<String, String> chosen, boolean quick)
      throws RunnerException {
    Map<String, Measured> measured = new LinkedHashMap<>();
    int rounds = quick ? 1 : 2;
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, String> entry : chosen.entrySet()) {
        Measured into = measured.computeIfAbsent(entry.getValue(), name -> new Measured());
        measureOne(entry.getKey(), quick, into);
        System.out.printf(
            Locale.ROOT,
            "%-10s %-24s %12.1f ns%n",
            subject,
            entry.getValue(),
            into.ns.get(into.ns.size() - 1));
      }
    }
    return measured;
  }

  private void measureOne(String method, boolean quick, Measured into) throws RunnerException {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include("^" + peer.getName().replace(".", "\\.") + "\\." + method + "$")
        .forks(1)
        // JNA's structures take a second to become as fast as they get; our own calls take half of
        // that.
        .warmupIterations(quick ? 2 : 4)
        .warmupTime(TimeValue.milliseconds(250))
        .measurementIterations(quick ? 2 : 3)
        .measurementTime(TimeValue.milliseconds(quick ? 100 : 150))
        .addProfiler(GCProfiler.class)
        .jvmArgsAppend("-Xms256m", "-Xmx2g", "--enable-native-access=ALL-UNNAMED")
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    for (RunResult result : new Runner(options.build()).run()) {
      for (BenchmarkResult fork : result.getBenchmarkResults()) {
        for (IterationResult iteration : fork.getIterationResults()) {
          into.ns.add(iteration.getPrimaryResult().getScore());
        }
      }
      result
          .getSecondaryResults()
          .forEach((name, other) -> {
            if (name.endsWith("gc.alloc.rate.norm")) {
              into.allocated = other.getScore();
            }
          });
    }
  }

  private void write(Map<String, Measured> measured) throws IOException {
    String folder = System.getenv("RUSTBRIDGE_BENCH_ROWS");
    if (folder == null || measured.isEmpty()) {
      return;
    }
    List<String> rows = new ArrayList<>();
    measured.forEach((scenario, row) -> {
      String alloc =
          Double.isNaN(row.allocated)
              ? ""
              : String.format(Locale.ROOT, ", \"alloc_bytes\": %.1f", row.allocated);
      rows.add(
          String.format(
              Locale.ROOT,
              "{\"scenario\": \"%s\", \"host\": \"%s\", \"subject\": \"%s\", \"threads\": 1,"
                  + " \"ns\": %s%s, \"harness\": \"jmh\"}",
              scenario,
              host,
              subject,
              row.ns,
              alloc));
    });
    String text = "[\n " + String.join(",\n ", rows) + "\n]\n";
    Path file = Path.of(folder, "peers-" + host + "-" + subject + ".json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
