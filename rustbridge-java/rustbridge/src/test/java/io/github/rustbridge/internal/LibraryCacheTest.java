package io.github.rustbridge.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LibraryCacheTest {
  private static final byte[] CONTENT = "not really a library".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;

  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> variables = new HashMap<>();
  private Path temporary;

  @BeforeEach
  void setPlaces() throws IOException {
    temporary = Files.createDirectory(folder.resolve("tmp"));
    properties.put("user.home", folder.resolve("home").toString());
    properties.put("java.io.tmpdir", temporary.toString());
  }

  private Path extract(String os) throws IOException {
    return new LibraryCache(new Platform(os, "x86_64"), properties::get, variables::get)
        .extract(CONTENT, "libx.so");
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static boolean isPosix() {
    return Path.of("").getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  @Test
  void an_interrupted_thread_extracts_and_stays_interrupted() throws IOException {
    Thread.currentThread().interrupt();
    Path file;
    try {
      file = extract("linux");
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertTrue(file.startsWith(folder.resolve("home/.cache")), file::toString);
    assertArrayEquals(CONTENT, Files.readAllBytes(file));
  }

  @Test
  void each_system_has_its_place_for_caches() throws IOException {
    String inside = "rustbridge/" + LibraryCache.hash(CONTENT) + "/libx.so";
    assertEquals(folder.resolve("home/.cache").resolve(inside), extract("linux"));
    assertEquals(folder.resolve("home/Library/Caches").resolve(inside), extract("macos"));
    variables.put("XDG_CACHE_HOME", folder.resolve("xdg").toString());
    assertEquals(folder.resolve("xdg").resolve(inside), extract("linux"));
    variables.put("LOCALAPPDATA", folder.resolve("local").toString());
    assertEquals(folder.resolve("local").resolve(inside), extract("windows"));
  }

  @Test
  void a_relative_cache_home_is_ignored() throws IOException {
    variables.put("XDG_CACHE_HOME", "relative");
    assertTrue(extract("linux").startsWith(folder.resolve("home/.cache")));
  }

  @Test
  void the_content_arrives_and_nothing_else_stays() throws IOException {
    Path file = extract("linux");
    assertArrayEquals(CONTENT, Files.readAllBytes(file));
    assertEquals(List.of(file), filesIn(folder));
  }

  @Test
  void the_folder_is_named_by_the_sha256() {
    assertEquals(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        LibraryCache.hash("abc".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void only_the_owner_may_do_anything() throws IOException {
    Assumptions.assumeTrue(isPosix());
    Path file = extract("linux");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
  }

  @Test
  void what_is_there_already_is_used() throws IOException {
    Path file = extract("linux");
    FileTime old = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(file, old);
    assertEquals(file, extract("linux"));
    assertEquals(old, Files.getLastModifiedTime(file));
  }

  @Test
  void a_file_with_other_content_is_replaced() throws IOException {
    Path file = extract("linux");
    for (byte[] damaged :
        new byte[][] {{}, "not really a librarY".getBytes(StandardCharsets.UTF_8)}) {
      Files.write(file, damaged);
      assertEquals(file, extract("linux"));
      assertArrayEquals(CONTENT, Files.readAllBytes(file));
    }
  }

  @Test
  void a_link_is_replaced_and_not_followed() throws IOException {
    Assumptions.assumeTrue(isPosix());
    Path file = extract("linux");
    Path elsewhere = Files.move(file, folder.resolve("elsewhere"));
    Files.createSymbolicLink(file, elsewhere);
    extract("linux");
    assertFalse(Files.isSymbolicLink(file));
    assertArrayEquals(CONTENT, Files.readAllBytes(file));
  }

  @Test
  void a_folder_that_others_can_write_to_is_not_used() throws IOException {
    Assumptions.assumeTrue(isPosix());
    Path cached = extract("linux");
    Files.setPosixFilePermissions(cached.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertTrue(extract("linux").startsWith(temporary));
    Files.setPosixFilePermissions(cached.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
    assertEquals(cached, extract("linux"));
    Files.setPosixFilePermissions(
        cached.getParent().getParent(), PosixFilePermissions.fromString("rwxrwx---"));
    assertTrue(extract("linux").startsWith(temporary));
  }

  @Test
  void without_a_cache_it_is_a_temporary_folder() throws IOException {
    // A file is where the folder should be, which stops root, too.
    Files.writeString(folder.resolve("home"), "");
    Path file = extract("linux");
    assertTrue(file.startsWith(temporary), file.toString());
    assertArrayEquals(CONTENT, Files.readAllBytes(file));
    if (isPosix()) {
      assertEquals(
          "rwx------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
    }
  }

  @Test
  void without_a_home_it_is_a_temporary_folder() throws IOException {
    properties.put("user.home", "?");
    assertTrue(extract("linux").startsWith(temporary));
    properties.remove("user.home");
    assertTrue(extract("linux").startsWith(temporary));
    assertTrue(extract("windows").startsWith(temporary));
  }

  @Test
  void where_nothing_can_be_written_the_error_names_both_places() throws IOException {
    Files.writeString(folder.resolve("home"), "");
    properties.put("java.io.tmpdir", folder.resolve("absent").toString());
    IOException error = assertThrows(IOException.class, () -> extract("linux"));
    assertTrue(error.getMessage().contains("home"), error.getMessage());
    assertTrue(error.getMessage().contains("absent"), error.getMessage());
  }

  @Test
  void many_at_once_get_the_same_complete_file() throws Exception {
    var threads = Executors.newFixedThreadPool(8);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<byte[]>> all =
          IntStream.range(0, 64)
              .mapToObj(i ->
                  threads.submit(() -> {
                    start.await();
                    return Files.readAllBytes(extract("linux"));
                  }))
              .toList();
      start.countDown();
      for (Future<byte[]> one : all) {
        assertArrayEquals(CONTENT, one.get());
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(1, filesIn(folder).size());
  }
}
