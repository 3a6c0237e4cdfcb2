package io.github.rustbridge.internal;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Extracts native libraries from jars into the user's cache, from which the system can load them.
 * The folder is named by the content's SHA-256, so that each version is extracted once.
 *
 * <p>Code is loaded from the folder, so no other user may be able to write to it. A folder that
 * other users can write to or own isn't used. An existing file is used only if its content is
 * correct.
 */
public final class LibraryCache {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OTHERS_WRITE =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  private final Platform platform;
  private final UnaryOperator<String> property;
  private final UnaryOperator<String> variable;

  /**
   * Creates a cache.
   *
   * @param platform the platform whose cache folder is used
   * @param property returns a system property by name
   * @param variable returns an environment variable by name
   */
  public LibraryCache(
      Platform platform, UnaryOperator<String> property, UnaryOperator<String> variable) {
    this.platform = platform;
    this.property = property;
    this.variable = variable;
  }

  /**
   * Returns a file with a content, and writes it if it doesn't exist. The file is in the cache. If
   * the cache isn't usable, it's in a private temporary folder, which is deleted when the JVM exits
   * normally.
   *
   * @param content the library
   * @param name the file's name
   * @return the file
   * @throws IOException if neither folder is writable; the message contains both reasons
   */
  public Path extract(byte[] content, String name) throws IOException {
    IOException cacheFailed;
    try {
      return extractInto(folder(content), content, name);
    } catch (IOException | UnsupportedOperationException | InvalidPathException error) {
      cacheFailed = new IOException("the cache can't be used: " + error, error);
    }
    return extractTemporarily(content, name, cacheFailed);
  }

  /**
   * Returns a file under another name: the same file if the system supports that, or else a copy.
   *
   * @param file the library's file
   * @param number the number of the additional name
   * @return the additional name, in the cache, or in a temporary folder if the cache isn't usable
   * @throws IOException if neither folder is writable; the message contains both reasons
   */
  public Path link(Path file, int number) throws IOException {
    // A link to a symbolic link would be one too, and so no other name.
    Path original = file.toRealPath();
    byte[] content = Files.readAllBytes(original);
    String name = original.getFileName().toString();
    IOException cacheFailed;
    try {
      Path folder = folder(content);
      createPrivate(folder);
      return linkInto(folder.resolve(Integer.toString(number)), original, content, name);
    } catch (IOException | UnsupportedOperationException | InvalidPathException error) {
      cacheFailed = new IOException("the cache can't be used: " + error, error);
    }
    return extractTemporarily(content, name, cacheFailed);
  }

  private static Path linkInto(Path folder, Path original, byte[] content, String name)
      throws IOException {
    createPrivate(folder);
    Path link = folder.resolve(name);
    try {
      if (!Files.exists(link) || !Files.isSameFile(link, original)) {
        Files.deleteIfExists(link);
        Files.createLink(link, original);
      }
      return link;
    } catch (IOException | UnsupportedOperationException impossible) {
      // It's on another disk, say, or belongs to somebody else.
      return extractInto(folder, content, name);
    }
  }

  private Path folder(byte[] content) throws IOException {
    return root().resolve("rustbridge").resolve(hash(content));
  }

  private Path root() throws IOException {
    String root;
    switch (platform.os()) {
      case "windows":
        root = variable.apply("LOCALAPPDATA");
        break;
      case "macos":
        root = inHome("Library/Caches");
        break;
      default:
        root = variable.apply("XDG_CACHE_HOME");
        // A relative one is to be ignored, says the XDG Base Directory Specification.
        if (root == null || !Path.of(root).isAbsolute()) {
          root = inHome(".cache");
        }
    }
    if (root == null || root.isEmpty()) {
      throw new IOException(
          "no folder for it is known, as neither its variable nor the home directory is set");
    }
    Path path = Path.of(root);
    if (!path.isAbsolute()) {
      throw new IOException(path + " isn't absolute");
    }
    return path;
  }

  private String inHome(String folder) {
    String home = property.apply("user.home");
    // The JVM says `?` of a user without one.
    return home == null || home.isEmpty() || home.equals("?") ? null : home + "/" + folder;
  }

  private static Path extractInto(Path folder, byte[] content, String name) throws IOException {
    createPrivate(folder);
    Path file = folder.resolve(name);
    if (hasContent(file, content)) {
      return file;
    }
    // Others may be at the same, so nobody sees a file that isn't complete: it comes by a rename.
    Path fresh =
        folder.resolve("." + name + "." + ProcessHandle.current().pid() + "." + System.nanoTime());
    try {
      writePrivate(fresh, content);
      try {
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException unusual) {
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException error) {
      // Windows doesn't replace a library that is in use. That's one somebody else has just put
      // there.
      if (!hasContent(file, content)) {
        throw error;
      }
    } finally {
      Files.deleteIfExists(fresh);
    }
    return file;
  }

  private static void createPrivate(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, permissions(folder, OWNER));
    }
    for (Path level : new Path[] {folder, folder.getParent()}) {
      if (isPosix(level)) {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(level);
        permissions.retainAll(OTHERS_WRITE);
        if (!permissions.isEmpty()) {
          throw new IOException(level + " can be written to by others");
        }
        UserPrincipal owner = Files.getOwner(level);
        UserPrincipal self = self();
        if (self != null && !self.equals(owner)) {
          throw new IOException(level + " belongs to " + owner + ", not to " + self);
        }
      }
    }
  }

  /** Gives who this process runs as, or null where the system doesn't say so cheaply. */
  private static UserPrincipal self() {
    try {
      return Files.getOwner(Path.of("/proc/self"));
    } catch (IOException | UnsupportedOperationException unknown) {
      return null;
    }
  }

  private static boolean hasContent(Path file, byte[] content) throws IOException {
    // Not through a link: what it points to may be changed by others.
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.size(file) == content.length
        && Arrays.equals(Files.readAllBytes(file), content);
  }

  private Path extractTemporarily(byte[] content, String name, IOException cacheFailed)
      throws IOException {
    try {
      return extractTemporarily(content, name);
    } catch (IOException | InvalidPathException error) {
      error.addSuppressed(cacheFailed);
      throw new IOException(
          cacheFailed.getMessage() + "; a temporary folder can't be used either: " + error, error);
    }
  }

  private Path extractTemporarily(byte[] content, String name) throws IOException {
    Path folder =
        Files.createTempDirectory(Path.of(property.apply("java.io.tmpdir")), "rustbridge");
    Path file = folder.resolve(name);
    writePrivate(file, content);
    // Deleted in the opposite order.
    folder.toFile().deleteOnExit();
    file.toFile().deleteOnExit();
    return file;
  }

  private static void writePrivate(Path file, byte[] content) throws IOException {
    Files.createFile(file, permissions(file, OWNER_FILE));
    // Not a channel of our own: one closes itself in a thread that was interrupted, and the
    // interrupt isn't ours to deal with. This one doesn't.
    Files.write(file, content, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  private static FileAttribute<?>[] permissions(Path path, Set<PosixFilePermission> permissions) {
    return isPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  static String hash(byte[] content) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
    StringBuilder hex = new StringBuilder();
    for (byte one : digest.digest(content)) {
      hex.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
    }
    return hex.toString();
  }
}
