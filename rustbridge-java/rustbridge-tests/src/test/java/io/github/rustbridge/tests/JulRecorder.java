package io.github.rustbridge.tests;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Remembers what arrives at a logger of java.util.logging, which is where System.Logger leads by
 * default.
 */
public final class JulRecorder extends Handler implements AutoCloseable {
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level before;

  /**
   * Begins to listen.
   *
   * @param name the logger's name; those below it are heard too
   * @param level up to which level
   */
  public JulRecorder(String name, Level level) {
    logger = Logger.getLogger(name);
    before = logger.getLevel();
    logger.setLevel(level);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
    setLevel(Level.ALL);
  }

  /** Gives everything, in order. */
  public List<LogRecord> records() {
    return records;
  }

  /** Gives the texts as a person would see them, in order. */
  public List<String> texts() {
    return records.stream().map(new SimpleFormatter()::formatMessage).toList();
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
    logger.setLevel(before);
  }
}
