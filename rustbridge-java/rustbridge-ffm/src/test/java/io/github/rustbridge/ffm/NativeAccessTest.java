package io.github.rustbridge.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.Plugin;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a JVM says that doesn't allow native access, and that one which does says nothing. */
class NativeAccessTest {
  private static final String MODULE = "io.github.rustbridge.ffm";
  private static final String SUCCESS = "ffm: {\"message\":\"hello\",\"length\":5}\n";

  /** Denies it to all that aren't allowed it by name; before JDK 24 naming anyone else does. */
  private static final String DENY =
      Runtime.version().feature() >= 24
          ? "--illegal-native-access=deny"
          : "--enable-native-access=java.base";

  @Test
  void a_module_without_the_flag_is_told_it() throws Exception {
    String output = run(onModulePath(DENY));
    assertTrue(output.contains("--enable-native-access=" + MODULE), output);
  }

  @Test
  void a_class_path_without_the_flag_is_told_it() throws Exception {
    String output = run(onClassPath(DENY));
    assertTrue(output.contains("--enable-native-access=ALL-UNNAMED"), output);
  }

  @Test
  void with_the_flag_nothing_is_said() throws Exception {
    assertEquals(SUCCESS, run(onModulePath("--enable-native-access=" + MODULE)));
    assertEquals(SUCCESS, run(onClassPath("--enable-native-access=ALL-UNNAMED")));
  }

  @Test
  void with_no_flag_at_all_it_works() throws Exception {
    // And the JVM warns, in words of its own.
    String output = run(onClassPath("-Dnone"));
    assertTrue(output.endsWith(SUCCESS), output);
  }

  private static List<String> onModulePath(String flag) throws URISyntaxException {
    return List.of(
        flag,
        "--module-path",
        place(Plugin.class) + File.pathSeparator + place(FfmBackend.class),
        "--patch-module",
        MODULE + "=" + place(NativeAccessProbe.class),
        "--module",
        MODULE + "/" + NativeAccessProbe.class.getName());
  }

  private static List<String> onClassPath(String flag) throws URISyntaxException {
    return List.of(
        flag,
        "--class-path",
        String.join(
            File.pathSeparator,
            place(Plugin.class),
            place(FfmBackend.class),
            place(NativeAccessProbe.class)),
        NativeAccessProbe.class.getName());
  }

  /**
   * The folder or jar that a class was loaded from; its code source is the module's, tests or not.
   */
  private static String place(Class<?> type) throws URISyntaxException {
    URI at = type.getResource(type.getSimpleName() + ".class").toURI();
    if (at.getScheme().equals("jar")) {
      String inside = at.getSchemeSpecificPart();
      return Path.of(URI.create(inside.substring(0, inside.indexOf("!/")))).toString();
    }
    Path file = Path.of(at);
    return file.getRoot()
        .resolve(file.subpath(0, file.getNameCount() - type.getName().split("\\.").length))
        .toString();
  }

  /** Both outputs of a JVM. */
  private static String run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xshare:auto");
    command.add("-Drustbridge.library=" + System.getProperty("rustbridge.library"));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Else it says that it picked them up.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    // Whoever hangs is ended with all it has started, so that its output ends, too.
    var _ =
        process
            .onExit()
            .orTimeout(100, TimeUnit.SECONDS)
            .exceptionally(late -> {
              process.descendants().forEach(ProcessHandle::destroyForcibly);
              return process.destroyForcibly();
            });
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.replace("\r\n", "\n");
  }
}
