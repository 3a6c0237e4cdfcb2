package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rustbridge.LibraryNotFoundException;
import io.github.rustbridge.Plugin;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where rustbridge's own native library is looked for, and what is said when it isn't there. */
class LibrarySearchTest {
  private static final String PROPERTY = "rustbridge.library";
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  /** The library of the backend under test. */
  private static Path library() {
    String name = Plugins.backend().equals("jni") ? "rustbridge_jni" : "rustbridge";
    return Path.of(System.getProperty(PROPERTY)).resolve(System.mapLibraryName(name));
  }

  /** The class path without any native library inside: what a build without natives gives. */
  private static String withoutNatives(Path folder) throws IOException {
    List<String> entries = new ArrayList<>();
    for (String entry : CLASS_PATH.split(File.pathSeparator)) {
      Path path = Path.of(entry);
      if (!entry.contains("rustbridge-jni") && !entry.contains("rustbridge-ffm")) {
        entries.add(entry);
      } else {
        Path copy = Files.createDirectories(folder.resolve("entry" + entries.size()));
        if (Files.isDirectory(path)) {
          copyTree(path, copy);
        } else {
          try (var jar = FileSystems.newFileSystem(path)) {
            copyTree(jar.getPath("/"), copy);
          }
        }
        entries.add(copy.toString());
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      files
          .filter(Files::isRegularFile)
          .forEach(file -> {
            String relative = from.relativize(file).toString();
            if (!relative.startsWith("native")) {
              try {
                Path target = to.resolve(relative);
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
              } catch (IOException problem) {
                throw new UncheckedIOException(problem);
              }
            }
          });
    }
  }

  /** Loads a plugin, and if that doesn't work prints why. */
  static final class Load implements Scenario {
    @Override
    public void run() {
      try (Plugin plugin = Plugins.hello()) {
        assertEquals("{\"result\":3}", plugin.call("math.add", "{\"a\":1,\"b\":2}"));
        System.out.println("loaded by " + plugin.backend());
      }
    }
  }

  /** Finds no library, and prints the error. */
  static final class NotFound implements Scenario {
    @Override
    public void run() {
      for (int round = 0; round < 2; round++) {
        LibraryNotFoundException error =
            assertThrows(LibraryNotFoundException.class, Plugins::hello);
        System.out.println(error.getMessage());
      }
    }
  }

  /** Finds something that isn't the library, and prints the error. */
  static final class Wrong implements Scenario {
    @Override
    public void run() {
      Throwable error = assertThrows(Throwable.class, Plugins::hello);
      for (Throwable cause = error; cause != null; cause = cause.getCause()) {
        System.out.println(cause);
      }
    }
  }

  @Test
  void without_a_library_the_error_lists_every_place(@TempDir Path folder) throws IOException {
    Path noSuch = folder.resolve("no-such");
    String output =
        ForkedJvm.of(NotFound.class)
            .classPath(withoutNatives(folder))
            .property(PROPERTY, null)
            .property("java.library.path", noSuch + File.pathSeparator + folder)
            .environment("LD_LIBRARY_PATH", folder + "/by-environment")
            .succeeds();
    for (String place :
        new String[] {
          "rustbridge.library",
          "RUSTBRIDGE_LIBRARY",
          "native/",
          noSuch.toString(),
          folder.resolve(library().getFileName()).toString(),
          library().getFileName().toString()
        }) {
      assertTrue(output.contains(place), () -> place + " isn't in\n" + output);
    }
    if (System.getProperty("os.name").startsWith("Linux")) {
      assertTrue(output.contains(folder + "/by-environment"), output);
    }
  }

  @Test
  void a_setting_that_leads_nowhere_is_an_error(@TempDir Path folder) {
    for (Path setting :
        new Path[] {folder.resolve("no-such"), folder.resolve("no").resolve("such.so"), folder}) {
      String output =
          ForkedJvm.of(NotFound.class).property(PROPERTY, setting.toString()).succeeds();
      assertTrue(output.contains(setting.toString()), output);
      assertTrue(output.contains(PROPERTY), output);
    }
  }

  @Test
  void a_setting_names_the_file_or_its_folder(@TempDir Path folder) throws IOException {
    // The JVM for Windows opens libraries by names in the system's code page, which has no crab.
    String name = Plugins.WINDOWS ? "größer with spaces" : "größer 🦀 with spaces";
    Path named = Files.createDirectories(folder.resolve(name)).resolve("any.so");
    Files.copy(library(), named);
    for (Path setting : new Path[] {library(), library().getParent(), named}) {
      ForkedJvm jvm = ForkedJvm.of(Load.class).property(PROPERTY, setting.toString());
      if (!Plugins.WINDOWS) {
        jvm.with("-Dsun.jnu.encoding=UTF-8");
      }
      String output = jvm.succeeds();
      assertTrue(output.contains("loaded by " + Plugins.backend()), output);
    }
  }

  @Test
  void the_environment_says_it_where_the_property_does_not() {
    String output =
        ForkedJvm.of(Load.class)
            .property(PROPERTY, null)
            .environment("RUSTBRIDGE_LIBRARY", library().getParent().toString())
            .succeeds();
    assertTrue(output.contains("loaded by"), output);
  }

  @Test
  void the_folders_of_the_system_are_searched_last(@TempDir Path folder) throws IOException {
    String output =
        ForkedJvm.of(Load.class)
            .classPath(withoutNatives(folder))
            .property(PROPERTY, null)
            .property("java.library.path", library().getParent().toString())
            .succeeds();
    assertTrue(output.contains("loaded by"), output);
  }

  @Test
  void a_file_that_is_something_else_is_told_as_such(@TempDir Path folder) throws IOException {
    Path text = Files.writeString(folder.resolve(library().getFileName()), "not a library");
    String output = ForkedJvm.of(Wrong.class).property(PROPERTY, text.toString()).succeeds();
    assertTrue(output.contains(text.toString()), output);
    // A library, but not this one.
    Path other = Plugins.path("hello-plugin");
    output = ForkedJvm.of(Wrong.class).property(PROPERTY, other.toString()).succeeds();
    assertTrue(output.contains(other.toString()), output);
  }

  @Test
  void the_file_of_the_other_languages_is_no_library_for_jni() {
    assumeTrue(Plugins.backend().equals("jni"), "the other backend uses that file");
    Path other = library().resolveSibling(System.mapLibraryName("rustbridge"));
    String output = ForkedJvm.of(Wrong.class).property(PROPERTY, other.toString()).succeeds();
    assertTrue(
        output.contains("rustbridge_jni: set the path to the folder of both libraries"), output);
  }
}
