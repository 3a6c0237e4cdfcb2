package io.github.rustbridge.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.tests.Plugins;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every case of {@code conformance/}, in each of the ways Java has to call a method: the judge runs
 * them on the {@link Testee}.
 */
class ConformanceTest {
  /** Longer than building the judge and running every case take on a slow machine. */
  private static final int LIMIT_IN_SECONDS = 900;

  @Test
  void the_judge_finds_every_case_right(@TempDir Path folder) throws Exception {
    List<String> command = judge();
    command.addAll(List.of("run", "--host", "java/" + Plugins.backend(), "--total", "600"));
    command.addAll(List.of("--plugins", Plugins.path("hello-plugin").getParent().toString()));
    command.add("--testee");
    command.addAll(testee());
    File said = folder.resolve("said").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(Plugins.REPOSITORY.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      boolean ended = process.waitFor(LIMIT_IN_SECONDS, TimeUnit.SECONDS);
      String text = Files.readString(said.toPath());
      System.out.print(text);
      assertTrue(ended, () -> "the judge hasn't ended:\n" + text);
      assertEquals(0, process.exitValue(), text);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The judge that was built before, or cargo's, which builds it. */
  private static List<String> judge() {
    String built = System.getenv("RUSTBRIDGE_CONFORMANCE_JUDGE");
    String name = "rustbridge-conformance";
    return new ArrayList<>(
        built == null
            ? List.of("cargo", "run", "--quiet", "--package", name, "--bin", name, "--")
            : List.of(built));
  }

  /** This JVM once more, with the same class path and backend. */
  private static List<String> testee() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String name : List.of("rustbridge.backend", "rustbridge.library")) {
      if (System.getProperty(name) != null) {
        command.add("-D" + name + "=" + System.getProperty(name));
      }
    }
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    // Calls inside calls go as deep as they may, and unoptimised plugins need much stack for each.
    // The largest case is a text of 200 MB in all.
    command.addAll(List.of("-Xss4m", "-Xmx1g", "-XX:TieredStopAtLevel=1", "-enableassertions"));
    command.add("-cp");
    // Surefire's own class path is one jar with a manifest; this is what it stands for.
    String classPath = System.getProperty("java.class.path");
    command.add(System.getProperty("surefire.test.class.path", classPath));
    command.add(Testee.class.getName());
    return command;
  }
}
