package io.github.rustbridge.internal;

import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The machine, as it matters to native libraries.
 *
 * @param os {@code linux}, {@code macos}, {@code windows}, or what the JVM calls it
 * @param arch {@code x86_64}, {@code aarch64}, or what the JVM calls it
 */
public record Platform(String os, String arch) {
  /**
   * Reads it from system properties.
   *
   * @param property gives a property by name
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
   * Gives the name of a library's file.
   *
   * @param library its name without prefix and ending
   * @return e.g. {@code librustbridge.so}
   */
  public String fileName(String library) {
    return switch (os) {
      case "windows" -> library + ".dll";
      case "macos" -> "lib" + library + ".dylib";
      default -> "lib" + library + ".so";
    };
  }

  /** Gives the name of the folder for it in a jar, e.g. {@code linux-x86_64}. */
  @Override
  public String toString() {
    return os + "-" + arch;
  }
}
