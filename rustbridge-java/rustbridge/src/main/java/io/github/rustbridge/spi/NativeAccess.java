package io.github.rustbridge.spi;

/** What a JVM has to be told before it lets a backend call native code. */
public final class NativeAccess {
  private NativeAccess() {}

  /**
   * Says why a backend can't be used that the JVM denies native access.
   *
   * @param caller the backend's class that asked
   * @return a reason that names the flag
   */
  public static String deniedTo(Class<?> caller) {
    Module module = caller.getModule();
    String who = module.isNamed() ? module.getName() : "ALL-UNNAMED";
    return "the JVM denies native access; start it with --enable-native-access=" + who;
  }
}
