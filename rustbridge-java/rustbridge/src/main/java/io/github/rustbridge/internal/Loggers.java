package io.github.rustbridge.internal;

/** The application's loggers. */
public final class Loggers {
  private static final boolean JUL = isJul();

  private Loggers() {}

  /**
   * Returns the logger with a name.
   *
   * @param name the logger's name
   * @return the logger that {@code System.getLogger} returns. For {@code java.util.logging}, a
   *     wrapper, since that would report the logging class as the record's source instead of the
   *     logger's name
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
