package io.github.rustbridge.benchmarks;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.rustbridge.Plugin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.util.Version;

/**
 * Measures the first load of a fresh JVM with its first call: from the first use of any class of
 * rustbridge to the response. Each JVM measures it once, as {@code FirstLoad TRANSPORT}, and prints
 * the nanoseconds.
 *
 * <p>No JMH here: before it calls a benchmark, it has loaded many classes that a first load needs
 * too, and which are a sixth of the time with FFM and a third with JNI.
 */
public final class FirstLoad {
  static final String SCENARIO = "first load and call of a fresh JVM";
  static final String BENCHMARK = FirstLoad.class.getName() + ".ours";
  static final List<String> TRANSPORTS = List.of("ffm", "jni");

  private FirstLoad() {}

  /**
   * Measures once.
   *
   * @param arguments the transport
   */
  public static void main(String[] arguments) {
    String transport = arguments[0];
    long begin = System.nanoTime();
    Plugin plugin = Libraries.open(transport, "hello_plugin");
    String response = plugin.call("echo", "{\"message\":\"hello\"}");
    long nanoseconds = System.nanoTime() - begin;
    if (!response.equals("{\"message\":\"hello\",\"length\":5}")) {
      throw new IllegalStateException("the plugin answers " + response);
    }
    System.out.println(nanoseconds);
  }

  /** Starts that many JVMs, one after the other, and gives what each has measured. */
  static long[] start(String transport, int jvms) throws IOException {
    long[] times = new long[jvms];
    for (int i = 0; i < jvms; i++) {
      times[i] = start(transport);
    }
    return times;
  }

  private static long start(String transport) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Scenario.NATIVE,
                "-cp",
                System.getProperty("java.class.path"),
                FirstLoad.class.getName(),
                transport)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException("a JVM that measures its first load fails");
      }
    } catch (InterruptedException problem) {
      throw new IllegalStateException("nobody waits for the JVM any more", problem);
    }
    return Long.parseLong(said);
  }

  /** Puts the times into the form of JMH's results, one iteration in each JVM. */
  static ObjectNode asJmh(String transport, long[] times) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    ArrayNode data = json.arrayNode();
    Arrays.stream(times).forEach(time -> data.add(json.arrayNode().add(time)));
    ObjectNode metric = json.objectNode();
    metric.put("score", median(times)).put("scoreUnit", "ns/op").set("rawData", data);
    ObjectNode result = json.objectNode();
    result.put("jmhVersion", Version.getPlainVersion());
    result.put("benchmark", BENCHMARK).put("mode", "ss").put("threads", 1);
    result.put("forks", times.length).put("warmupIterations", 0).put("measurementIterations", 1);
    result.putObject("params").put("scenario", SCENARIO).put("transport", transport);
    result.set("primaryMetric", metric);
    result.putObject("secondaryMetrics");
    return result;
  }

  /** The middle one. */
  static long median(long[] times) {
    long[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
