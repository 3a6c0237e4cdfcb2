package io.github.rustbridge.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which backend is chosen, and what is said when there is none. */
class BackendTest {
  private static final int JDK = Runtime.version().feature();

  static final class Name implements Scenario {
    @Override
    public void run() {
      try (Plugin plugin = Plugin.load(Plugins.path("hello-plugin"), PluginConfig.defaults())) {
        System.out.println("by " + plugin.backend());
      }
    }
  }

  static final class None implements Scenario {
    @Override
    public void run() {
      for (int round = 0; round < 2; round++) {
        System.out.println(
            assertThrows(
                    IllegalStateException.class,
                    () -> Plugin.load(Plugins.path("hello-plugin"), PluginConfig.defaults()))
                .getMessage());
      }
    }
  }

  @Test
  void the_property_decides() {
    String output = ForkedJvm.run(Name.class);
    assertTrue(output.contains("by " + Plugins.backend() + "\n"), output);
  }

  @Test
  void the_environment_decides_where_the_property_does_not() {
    String output =
        ForkedJvm.of(Name.class)
            .property("rustbridge.backend", null)
            .environment("RUSTBRIDGE_BACKEND", Plugins.backend())
            .succeeds();
    assertTrue(output.contains("by " + Plugins.backend() + "\n"), output);
    output = ForkedJvm.of(Name.class).environment("RUSTBRIDGE_BACKEND", "neither").succeeds();
    assertTrue(output.contains("by " + Plugins.backend() + "\n"), output);
  }

  @Test
  void otherwise_it_is_the_fastest_that_works() {
    String output = ForkedJvm.of(Name.class).property("rustbridge.backend", null).succeeds();
    assertTrue(output.contains(JDK >= 22 ? "by ffm\n" : "by jni\n"), output);
  }

  @Test
  void a_backend_that_nobody_has_is_an_error_that_names_those_there_are() {
    String output = ForkedJvm.of(None.class).property("rustbridge.backend", "osgi").succeeds();
    assertTrue(output.contains("osgi"), output);
    assertTrue(output.contains("jni"), output);
    assertTrue(output.contains("rustbridge.backend"), output);
    if (JDK >= 22) {
      assertTrue(output.contains("ffm"), output);
    }
  }

  @Test
  void without_native_access_the_error_names_the_flag() throws IOException {
    assumeTrue(JDK >= 24, "only a JDK from 24 on can deny native access to the class path");
    String both = denied(null).succeeds();
    assertTrue(both.contains("ffm: the JVM denies native access"), both);
    assertTrue(both.contains("jni: the JVM denies native access"), both);
    assertFalse(both.contains("IllegalCallerException"), both);
    String one = denied(Plugins.backend()).succeeds();
    assertTrue(one.contains("--enable-native-access=ALL-UNNAMED"), one);
    assertFalse(one.contains("IllegalCallerException"), one);
  }

  private static ForkedJvm denied(String backend) {
    return ForkedJvm.of(None.class)
        .property("rustbridge.backend", backend)
        .without("--enable-native-access")
        .with("--illegal-native-access=deny");
  }

  @Test
  void a_jar_made_of_several_needs_no_service_files(@TempDir Path folder) throws IOException {
    String neither = Jars.merged(folder.resolve("neither"), name -> !name.contains("/services/"));
    String output = ForkedJvm.of(Name.class).classPath(neither).succeeds();
    assertTrue(output.contains("by " + Plugins.backend() + "\n"), output);
    output =
        ForkedJvm.of(Name.class).classPath(neither).property("rustbridge.backend", null).succeeds();
    assertTrue(output.contains(JDK >= 22 ? "by ffm\n" : "by jni\n"), output);
    // One of two files with the same name is left, as most tools do it.
    String one = Jars.merged(folder.resolve("one"), name -> true);
    output = ForkedJvm.of(Name.class).classPath(one).succeeds();
    assertTrue(output.contains("by " + Plugins.backend() + "\n"), output);
  }

  @Test
  void an_older_jvm_is_told_which_one_a_backend_needs(@TempDir Path folder) throws IOException {
    assumeTrue(JDK < 22, "this one has what FFM needs");
    String jar = Jars.merged(folder, name -> !name.contains("rustbridge/jni/"));
    assumeTrue(
        Files.exists(folder.resolve("io/github/rustbridge/ffm")), "it was built without FFM");
    String output =
        ForkedJvm.of(None.class).classPath(jar).property("rustbridge.backend", null).succeeds();
    assertTrue(output.contains("ffm: needs JDK 22 or later, but this is " + JDK), output);
    assertFalse(output.contains("UnsupportedClassVersionError"), output);
  }

  @Test
  void every_load_of_this_process_uses_the_same_backend() {
    try (Plugin first = Plugins.hello();
        Plugin second = Plugins.conformance()) {
      assertEquals(first.backend(), second.backend());
    }
  }
}
