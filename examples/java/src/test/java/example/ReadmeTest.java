package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  @TempDir private Path folder;

  @Test
  void the_program_in_the_readme_runs_as_it_stands_there()
      throws IOException, InterruptedException {
    Path readme = Path.of(System.getProperty("example.folder"), "../../README.md");
    List<String> programs = Snippets.fences(readme, "java");
    assertEquals(1, programs.size());
    // The tests of the C examples check that the README's plugin builds. Here, hello-plugin
    // replaces it, because its response is the same.
    Path library = folder.resolve("target/release").resolve(System.mapLibraryName("hello"));
    Files.createDirectories(library.getParent());
    Files.copy(Path.of(System.getProperty("example.plugin")), library);
    String program = programs.get(0);
    assertTrue(program.contains("target/release/libhello.so"), program);
    program = program.replace("libhello.so", library.getFileName().toString());
    Files.writeString(folder.resolve("Hello.java"), program);

    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "Hello.java")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    // If the process hangs, it's ended with all its descendants, so that its output ends too.
    var _ =
        process
            .onExit()
            .orTimeout(100, TimeUnit.SECONDS)
            .exceptionally(late -> {
              process.descendants().forEach(ProcessHandle::destroyForcibly);
              return process.destroyForcibly();
            });
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertEquals("{\"greeting\":\"Hello, Ada! Welcome to rustbridge.\"}", said.strip());
  }
}
