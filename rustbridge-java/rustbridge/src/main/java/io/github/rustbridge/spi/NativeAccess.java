package io.github.rustbridge.spi;

/** The permission that a JVM requires before a backend may call native code. */
public final class NativeAccess {
  private NativeAccess() {}

  /**
   * Returns the reason why a backend can't be used if the JVM denies it native access.
   *
   * @param caller the backend's class that requires the access
   * @return a text that names the required flag
   */
  public static String deniedTo(Class<?> caller) {
    Module module = caller.getModule();
    String who = module.isNamed() ? module.getName() : "ALL-UNNAMED";
    return "the JVM denies native access; start it with --enable-native-access=" + who;
  }
}
