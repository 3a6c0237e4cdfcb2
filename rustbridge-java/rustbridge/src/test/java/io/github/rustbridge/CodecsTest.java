package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CodecsTest {
  /** Found through a file that the test writes. */
  public static final class Provided implements JsonCodec {
    @Override
    public byte[] encode(Object value) {
      return new byte[0];
    }

    @Override
    public Object decode(byte[] json, Type type) {
      return null;
    }
  }

  @TempDir Path folder;

  private ClassLoader withProvided(ClassLoader parent) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(JsonCodec.class.getName()), Provided.class.getName());
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, parent);
  }

  private static ClassLoader own() {
    return Codecs.class.getClassLoader();
  }

  /** As if Jackson weren't there. */
  private static ClassLoader withoutJackson() {
    return new ClassLoader(own()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("com.fasterxml.")) {
          throw new ClassNotFoundException(name);
        }
        return super.loadClass(name, resolve);
      }
    };
  }

  @Test
  void jackson_is_used_where_it_is() {
    assertTrue(Codecs.find(own(), own()) instanceof JacksonCodec);
    assertTrue(Codecs.find(own(), null) instanceof JacksonCodec);
    assertTrue(Codecs.get() instanceof JacksonCodec);
  }

  @Test
  void one_that_is_provided_comes_before_jackson() throws IOException {
    assertTrue(Codecs.find(withProvided(own()), own()) instanceof Provided);
  }

  @Test
  void one_that_the_applications_loader_sees_counts_too() throws IOException {
    assertTrue(Codecs.find(own(), withProvided(own())) instanceof Provided);
  }

  @Test
  void without_any_the_error_says_what_to_add() {
    ClassLoader none = withoutJackson();
    var error = assertThrows(IllegalStateException.class, () -> Codecs.find(none, none));
    assertEquals(
        "calls with objects need a JSON codec, and there is none: add"
            + " com.fasterxml.jackson.core:jackson-databind to the class path, or to the module path"
            + " with a module that requires com.fasterxml.jackson.databind, or provide a"
            + " io.github.rustbridge.JsonCodec by ServiceLoader or PluginConfig.codec; calls with JSON"
            + " text need none",
        error.getMessage());
  }
}
