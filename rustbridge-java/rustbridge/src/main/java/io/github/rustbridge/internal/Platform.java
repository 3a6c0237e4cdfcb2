package io.github.rustbridge.internal;

import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The operating system and architecture, which select a native library.
 *
 * @param os {@code linux}, {@code macos}, {@code windows}, or the JVM's name for it
 * @param arch {@code x86_64}, {@code aarch64}, or the JVM's name for it
 */
public record Platform(String os, String arch) {
  /**
   * Reads the platform from system properties.
   *
   * @param property returns a property by name
   * @return the platform
   */
  public static Platform of(UnaryOperator<String> property) {
    return new Platform(
        os(plain(property.apply("os.name"))), arch(plain(property.apply("os.arch"))));
  }

  private static String plain(String text) {
    return text == null ? "unknown" : text.toLowerCase(Locale.ROOT).replace(" ", "");
  }

  private static String os(String name) {
    if (name.startsWith("mac") || name.startsWith("darwin")) {
      return "macos";
    }
    return name.startsWith("windows") ? "windows" : name;
  }

  private static String arch(String name) {
    return switch (name) {
      case "amd64", "x64", "x86-64" -> "x86_64";
      case "arm64" -> "aarch64";
      default -> name;
    };
  }

  /**
   * Returns the name of a library's file.
   *
   * @param library the library's name without prefix and suffix
   * @return the file name, e.g. {@code librustbridge.so}
   */
  public String fileName(String library) {
    return switch (os) {
      case "windows" -> library + ".dll";
      case "macos" -> "lib" + library + ".dylib";
      default -> "lib" + library + ".so";
    };
  }

  /** Returns the name of the platform's folder in a jar, e.g. {@code linux-x86_64}. */
  @Override
  public String toString() {
    return os + "-" + arch;
  }
}
