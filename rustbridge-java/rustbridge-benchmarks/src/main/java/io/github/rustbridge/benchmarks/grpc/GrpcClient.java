package io.github.rustbridge.benchmarks.grpc;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.RuntimeVersion;
import io.github.rustbridge.benchmarks.grpc.Measurement.Effort;
import io.github.rustbridge.benchmarks.grpc.messages.BenchGrpc;
import io.github.rustbridge.benchmarks.grpc.messages.BenchGrpc.BenchBlockingStub;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.internal.GrpcUtil;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Measures gRPC's blocking stub; {@code grpc-bench} starts it, and its clients in all languages
 * have these options.
 */
public final class GrpcClient {
  /** Above the blob of 16 MB; gRPC's own limit is 4 MB. */
  private static final int LARGEST_MESSAGE = 32 << 20;

  /** The scenario that is measured on several threads, which share the channel. */
  private static final String THREADED = "bench.small 76/80";

  private static final List<Integer> THREADS = List.of(1, 2, 4, 8);

  private static final Set<String> FLAGS = Set.of("--pinned", "--quick", "--list", "--smoke");
  private static final Set<String> OPTIONS = Set.of("--tcp", "--unix", "--only", "--out");

  /** Held, because the setting is lost with the logger. */
  private static final Logger LOGGER = Logger.getLogger("io.grpc");

  private final Set<String> flags = new HashSet<>();
  private final Map<String, String> options = new HashMap<>();
  private final List<Map<String, Object>> measures = new ArrayList<>();

  /** One measure that will be made. */
  private record Planned(Calls.Scenario scenario, int threads) {}

  private GrpcClient(String[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      String name = arguments[i];
      if (FLAGS.contains(name)) {
        flags.add(name);
      } else if (OPTIONS.contains(name) && i + 1 < arguments.length) {
        options.put(name, arguments[++i]);
      } else {
        throw new IllegalArgumentException(
            "expected " + FLAGS + " or " + OPTIONS + " with a value, but got " + name);
      }
    }
  }

  /**
   * Measures, or does what else the options say.
   *
   * @param arguments {@code --tcp HOST:PORT}, {@code --unix PATH}, {@code --only SUBSTRING}, {@code
   *     --out FILE}, {@code --pinned}, {@code --quick}, {@code --list}, {@code --smoke}
   * @throws IOException when the measures can't be written
   * @throws InterruptedException when this thread is interrupted
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    // Netty warns of options that sockets of Unix don't have, and gRPC sets them nevertheless.
    LOGGER.setLevel(Level.SEVERE);
    var client = new GrpcClient(arguments);
    String tcp = client.options.get("--tcp");
    if (tcp != null) {
      client.run("tcp", tcp);
    }
    String unix = client.options.get("--unix");
    if (unix != null && Epoll.isAvailable()) {
      client.run("unix", "unix://" + unix);
    } else if (unix != null) {
      System.err.println(
          "java, grpc unix: left out, since Netty has sockets of Unix by epoll only");
    }
    String out = client.options.get("--out");
    if (out != null) {
      var json = new ObjectMapper();
      json.writeValue(Path.of(out).toFile(), client.measures);
      Map<String, String> tools =
          Map.of(
              "grpc-java",
              GrpcUtil.getGrpcBuildVersion().getImplementationVersion(),
              "protobuf (Java)",
              RuntimeVersion.MAJOR + "." + RuntimeVersion.MINOR + "." + RuntimeVersion.PATCH);
      json.writeValue(Path.of(out).resolveSibling("tools-grpc-java.json").toFile(), tools);
    }
  }

  private void run(String way, String target) throws InterruptedException {
    boolean pinned = flags.contains("--pinned");
    String subject = "grpc " + way + (pinned ? " pinned" : "");
    String only = options.getOrDefault("--only", "");
    List<Planned> planned =
        Calls.SCENARIOS.stream()
            .filter(it -> it.name().contains(only) && (it.pinned() || !pinned))
            .flatMap(it ->
                (it.name().equals(THREADED) && !pinned ? THREADS : List.of(1))
                    .stream().map(threads -> new Planned(it, threads)))
            .toList();
    if (flags.contains("--list")) {
      planned.forEach(it ->
          System.out.println(it.scenario.name() + "\tjava\t\t" + subject + "\t" + it.threads));
      return;
    }
    ManagedChannel channel =
        Grpc.newChannelBuilder(target, InsecureChannelCredentials.create())
            .maxInboundMessageSize(LARGEST_MESSAGE)
            // Otherwise it's the socket's path, which tonic's HTTP refuses as no host's name.
            .overrideAuthority("localhost")
            .build();
    try {
      BenchBlockingStub stub = BenchGrpc.newBlockingStub(channel);
      boolean warm = flags.contains("--smoke");
      for (Planned it : planned) {
        List<Calls.Operation> operations =
            Stream.generate(() -> it.scenario.make().apply(stub)).limit(it.threads).toList();
        if (!operations.getFirst().run(true)) {
          throw new IllegalStateException("`" + it.scenario.name() + "` answers something else");
        }
        if (!warm) {
          effort().compile(operations.getFirst());
          warm = true;
        }
        measure(subject, it, operations);
      }
    } finally {
      channel.shutdownNow();
    }
  }

  private Effort effort() {
    return flags.contains("--quick") ? Effort.QUICK : Effort.FULL;
  }

  private void measure(String subject, Planned planned, List<Calls.Operation> operations)
      throws InterruptedException {
    String name = subject + ", " + planned.scenario.name() + ", threads " + planned.threads;
    if (flags.contains("--smoke")) {
      System.out.println("ok: java, " + name);
      return;
    }
    Measurement measured =
        planned.threads == 1
            ? Measurement.of(effort(), operations.getFirst())
            : Measurement.together(effort(), operations);
    System.err.printf("java, %s: %.1f µs%n", name, measured.median() / 1e3);
    Map<String, Object> measure = new HashMap<>();
    measure.put("scenario", planned.scenario.name());
    measure.put("host", "java");
    measure.put("subject", subject);
    measure.put("threads", planned.threads);
    measure.put("ns", measured.samples());
    measure.put("single", measured.single());
    measure.put("harness", "grpc");
    measures.add(measure);
  }
}
