package io.github.rustbridge.spi;

import io.github.rustbridge.LibraryNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds a native library: where {@code rustbridge.library.path} says (a file or a folder), inside the jar under {@code
 * native/<os>-<arch>/}, then on the system's path.
 */
public final class NativeLibrary {
  private NativeLibrary() {}

  /**
   * Finds a library, extracting it from the jar into a private cache if that's where it is.
   *
   * @param anchor a class of the jar that may contain it
   * @param name the name without the system's prefix and ending, e.g. {@code rustbridge} or {@code rustbridge_jni}
   * @return its absolute path, for {@link System#load(String)} or a symbol lookup
   * @throws io.github.rustbridge.LibraryNotFoundException listing every place tried
   */
  public static Path find(Class<?> anchor, String name) {
    Path path = Path.of(System.getProperty("rustbridge.library.path", ".")).toAbsolutePath();
    Path file = Files.isDirectory(path) ? path.resolve(System.mapLibraryName(name)) : path;
    if (!Files.isRegularFile(file)) {
      throw new LibraryNotFoundException("the native library " + name + " isn't at " + file, null);
    }
    return file;
  }
}
