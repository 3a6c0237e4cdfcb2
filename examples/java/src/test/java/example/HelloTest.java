package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HelloTest {
  @Test
  void the_example_prints_what_its_readme_shows() throws IOException {
    String readme = Files.readString(Path.of(System.getProperty("example.folder"), "README.md"));
    String shown = readme.split("```text\n")[1].split("```")[0];
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream console = System.out;
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      Hello.main(new String[] {System.getProperty("example.plugin")});
    } finally {
      System.setOut(console);
    }
    assertEquals(shown, said.toString(StandardCharsets.UTF_8).replace("\r\n", "\n"));
  }
}
