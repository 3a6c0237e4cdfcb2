package io.github.rustbridge;

/**
 * The level of a log record, or the most verbose level that is logged. Later values are more
 * verbose.
 */
public enum LogLevel {
  /** Nothing is logged. */
  OFF(System.Logger.Level.OFF),
  /** A failure that requires attention. */
  ERROR(System.Logger.Level.ERROR),
  /** An unexpected condition that was handled. */
  WARN(System.Logger.Level.WARNING),
  /** A milestone in normal work. */
  INFO(System.Logger.Level.INFO),
  /** Information for developers of the plugin. */
  DEBUG(System.Logger.Level.DEBUG),
  /** All records. */
  TRACE(System.Logger.Level.TRACE);

  private static final LogLevel[] ALL = values();

  private final System.Logger.Level level;

  LogLevel(System.Logger.Level level) {
    this.level = level;
  }

  /**
   * Returns the number of this value in the host ABI.
   *
   * @return 0 for {@link #OFF} to 5 for {@link #TRACE}
   */
  public int number() {
    return ordinal();
  }

  /**
   * Returns the corresponding level of {@link System.Logger}.
   *
   * @return the level
   */
  public System.Logger.Level toSystemLevel() {
    return level;
  }

  /**
   * Returns the level with a number.
   *
   * @param number a level of the host ABI
   * @return the level; {@link #TRACE} for larger numbers
   */
  public static LogLevel of(int number) {
    return ALL[Math.max(0, Math.min(number, ALL.length - 1))];
  }
}
