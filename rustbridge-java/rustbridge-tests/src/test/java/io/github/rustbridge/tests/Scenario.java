package io.github.rustbridge.tests;

import java.util.Map;

/**
 * Something that {@link ForkedJvm} runs in a JVM of its own, because it might take the JVM along.
 */
public interface Scenario {
  /** What the last line says, so that nothing that merely ends the process passes for success. */
  String DONE = "the scenario has ended well";

  /** How long a scenario may take before it's ended with a dump of its threads. */
  long SECONDS = 400L * ForkedJvm.SOAK;

  /**
   * Does it.
   *
   * @throws Throwable if it goes wrong
   */
  void run() throws Throwable;

  /**
   * Runs the scenario of a name.
   *
   * @param arguments the scenario's class
   * @throws Throwable if it goes wrong
   */
  static void main(String[] arguments) throws Throwable {
    Thread watchdog = new Thread(Scenario::haltWhenItHangs, "watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
    var constructor = Class.forName(arguments[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    ((Scenario) constructor.newInstance()).run();
    System.out.println(DONE);
  }

  private static void haltWhenItHangs() {
    try {
      Thread.sleep(SECONDS * 1000);
    } catch (InterruptedException ended) {
      return;
    }
    for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
      System.out.println(thread.getKey());
      for (StackTraceElement frame : thread.getValue()) {
        System.out.println("    at " + frame);
      }
    }
    Runtime.getRuntime().halt(3);
  }
}
