package io.github.rustbridge.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.LibraryNotFoundException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The native library is checked before it's used, and what's wrong with it is said. */
class LibraryTest {
  @Test
  void the_right_one_is_fine() {
    Path path = Plugins.find("rustbridge");
    assertEquals(path, Library.open(path).path());
  }

  @Test
  void a_plugin_is_no_native_library() {
    Path path = Plugins.find("hello_plugin");
    var error = assertThrows(IllegalStateException.class, () -> Library.open(path));
    assertTrue(error.getMessage().contains(path + " isn't librustbridge"), error.getMessage());
    assertTrue(error.getMessage().contains("rb_abi_version"), error.getMessage());
  }

  @Test
  @SuppressWarnings("restricted")
  void a_missing_function_is_named() {
    Path path = Plugins.find("rustbridge");
    SymbolLookup all = SymbolLookup.libraryLookup(path, Arena.global());
    SymbolLookup old = name -> name.startsWith("rb_log_set_") ? Optional.empty() : all.find(name);
    var error = assertThrows(IllegalStateException.class, () -> Library.checked(path, old));
    assertEquals(
        "the native library "
            + path
            + " lacks rb_log_set_level, rb_log_set_sink: use the library and the jar of the same"
            + " release",
        error.getMessage());
  }

  @Test
  void another_major_version_is_refused_by_both_numbers() {
    Path path = Path.of("lib.so");
    Library.checkAbi(1 << 16, path);
    Library.checkAbi(1 << 16 | 7, path);
    for (int version : new int[] {0, 2 << 16 | 3, 0xffff << 16}) {
      var error = assertThrows(IllegalStateException.class, () -> Library.checkAbi(version, path));
      assertEquals(
          "the native library lib.so has version "
              + (version >>> 16)
              + "."
              + (version & 0xffff)
              + " of the host ABI, but this rustbridge-ffm requires version 1.x: use the same"
              + " release of both",
          error.getMessage());
    }
  }

  @Test
  void what_is_no_library_is_named(@TempDir Path folder) throws IOException {
    Path text = Files.writeString(folder.resolve("librustbridge.so"), "no library");
    var error = assertThrows(LibraryNotFoundException.class, () -> Library.open(text));
    assertTrue(error.getMessage().contains(text.toString()), error.getMessage());
    assertTrue(error.getMessage().contains(System.getProperty("os.arch")), error.getMessage());
  }
}
