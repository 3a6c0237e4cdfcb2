package io.github.rustbridge.benchmarks;

import io.github.rustbridge.Plugin;

/**
 * Measures the first load of a fresh JVM, with its first call, and prints the nanoseconds: from the
 * first use of any class of rustbridge to the response. Started once per measurement, as `FirstLoad
 * TRANSPORT`.
 */
public final class FirstLoad {
  private FirstLoad() {}

  /**
   * Measures once.
   *
   * @param arguments the transport
   */
  public static void main(String[] arguments) {
    String transport = arguments[0];
    long begin = System.nanoTime();
    Plugin plugin = Libraries.open(transport, "hello_plugin");
    String response = plugin.call("echo", "{\"message\":\"hello\"}");
    long nanoseconds = System.nanoTime() - begin;
    if (!response.equals("{\"message\":\"hello\",\"length\":5}")) {
      throw new IllegalStateException("the plugin answers " + response);
    }
    System.out.println(nanoseconds);
  }
}
