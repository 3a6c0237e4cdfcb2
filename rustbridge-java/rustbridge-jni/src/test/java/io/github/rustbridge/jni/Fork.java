package io.github.rustbridge.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.rustbridge.Plugin;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JVM of its own, for what might take the JVM along. */
final class Fork {
  private static final int SECONDS = 120;

  private Fork() {}

  /**
   * Runs the {@code main} of a class, which must end with the code 0.
   *
   * @return what it printed
   */
  static String run(Class<?> main, String... flags) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(flags));
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.add("-Xmx256m");
    command.add("-Drustbridge.backend=jni");
    command.add("-Drustbridge.library=" + System.getProperty("rustbridge.library"));
    command.add("-cp");
    // Without JUnit: `main` calls only what's in these.
    command.add(
        Stream.of(Plugin.class, JniBackend.class, main)
            .map(Fork::place)
            .distinct()
            .collect(Collectors.joining(File.pathSeparator)));
    command.add(main.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    process.getOutputStream().close();
    Thread watchdog = new Thread(() -> endLate(process), "watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> main.getName() + " ended so:\n" + output);
    return output;
  }

  private static void endLate(Process process) {
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException ended) {
      // Then nobody waits for it either.
    }
  }

  private static String place(Class<?> of) {
    try {
      return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
