package io.github.rustbridge.tests.conformance;

import io.github.rustbridge.tests.Plugins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Tells how a case ended, for the table of all hosts ({@code docs/conformance.md}). */
final class Results {
  /** The folder for the lines; without it there are none. */
  private static final String FOLDER = System.getenv("RUSTBRIDGE_CONFORMANCE_RESULTS");

  private Results() {}

  /** Appends a line: the case's id and how it ended, with a tab between. */
  static void write(String id, String outcome) {
    if (FOLDER == null) {
      return;
    }
    Path file = Path.of(FOLDER, "java-" + Plugins.backend() + ".tsv");
    String line = id + "\t" + outcome.replaceAll("\\s+", " ") + "\n";
    try {
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }
}
