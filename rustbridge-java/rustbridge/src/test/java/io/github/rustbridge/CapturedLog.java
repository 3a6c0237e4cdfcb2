package io.github.rustbridge;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Collects what is logged to the logger {@code rustbridge} and those below, which is where the
 * JDK's loggers end.
 */
public final class CapturedLog extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("rustbridge");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  /** Begins. */
  public CapturedLog() {
    setLevel(Level.ALL);
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  @Override
  public void publish(LogRecord entry) {
    records.add(entry);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  public void setLoggerLevel(Level level) {
    logger.setLevel(level);
  }

  public List<LogRecord> records() {
    return records;
  }

  public List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  /** Runs the garbage collector until a record is there, which it has to be within ten seconds. */
  public LogRecord awaitCollected(Predicate<LogRecord> wanted) throws InterruptedException {
    long end = System.nanoTime() + 10_000_000_000L;
    while (true) {
      for (LogRecord entry : records) {
        if (wanted.test(entry)) {
          return entry;
        }
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("nothing of that kind was logged, only " + messages());
      }
      System.gc();
      Thread.sleep(10);
    }
  }
}
