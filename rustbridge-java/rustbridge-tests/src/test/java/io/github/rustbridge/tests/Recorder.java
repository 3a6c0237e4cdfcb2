package io.github.rustbridge.tests;

import java.text.MessageFormat;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;

/** A logger that remembers. */
public class Recorder implements System.Logger {
  /**
   * What it was given.
   *
   * @param level how urgent
   * @param text the message as a person would see it
   * @param thrown what was thrown, or null
   */
  public record Entry(Level level, String text, Throwable thrown) {}

  private final List<Entry> entries = new CopyOnWriteArrayList<>();

  /** Gives everything, in order. */
  public List<Entry> entries() {
    return entries;
  }

  /** Gives the texts, in order. */
  public List<String> texts() {
    return entries.stream().map(Entry::text).toList();
  }

  /** Is told of each entry, after it was kept. */
  protected void kept(Entry entry) {}

  private void keep(Entry entry) {
    entries.add(entry);
    kept(entry);
  }

  @Override
  public String getName() {
    return "recorder";
  }

  @Override
  public boolean isLoggable(Level level) {
    return true;
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
    keep(new Entry(level, message, thrown));
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
    boolean plain = parameters == null || parameters.length == 0;
    keep(new Entry(level, plain ? format : MessageFormat.format(format, parameters), null));
  }
}
