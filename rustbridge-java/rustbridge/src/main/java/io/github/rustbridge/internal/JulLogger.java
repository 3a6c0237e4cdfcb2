package io.github.rustbridge.internal;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * A logger of {@code java.util.logging} whose records have no source class and method. It's the
 * only class that refers to that module, and it's loaded only if the module is available.
 */
final class JulLogger implements System.Logger {
  private final Logger logger;

  JulLogger(String name) {
    logger = Logger.getLogger(name);
  }

  @Override
  public String getName() {
    return logger.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    return logger.isLoggable(levelOf(level));
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
    java.util.logging.Level known = levelOf(level);
    if (!logger.isLoggable(known)) {
      return;
    }
    LogRecord entry = new LogRecord(known, message);
    entry.setLoggerName(logger.getName());
    entry.setResourceBundle(bundle);
    entry.setThrown(thrown);
    // Else it's looked for on the stack.
    entry.setSourceClassName(null);
    entry.setSourceMethodName(null);
    logger.log(entry);
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
    boolean plain = parameters == null || parameters.length == 0;
    log(level, bundle, plain ? format : MessageFormat.format(format, parameters), (Throwable) null);
  }

  private static java.util.logging.Level levelOf(Level level) {
    return switch (level) {
      case ALL -> java.util.logging.Level.ALL;
      case TRACE -> java.util.logging.Level.FINER;
      case DEBUG -> java.util.logging.Level.FINE;
      case INFO -> java.util.logging.Level.INFO;
      case WARNING -> java.util.logging.Level.WARNING;
      case ERROR -> java.util.logging.Level.SEVERE;
      case OFF -> java.util.logging.Level.OFF;
    };
  }
}
