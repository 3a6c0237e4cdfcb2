package example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads code blocks of documents, and snippets between {@code // guide} and {@code // end}. */
final class Snippets {
  private Snippets() {}

  /** Returns the fenced blocks of one language. */
  static List<String> fences(Path document, String language) throws IOException {
    List<String> found = new ArrayList<>();
    Matcher matcher =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
            .matcher(Files.readString(document).replace("\r\n", "\n"));
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  /**
   * Returns the snippets of the tests in a folder. A snippet with open braces continues at the next
   * {@code // guide}, so that a test can check its values in between.
   */
  static List<String> between(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> entries = Files.list(folder)) {
      files = entries.filter(file -> file.toString().endsWith("Test.java")).sorted().toList();
    }
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      StringBuilder snippet = new StringBuilder();
      boolean inside = false;
      for (String line : Files.readString(file).lines().toList()) {
        if (line.strip().equals("// guide")) {
          inside = true;
        } else if (line.strip().equals("// end")) {
          inside = false;
          if (count(snippet, '{') == count(snippet, '}')) {
            // Without the last line break, which would count as a line without indentation.
            found.add(snippet.toString().stripTrailing().stripIndent() + '\n');
            snippet.setLength(0);
          }
        } else if (inside) {
          snippet.append(line).append('\n');
        }
      }
      if (inside || !snippet.isEmpty()) {
        throw new IOException(file + " has a snippet without an end:\n" + snippet);
      }
    }
    return found;
  }

  private static long count(CharSequence text, char wanted) {
    return text.chars().filter(c -> c == wanted).count();
  }
}
