package io.github.rustbridge.benchmarks;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the command line asks for.
 *
 * @param list whether to say what would be measured, and no more
 * @param quick whether a look is enough
 * @param peers whether other ways to call native code are measured as well
 * @param host the only language to measure, {@code java} or {@code kotlin}; empty for both
 * @param only what the lane and the scenario, {@code ffm bench.small 76/80, lease}, have to contain
 * @param result where JMH's results go
 * @param singles where the percentiles of single operations go
 */
record Arguments(
    boolean list,
    boolean quick,
    boolean peers,
    String host,
    Pattern only,
    Path result,
    Path singles) {
  static final String USAGE =
      """
      benchmarks.jar [--list] [--quick] [--peers] [--host java|kotlin] [--only REGEX] [--result FILE] [--singles FILE]
        REGEX is looked for in `TRANSPORT SCENARIO, VARIANT`.
        FILE is jmh.json by default, and singles-jmh.json in the folder that RUSTBRIDGE_BENCH_ROWS names, or here.
      benchmarks.jar JMH-ARGUMENTS
        Anything else is JMH's own command line, such as `'Small.Ffm' -wi 3 -f 1`; -h explains it.
      """;

  /** The environment's variable that names the folder for results that aren't JMH's. */
  static final String ROWS = "RUSTBRIDGE_BENCH_ROWS";

  private static final Set<String> OURS =
      Set.of("--list", "--quick", "--peers", "--host", "--only", "--result", "--singles");

  /** Whether a command line is for us, not for JMH. None at all is: that's the whole run. */
  static boolean areOurs(String[] arguments) {
    return arguments.length == 0 || OURS.contains(arguments[0]);
  }

  /** The harness's name in the catalogue, which files of its own words are called by. */
  String harness() {
    return host.equals("kotlin") ? "jmh-kotlin" : "jmh";
  }

  /** Reads a command line. */
  static Arguments parse(String[] arguments) {
    boolean list = false;
    boolean quick = false;
    boolean peers = false;
    String host = "";
    Pattern only = Pattern.compile("");
    Path result = Path.of("jmh.json");
    String rows = System.getenv(ROWS);
    Path singles = Path.of(rows == null ? "" : rows, "singles-jmh.json");
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      switch (argument) {
        case "--list" -> list = true;
        case "--quick" -> quick = true;
        case "--peers" -> peers = true;
        default -> {
          if (!OURS.contains(argument) || i + 1 == arguments.length) {
            throw new IllegalArgumentException(argument + " isn't understood\n" + USAGE);
          }
          String value = arguments[++i];
          switch (argument) {
            case "--host" -> host = value;
            case "--only" -> only = Pattern.compile(value);
            case "--result" -> result = Path.of(value);
            default -> singles = Path.of(value);
          }
        }
      }
    }
    return new Arguments(list, quick, peers, host, only, result, singles);
  }
}
