package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own for a {@link Scenario}, with the class path, the properties and the JDK of this
 * one.
 */
public final class ForkedJvm {
  /** Most scenarios are over before what the compiler takes for the best code would be of use. */
  private static final String QUICK = "-XX:TieredStopAtLevel=1";

  private final String scenario;
  private final List<String> flags = new ArrayList<>();
  private final Map<String, String> properties = new TreeMap<>();
  private final Map<String, String> environment = new TreeMap<>();

  /**
   * How many times as often as usual tests do what they repeat: {@code cargo xtask soak} says it.
   */
  static final int SOAK = Integer.parseInt(System.getenv().getOrDefault("RUSTBRIDGE_SOAK", "1"));

  /** Surefire's own class path is one jar with a manifest; this is what it stands for. */
  private String classPath =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  private ForkedJvm(Class<? extends Scenario> scenario) {
    this.scenario = scenario.getName();
    for (String name : new String[] {"rustbridge.backend", "rustbridge.library"}) {
      String value = System.getProperty(name);
      if (value != null) {
        properties.put(name, value);
      }
    }
    if (Runtime.version().feature() >= 22) {
      flags.add("--enable-native-access=ALL-UNNAMED");
    }
    flags.add("-Xmx512m");
    flags.add("-XX:+UseSerialGC");
    flags.add(QUICK);
  }

  /** Prepares a JVM for a scenario. */
  public static ForkedJvm of(Class<? extends Scenario> scenario) {
    return new ForkedJvm(scenario);
  }

  /** Runs a scenario that must end well, and gives what it printed. */
  public static String run(Class<? extends Scenario> scenario) {
    return of(scenario).succeeds();
  }

  /**
   * Has the JVM compile what's hot a second time, as applications have it do: only then does it
   * find that an object isn't needed any more while a method of its is still running.
   */
  public ForkedJvm optimizing() {
    return without(QUICK);
  }

  /** Adds a flag of the JVM's. */
  public ForkedJvm with(String flag) {
    flags.add(flag);
    return this;
  }

  /** Leaves flags out that begin so. */
  public ForkedJvm without(String flag) {
    flags.removeIf(one -> one.startsWith(flag));
    return this;
  }

  /** Sets a system property, or with null leaves it out. */
  public ForkedJvm property(String name, String value) {
    if (value == null) {
      properties.remove(name);
    } else {
      properties.put(name, value);
    }
    return this;
  }

  /** Sets another class path. */
  public ForkedJvm classPath(String path) {
    classPath = path;
    return this;
  }

  /** Sets an environment variable. */
  public ForkedJvm environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /**
   * Runs it and asserts that the scenario came to its end and the process left with 0.
   *
   * @return what it printed, each line ended by a line feed on every system
   */
  public String succeeds() {
    assumeTrue(
        System.getenv("RUSTBRIDGE_NO_PROCESSES") == null,
        "starting a JVM takes too long here; `cargo xtask windows test` does it");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.add("-cp");
    command.add(classPath);
    command.add(Scenario.class.getName());
    command.add(scenario);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // The JVM would announce these on its output, where scenarios look for warnings.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("RUSTBRIDGE_BACKEND");
    builder.environment().putAll(environment);
    try {
      Process process = started(builder);
      // Whoever hangs is ended with all it has started, so that its output ends, too; after it had
      // time to show its threads.
      var unused =
          process
              .onExit()
              .orTimeout(Scenario.SECONDS + 20, TimeUnit.SECONDS)
              .exceptionally(late -> {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                return process.destroyForcibly();
              });
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .replace(System.lineSeparator(), "\n");
      assertEquals(0, process.waitFor(), () -> scenario + " ended so:\n" + output);
      assertTrue(
          output.contains(Scenario.DONE), () -> scenario + " didn't come to its end:\n" + output);
      return output;
    } catch (IOException | InterruptedException problem) {
      throw new AssertionError(problem);
    }
  }

  /** Starts it, which Wine refuses now and then with an internal error: nothing has run then. */
  private static Process started(ProcessBuilder builder) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return builder.start();
      } catch (IOException refused) {
        if (tries == 3 || !String.valueOf(refused.getMessage()).contains("error=1359")) {
          throw refused;
        }
      }
    }
  }
}
