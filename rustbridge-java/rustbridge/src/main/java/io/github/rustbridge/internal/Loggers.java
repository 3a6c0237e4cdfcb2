package io.github.rustbridge.internal;

/** The application's loggers. */
public final class Loggers {
  private static final boolean JUL = isJul();

  private Loggers() {}

  /**
   * Returns the logger with a name.
   *
   * @param name the span's name
   * @return what {@code System.getLogger} gives, but for {@code java.util.logging}, which would
   *     take the class that logs for where the record comes from, and name that in place of the
   *     logger
   */
  public static System.Logger of(String name) {
    return JUL ? new JulLogger(name) : System.getLogger(name);
  }

  private static boolean isJul() {
    try {
      Module finder = System.LoggerFinder.getLoggerFinder().getClass().getModule();
      return "java.logging".equals(finder.getName());
    } catch (RuntimeException | LinkageError broken) {
      // The first record says so itself.
      return false;
    }
  }
}
