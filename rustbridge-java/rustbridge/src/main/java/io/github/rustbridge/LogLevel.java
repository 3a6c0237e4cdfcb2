package io.github.rustbridge;

/** How urgent a log record is, or how much is wanted. Later ones are chattier. */
public enum LogLevel {
  /** Nothing is logged. */
  OFF(System.Logger.Level.OFF),
  /** A failure somebody must look at. */
  ERROR(System.Logger.Level.ERROR),
  /** Something unexpected that was coped with. */
  WARN(System.Logger.Level.WARNING),
  /** A milestone in normal work. */
  INFO(System.Logger.Level.INFO),
  /** What a developer of the plugin wants to know. */
  DEBUG(System.Logger.Level.DEBUG),
  /** Everything. */
  TRACE(System.Logger.Level.TRACE);

  private static final LogLevel[] ALL = values();

  private final System.Logger.Level level;

  LogLevel(System.Logger.Level level) {
    this.level = level;
  }

  /**
   * Gives the number that stands for it in the host ABI.
   *
   * @return 0 for {@link #OFF} to 5 for {@link #TRACE}
   */
  public int number() {
    return ordinal();
  }

  /**
   * Gives the level of {@link System.Logger} that means the same.
   *
   * @return the level
   */
  public System.Logger.Level toSystemLevel() {
    return level;
  }

  /**
   * Finds the level with a number.
   *
   * @param number a level of the host ABI
   * @return the level; {@link #TRACE} for numbers beyond it
   */
  public static LogLevel of(int number) {
    return ALL[Math.max(0, Math.min(number, ALL.length - 1))];
  }
}
