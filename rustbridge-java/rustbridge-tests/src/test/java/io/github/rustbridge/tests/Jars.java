package io.github.rustbridge.tests;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One place for what lies in several on the class path, as a jar with all of its dependencies is.
 */
final class Jars {
  private Jars() {}

  /**
   * Copies everything on the class path into a folder.
   *
   * @param wanted which entries, by their name in the jar; of two with the same name the later one
   *     is left
   * @return the class path that consists of it
   */
  static String merged(Path folder, Predicate<String> wanted) throws IOException {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String place : path.split(File.pathSeparator)) {
      Path at = Path.of(place);
      if (Files.isDirectory(at)) {
        copy(at, folder, wanted);
      } else if (Files.exists(at)) {
        try (FileSystem jar = FileSystems.newFileSystem(at)) {
          copy(jar.getPath("/"), folder, wanted);
        }
      }
    }
    return folder.toString();
  }

  private static void copy(Path root, Path folder, Predicate<String> wanted) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      String name = root.relativize(file).toString().replace('\\', '/');
      if (wanted.test(name) && !name.equals("module-info.class")) {
        Path to = folder.resolve(name);
        Files.createDirectories(to.getParent());
        Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
