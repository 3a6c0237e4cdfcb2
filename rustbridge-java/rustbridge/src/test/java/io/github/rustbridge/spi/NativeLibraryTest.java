package io.github.rustbridge.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.LibraryNotFoundException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeLibraryTest {
  /** A class of the jar that each test makes. */
  static final class Anchor {}

  @TempDir Path folder;

  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> variables = new HashMap<>();
  private Path inJar;

  @BeforeEach
  void setPlaces() throws IOException {
    properties.put("os.name", "Linux");
    properties.put("os.arch", "amd64");
    properties.put("user.home", folder.resolve("home").toString());
    properties.put("java.io.tmpdir", folder.toString());
    inJar = folder.resolve("jar/native/linux-x86_64/libjar_test.so");
    Files.createDirectories(inJar.getParent());
  }

  /** Searches from a class whose jar is the folder {@code jar}. */
  private Path find() throws Exception {
    URL[] jar = {folder.resolve("jar").toUri().toURL()};
    try (URLClassLoader loader = new ChildFirst(jar);
        InputStream bytes = Anchor.class.getResourceAsStream("NativeLibraryTest$Anchor.class")) {
      Class<?> anchor = ((ChildFirst) loader).define(bytes.readAllBytes());
      return new NativeLibrary(anchor, "jar_test", properties::get, variables::get).find();
    }
  }

  private static final class ChildFirst extends URLClassLoader {
    ChildFirst(URL[] jar) {
      super(jar, null);
    }

    Class<?> define(byte[] bytes) {
      return defineClass(Anchor.class.getName(), bytes, 0, bytes.length);
    }
  }

  private String failure() {
    return assertThrows(LibraryNotFoundException.class, this::find).getMessage();
  }

  private Path library(String path) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "library " + path);
  }

  @Test
  void the_property_names_a_file_of_any_name() throws Exception {
    Path file = library("elsewhere/renamed.so");
    properties.put("rustbridge.library", file.toString());
    assertEquals(file, find());
  }

  @Test
  void the_property_names_a_folder() throws Exception {
    Path file = library("elsewhere/libjar_test.so");
    properties.put("rustbridge.library", file.getParent().toString());
    assertEquals(file, find());
  }

  @Test
  void the_property_comes_before_the_variable_and_that_before_the_jar() throws Exception {
    Files.writeString(inJar, "from the jar");
    Path first = library("first/libjar_test.so");
    Path second = library("second/libjar_test.so");
    variables.put("RUSTBRIDGE_LIBRARY", second.toString());
    assertEquals(second, find());
    properties.put("rustbridge.library", " ");
    assertEquals(second, find());
    properties.put("rustbridge.library", first.toString());
    assertEquals(first, find());
  }

  @Test
  void a_relative_setting_is_against_the_working_directory() throws Exception {
    Path file = library("elsewhere/libjar_test.so");
    Path relative = Path.of("").toAbsolutePath().relativize(file.getParent());
    properties.put("rustbridge.library", relative.toString());
    Path found = find();
    assertTrue(found.isAbsolute());
    assertEquals(file.toRealPath(), found.toRealPath());
  }

  @Test
  void a_setting_that_does_not_hold_the_library_is_an_error_though_it_is_elsewhere()
      throws Exception {
    Files.writeString(inJar, "from the jar");
    Path absent = folder.resolve("absent");
    properties.put("rustbridge.library", absent.toString());
    String message = failure();
    assertTrue(message.contains("system property rustbridge.library: " + absent), message);
    assertTrue(message.contains("no such file"), message);

    properties.put("rustbridge.library", folder.toString());
    message = failure();
    assertTrue(message.contains(folder.resolve("libjar_test.so") + ": no such file"), message);

    properties.remove("rustbridge.library");
    variables.put("RUSTBRIDGE_LIBRARY", absent.toString());
    message = failure();
    assertTrue(message.contains("environment variable RUSTBRIDGE_LIBRARY: " + absent), message);
    assertTrue(message.contains("system property rustbridge.library: not set"), message);

    variables.put("RUSTBRIDGE_LIBRARY", "no\0path");
    assertTrue(failure().contains("isn't at the configured path"));
  }

  @Test
  void the_jar_comes_before_the_system() throws Exception {
    Path system = library("system/libjar_test.so");
    properties.put("java.library.path", system.getParent().toString());
    assertEquals(system, find());
    Files.writeString(inJar, "from the jar");
    Path found = find();
    assertEquals("from the jar", Files.readString(found));
    assertTrue(found.startsWith(folder.resolve("home/.cache/rustbridge")), found.toString());
    assertEquals(found, find());
  }

  @Test
  void the_jar_has_a_folder_for_each_platform() throws Exception {
    properties.put("os.name", "Mac OS X");
    properties.put("os.arch", "arm64");
    Path file = library("jar/native/macos-aarch64/libjar_test.dylib");
    assertEquals(Files.readString(file), Files.readString(find()));

    properties.put("os.name", "Windows 11");
    properties.put("os.arch", "amd64");
    variables.put("LOCALAPPDATA", folder.resolve("local").toString());
    file = library("jar/native/windows-x86_64/jar_test.dll");
    assertEquals(Files.readString(file), Files.readString(find()));
  }

  @Test
  void a_library_in_the_jar_that_cannot_be_extracted_is_told() throws Exception {
    Files.writeString(inJar, "from the jar");
    Files.writeString(folder.resolve("home"), "");
    properties.put("java.io.tmpdir", folder.resolve("absent").toString());
    String message = failure();
    assertTrue(message.contains("found, but it can't be extracted"), message);
  }

  @Test
  void the_systems_folders_are_searched_in_their_order() throws Exception {
    Path first = library("first/libjar_test.so");
    Path second = library("second/libjar_test.so");
    variables.put("LD_LIBRARY_PATH", second.getParent().toString());
    assertEquals(second, find());
    properties.put(
        "java.library.path", folder.resolve("none") + File.pathSeparator + first.getParent());
    assertEquals(first, find());
  }

  @Test
  void macos_and_windows_have_their_own_variables() throws Exception {
    properties.put("os.name", "Mac OS X");
    Path file = library("mac/libjar_test.dylib");
    variables.put("DYLD_LIBRARY_PATH", file.getParent().toString());
    assertEquals(file, find());

    properties.put("os.name", "Windows 11");
    file = library("windows/jar_test.dll");
    variables.put("PATH", file.getParent().toString());
    assertEquals(file, find());
  }

  @Test
  void the_error_lists_every_place_with_what_was_there() throws Exception {
    Files.createDirectories(folder.resolve("strange/libjar_test.so"));
    properties.put(
        "java.library.path",
        folder.resolve("strange") + File.pathSeparator + folder.resolve("none"));
    String message = failure();
    assertEquals(
        "the native library `jar_test` (libjar_test.so for linux-x86_64) is in none of these"
            + " places:",
        message.lines().findFirst().orElseThrow());
    for (String line :
        new String[] {
          "system property rustbridge.library: not set",
          "environment variable RUSTBRIDGE_LIBRARY: not set",
          "native/linux-x86_64/libjar_test.so beside "
              + Anchor.class.getName()
              + ": no such resource",
          folder.resolve("strange/libjar_test.so") + ": a folder",
          folder.resolve("none/libjar_test.so") + ": no such folder",
          "/usr/lib/libjar_test.so: no such file"
        }) {
      assertTrue(message.contains("  " + line), () -> line + " isn't in " + message);
    }
  }

  @Test
  void there_is_advice_where_threads_have_no_memory_left() {
    String advice = NativeLibrary.advice("x.so: cannot allocate memory in static TLS block");
    assertTrue(advice.contains("GLIBC_TUNABLES=glibc.rtld.optional_static_tls"), advice);
    assertEquals("", NativeLibrary.advice("x.so: file too short"));
    assertEquals("", NativeLibrary.advice(null));
  }

  @Test
  void the_public_way_asks_the_real_system() {
    // The build sets the property for the modules with natives; this one has none to find.
    LibraryNotFoundException error =
        assertThrows(
            LibraryNotFoundException.class,
            () -> NativeLibrary.find(NativeLibraryTest.class, "no_such_library"));
    assertTrue(error.getMessage().contains("no_such_library"), error.getMessage());
  }
}
