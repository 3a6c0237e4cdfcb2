package io.github.rustbridge.spi;

import io.github.rustbridge.LibraryNotFoundException;
import io.github.rustbridge.internal.LibraryCache;
import io.github.rustbridge.internal.Platform;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Finds a native library. It searches these places in this order:
 *
 * <ol>
 *   <li>the system property {@value #PROPERTY}, whose value is a file or a folder; then the
 *       environment variable {@value #VARIABLE}. If one is set, no other place is searched: if the
 *       library isn't there, that's an error.
 *   <li>the jar, at {@code native/<os>-<arch>/}, e.g. {@code native/linux-x86_64/librustbridge.so};
 *       it's extracted once into the user's cache
 *   <li>the folders of {@code java.library.path}, and those where the system's own loader looks
 * </ol>
 */
public final class NativeLibrary {
  /** The system property with the library's path. */
  public static final String PROPERTY = "rustbridge.library";

  /** The environment variable with the library's path, which is used if the property isn't set. */
  public static final String VARIABLE = "RUSTBRIDGE_LIBRARY";

  private final Class<?> anchor;
  private final String name;
  private final UnaryOperator<String> property;
  private final UnaryOperator<String> variable;
  private final Platform platform;
  private final String fileName;
  private final List<String> tried = new ArrayList<>();

  NativeLibrary(
      Class<?> anchor,
      String name,
      UnaryOperator<String> property,
      UnaryOperator<String> variable) {
    this.anchor = anchor;
    this.name = name;
    this.property = property;
    this.variable = variable;
    this.platform = Platform.of(property);
    this.fileName = platform.fileName(name);
  }

  /**
   * Finds a library. If it's in the jar, it's extracted into a private cache.
   *
   * @param anchor a class of the jar that may contain it
   * @param name the name without the system's prefix and suffix, e.g. {@code rustbridge} or {@code
   *     rustbridge_jni}
   * @return the absolute path, for {@link System#load(String)} or a symbol lookup
   * @throws io.github.rustbridge.LibraryNotFoundException if it isn't found; the message lists
   *     every place that was searched
   */
  public static Path find(Class<?> anchor, String name) {
    return new NativeLibrary(anchor, name, System::getProperty, System::getenv).find();
  }

  /**
   * Returns another file name for a library, in the private cache. The JVM lets only one class
   * loader load a library by JNI, and it identifies libraries by file name.
   *
   * <p>If possible, it's another name for the same file, so that the system returns the same
   * library with all its state. Otherwise it's a copy, and so a separate library.
   *
   * @param library the path that {@link #find} returned
   * @param number a number from 1 on; the same number yields the same name
   * @return the absolute path
   * @throws IOException if the file can't be created
   */
  public static Path otherName(Path library, int number) throws IOException {
    Platform platform = Platform.of(System::getProperty);
    return new LibraryCache(platform, System::getProperty, System::getenv).link(library, number);
  }

  Path find() {
    Path found = explicit("system property " + PROPERTY, property.apply(PROPERTY));
    if (found == null) {
      found = explicit("environment variable " + VARIABLE, variable.apply(VARIABLE));
    }
    if (found == null) {
      found = inJar();
    }
    if (found == null) {
      found = inSystem();
    }
    if (found == null) {
      throw notFound("is in none of these places", null);
    }
    return found;
  }

  private Path explicit(String setting, String value) {
    if (value == null || value.isBlank()) {
      tried.add(setting + ": not set");
      return null;
    }
    Path path;
    try {
      path = Path.of(value).toAbsolutePath();
    } catch (InvalidPathException error) {
      tried.add(setting + ": " + error.getMessage());
      throw notFound("isn't at the configured path", error);
    }
    if (Files.isRegularFile(path)) {
      return path;
    }
    Path file = Files.isDirectory(path) ? path.resolve(fileName) : path;
    if (Files.isRegularFile(file)) {
      return file;
    }
    tried.add(setting + ": " + file + ": " + whatIs(file));
    throw notFound(
        "isn't at the configured path: correct the setting, or remove it to search other places",
        null);
  }

  private Path inJar() {
    String resource = "native/" + platform + "/" + fileName;
    String place = resource + " beside " + anchor.getName() + ": ";
    byte[] content;
    try (InputStream stream = anchor.getResourceAsStream("/" + resource)) {
      if (stream == null) {
        tried.add(place + "no such resource");
        return null;
      }
      content = stream.readAllBytes();
      return new LibraryCache(platform, property, variable).extract(content, fileName);
    } catch (IOException error) {
      tried.add(place + "found, but it can't be extracted: " + error.getMessage());
      return null;
    }
  }

  private Path inSystem() {
    for (String folder : systemFolders()) {
      Path file;
      try {
        file = Path.of(folder).toAbsolutePath().resolve(fileName);
      } catch (InvalidPathException error) {
        tried.add(folder + ": " + error.getMessage());
        continue;
      }
      if (Files.isRegularFile(file)) {
        return file;
      }
      tried.add(file + ": " + whatIs(file));
    }
    return null;
  }

  private Set<String> systemFolders() {
    Set<String> folders = new LinkedHashSet<>();
    addAll(folders, property.apply("java.library.path"));
    switch (platform.os()) {
      case "windows":
        addAll(folders, variable.apply("PATH"));
        break;
      case "macos":
        addAll(folders, variable.apply("DYLD_LIBRARY_PATH"));
        Collections.addAll(folders, "/usr/local/lib", "/opt/homebrew/lib", "/usr/lib");
        break;
      default:
        addAll(folders, variable.apply("LD_LIBRARY_PATH"));
        // The multiarch folder is Debian's.
        Collections.addAll(
            folders,
            "/usr/local/lib",
            "/usr/lib/" + platform.arch() + "-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/lib64",
            "/lib");
    }
    return folders;
  }

  private static void addAll(Set<String> folders, String list) {
    if (list != null) {
      for (String folder : list.split(File.pathSeparator)) {
        if (!folder.isBlank()) {
          folders.add(folder);
        }
      }
    }
  }

  /**
   * Returns advice on an error of the system's loader, to be appended to its message.
   *
   * @param reason the loader's message
   * @return the advice, or an empty string
   */
  public static String advice(String reason) {
    return String.valueOf(reason).contains("static TLS")
        ? "; libraries that are loaded late share a small reserve of each thread's memory, and others"
            + " have used it up: start the JVM with"
            + " GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192 in its environment"
        : "";
  }

  private static String whatIs(Path file) {
    if (Files.isDirectory(file)) {
      return "a folder";
    }
    if (Files.exists(file)) {
      return "not a regular file";
    }
    Path folder = file.getParent();
    return folder == null || Files.isDirectory(folder) ? "no such file" : "no such folder";
  }

  private LibraryNotFoundException notFound(String what, Throwable cause) {
    StringBuilder message = new StringBuilder();
    message
        .append("the native library `")
        .append(name)
        .append("` (")
        .append(fileName)
        .append(" for ");
    message.append(platform).append(") ").append(what).append(":");
    tried.forEach(place -> message.append(System.lineSeparator()).append("  ").append(place));
    return new LibraryNotFoundException(message.toString(), cause);
  }
}
