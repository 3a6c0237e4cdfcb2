package io.github.rustbridge.ffm;

import io.github.rustbridge.Plugin;

/** What a JVM of its own runs for {@link NativeAccessTest}: one call, or why there is none. */
final class NativeAccessProbe {
  private NativeAccessProbe() {}

  public static void main(String[] arguments) {
    try (Plugin plugin = Plugins.hello()) {
      System.out.println(plugin.backend() + ": " + plugin.call("echo", "{\"message\":\"hello\"}"));
    } catch (RuntimeException error) {
      System.out.println(error.getMessage());
    }
  }
}
