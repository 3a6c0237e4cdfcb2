package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rustbridge.interop.Backend;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BackendChoiceTest {
  /** A provider that is unavailable for a reason, or opens with a failure, or works. */
  private record Provider(String name, int preference, String unavailableBecause, Throwable failure)
      implements BackendProvider {
    @Override
    public Backend<?> open() {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      return (Backend<?>)
          Proxy.newProxyInstance(
              Backend.class.getClassLoader(),
              new Class<?>[] {Backend.class},
              (proxy, method, arguments) -> name);
    }
  }

  private static final Provider FFM = new Provider("ffm", 20, null, null);
  private static final Provider JNI = new Provider("jni", 10, null, null);

  private static String failure(List<BackendProvider> providers, String wanted) {
    return assertThrows(IllegalStateException.class, () -> BackendChoice.choose(providers, wanted))
        .getMessage();
  }

  @Test
  void a_loader_that_cant_list_its_resources_is_not_asked_for_good() {
    ClassLoader broken =
        new ClassLoader(BackendChoiceTest.class.getClassLoader()) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            throw new IOException("the jar is closed");
          }
        };
    String message = failure(BackendChoice.load(broken), null);
    assertTrue(
        message.contains("the jar is closed") || message.contains("Error locating"), message);
  }

  @Test
  void the_preferred_one_is_taken() {
    assertEquals("ffm", BackendChoice.choose(List.of(JNI, FFM), null).name());
    assertEquals("ffm", BackendChoice.choose(List.of(FFM, JNI), null).name());
  }

  @Test
  void one_that_cannot_be_used_is_passed_over() {
    Provider old = new Provider("ffm", 20, "needs JDK 22", null);
    assertEquals("jni", BackendChoice.choose(List.of(old, JNI), null).name());
  }

  @Test
  void the_one_asked_for_is_taken_whatever_its_rank() {
    assertEquals("jni", BackendChoice.choose(List.of(FFM, JNI), "jni").name());
  }

  @Test
  void the_one_asked_for_has_no_substitute() {
    Provider old = new Provider("ffm", 20, "needs JDK 22", null);
    assertEquals(
        "the backend `ffm` can't be used: ffm: needs JDK 22; jni isn't the backend"
            + " that rustbridge.backend or RUSTBRIDGE_BACKEND selects",
        failure(List.of(old, JNI), "ffm"));
    assertTrue(
        failure(List.of(JNI), "fmm").startsWith("the backend `fmm` can't be used: jni isn't"));
  }

  @Test
  void the_error_says_what_was_found_and_why_not() {
    assertEquals(
        "no backend of rustbridge can be used: ffm: needs JDK 22; jni: no JNI on this system",
        failure(
            List.of(
                new Provider("jni", 10, "no JNI on this system", null),
                new Provider("ffm", 20, "needs JDK 22", null)),
            null));
    String nothing = failure(List.of(), null);
    assertTrue(nothing.contains("rustbridge-ffm") && nothing.contains("rustbridge-jni"), nothing);
  }

  @Test
  void one_that_fails_to_open_is_followed_by_the_next() {
    Provider broken =
        new Provider("ffm", 20, null, new LibraryNotFoundException("librustbridge", null));
    assertEquals("jni", BackendChoice.choose(List.of(broken, JNI), null).name());
  }

  @Test
  void if_none_opens_the_best_ones_error_is_thrown_with_the_others() {
    var first = new LibraryNotFoundException("librustbridge", null);
    var second = new UnsatisfiedLinkError("librustbridge_jni");
    List<BackendProvider> both =
        List.of(new Provider("jni", 10, null, second), new Provider("ffm", 20, null, first));
    assertSame(
        first,
        assertThrows(LibraryNotFoundException.class, () -> BackendChoice.choose(both, null)));
    assertSame(second, first.getSuppressed()[0]);

    var link = new UnsatisfiedLinkError("librustbridge_jni");
    var wrapped =
        assertThrows(
            IllegalStateException.class,
            () -> BackendChoice.choose(List.of(new Provider("jni", 10, null, link)), null));
    assertSame(link, wrapped.getCause());
    assertTrue(wrapped.getMessage().contains("jni: java.lang.UnsatisfiedLinkError"));
  }

  @Test
  void the_process_has_one_that_service_loader_finds() {
    assertEquals("fake", BackendChoice.get().name());
    assertSame(BackendChoice.get(), BackendChoice.get());
  }
}
