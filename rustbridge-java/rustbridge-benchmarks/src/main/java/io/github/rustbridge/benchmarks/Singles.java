package io.github.rustbridge.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The percentiles of single operations, of all JVMs that have timed some. */
final class Singles {
  /** How many operations are timed, over all rounds. */
  static final int COUNT = 10_000;

  private static final Set<String> SCENARIOS =
      Set.of(
          "empty call",
          "bench.small 76/80",
          "json echo 13 B",
          "error, message read",
          "ready",
          "pending alone",
          "cancel",
          "service sync",
          "object method");

  private final Map<Row, Times> found = new LinkedHashMap<>();

  /** What was timed of one row. */
  private static final class Times {
    private final List<Long> clocks = new ArrayList<>();
    private long[] all = new long[0];
  }

  /** A row of the file. */
  private record Single(
      String scenario, String host, String transport, String subject, Percentiles single) {}

  /** In nanoseconds, with the clock's own time in them. */
  private record Percentiles(
      long count, double p50, double p90, double p99, double p999, double clock) {}

  /** Whether the operations of a row are timed one by one. */
  static boolean include(Row row) {
    String scenario = row.scenario();
    boolean plain = !scenario.contains(",");
    return row.threads() == 1
        && (SCENARIOS.contains(scenario)
            || plain && (scenario.startsWith("M ") || scenario.startsWith("get_")));
  }

  /** Takes over what {@link Stopwatch} has written. */
  void add(Row row, Path file) throws IOException {
    Times times = found.computeIfAbsent(row, key -> new Times());
    List<String> lines = Files.readAllLines(file);
    times.clocks.add(Long.valueOf(lines.get(0)));
    int had = times.all.length;
    times.all = Arrays.copyOf(times.all, had + lines.size() - 1);
    for (int i = 1; i < lines.size(); i++) {
      times.all[had + i - 1] = Long.parseLong(lines.get(i));
    }
  }

  /** Writes them as a JSON array. */
  void write(Path file) throws IOException {
    List<Single> rows = new ArrayList<>();
    found.forEach((row, times) -> {
      long[] sorted = times.all.clone();
      Arrays.sort(sorted);
      long[] clocks = times.clocks.stream().mapToLong(Long::longValue).sorted().toArray();
      Percentiles percentiles =
          new Percentiles(
              sorted.length,
              quantile(sorted, 0.5),
              quantile(sorted, 0.9),
              quantile(sorted, 0.99),
              quantile(sorted, 0.999),
              quantile(clocks, 0.5));
      rows.add(new Single(row.scenario(), row.host(), row.transport(), row.subject(), percentiles));
    });
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Files.writeString(file, mapper.writeValueAsString(rows) + "\n");
  }

  /** The value below which that share of sorted values lies, between two of them if need be. */
  private static double quantile(long[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int low = (int) Math.floor(place);
    int high = (int) Math.ceil(place);
    return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
  }
}
