package io.github.rustbridge.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Which benchmarks the command line asks for: what is listed is what is run. */
final class Selection {
  private static final String OURS = Selection.class.getPackageName() + ".";
  private static final String PEERS = OURS + "jna.";

  /** The scenarios that are measured with several threads as well. */
  private static final Set<String> CONCURRENT = Set.of("bench.small 76/80", "json echo 13 B");

  /** What a quick run measures, unless it's told what. */
  private static final Set<String> LOOK =
      Set.of(
          "empty call",
          "pod 8/8",
          "pod 8/8, segment",
          "pod 32/32, ordinary",
          "bench.small 76/80",
          "bench.small 76/80, segment",
          "json echo 13 B",
          "raw 100 KB",
          "A concurrent binary",
          "load, call, close: mapped before",
          "first load and call of a fresh JVM",
          "M primitive",
          "M string join",
          "M sum 1000",
          "M any 100",
          "error, message read",
          "get_answer",
          "get_blob 1 MB",
          "get_structs",
          // Kotlin measures nothing but typed clients.
          "typed text",
          "typed 100 records",
          "get_structs, typed");

  private final Arguments arguments;

  Selection(Arguments arguments) {
    this.arguments = arguments;
  }

  /** Everything to measure, in the order of names. */
  List<Pair> pairs() {
    // By class and variant.
    Map<String, List<BenchmarkListEntry>> found = new TreeMap<>();
    OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
    for (BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(silent, List.of())) {
      String owner = entry.getUserClassQName();
      if (inGroup(owner)) {
        String name = owner + " " + Row.variant(entry.getUsername());
        found.computeIfAbsent(name, key -> new ArrayList<>()).add(entry);
      }
    }
    List<Pair> pairs = new ArrayList<>();
    for (List<BenchmarkListEntry> entries : found.values()) {
      BenchmarkListEntry first = entries.get(0);
      List<String> benchmarks = entries.stream().map(BenchmarkListEntry::getUsername).toList();
      for (String transport : first.getParams().get().get("transport")) {
        for (String scenario : first.getParams().get().get("scenario")) {
          for (int threads : threads(first, scenario)) {
            Pair pair = Pair.of(benchmarks, scenario, transport, threads);
            if (wanted(pair)) {
              pairs.add(pair);
            }
          }
        }
      }
    }
    for (String transport : FirstLoad.TRANSPORTS) {
      Pair pair = Pair.of(List.of(FirstLoad.BENCHMARK), FirstLoad.SCENARIO, transport, 1);
      if (wanted(pair)) {
        pairs.add(pair);
      }
    }
    if (pairs.isEmpty()) {
      throw new IllegalArgumentException("no benchmark is called " + arguments.only());
    }
    return pairs;
  }

  /** Whether a class is ours, or a peer's if peers are wanted; other packages run theirs. */
  private boolean inGroup(String owner) {
    return owner.startsWith(PEERS)
        ? arguments.peers()
        : owner.startsWith(OURS) && Character.isUpperCase(owner.charAt(OURS.length()));
  }

  private List<Integer> threads(BenchmarkListEntry entry, String scenario) {
    boolean plain = Row.variant(entry.getUsername()).isEmpty();
    if (!plain || !CONCURRENT.contains(scenario) || entry.getUserClassQName().startsWith(PEERS)) {
      return List.of(1);
    }
    return arguments.quick() ? List.of(1, 2) : List.of(1, 2, 4, 8);
  }

  private boolean wanted(Pair pair) {
    boolean look = arguments.quick() && arguments.only().pattern().isEmpty();
    String host = arguments.host();
    return (host.isEmpty() || host.equals(pair.host()))
        && (!look || LOOK.contains(pair.name()))
        && arguments.only().matcher(pair.transport() + " " + pair.name()).find();
  }
}
