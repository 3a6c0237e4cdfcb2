package io.github.rustbridge;

import io.github.rustbridge.spi.Text;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How to load a plugin: its configuration, and what the host wants of the instance. Immutable; each
 * method gives a changed copy.
 *
 * <pre>{@code
 * PluginConfig.json("{\"first_user\": 100}").named("users").logLevel(LogLevel.DEBUG)
 * }</pre>
 */
public final class PluginConfig {
  private static final PluginConfig DEFAULTS =
      new PluginConfig(null, null, null, null, null, false, false, false, null, null);

  final byte[] json;
  final Object value;
  final String name;
  final LogLevel logLevel;
  final System.Logger logger;
  final boolean poison;
  final boolean backtrace;
  final boolean ownCopy;
  final Consumer<LogRecord> listener;
  final JsonCodec codec;

  private PluginConfig(
      byte[] json,
      Object value,
      String name,
      LogLevel logLevel,
      System.Logger logger,
      boolean poison,
      boolean backtrace,
      boolean ownCopy,
      Consumer<LogRecord> listener,
      JsonCodec codec) {
    this.json = json;
    this.value = value;
    this.name = name;
    this.logLevel = logLevel;
    this.logger = logger;
    this.poison = poison;
    this.backtrace = backtrace;
    this.ownCopy = ownCopy;
    this.listener = listener;
    this.codec = codec;
  }

  /**
   * Gives the defaults: no configuration, the plugin's own name, records as far as the logger wants
   * them.
   *
   * @return the defaults
   */
  public static PluginConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Gives the defaults with the plugin's configuration as JSON text.
   *
   * @param json what the plugin's {@code create} gets
   * @return the defaults with that
   * @throws PluginException with {@link Status#INVALID_ARGUMENT} if it has unpaired surrogates
   */
  public static PluginConfig json(String json) {
    return DEFAULTS.with(Text.encode(json), null);
  }

  /**
   * Gives the defaults with the plugin's configuration as JSON in UTF-8.
   *
   * @param json what the plugin's {@code create} gets; copied
   * @return the defaults with that
   */
  public static PluginConfig json(byte[] json) {
    return DEFAULTS.with(json.clone(), null);
  }

  /**
   * Gives the defaults with the plugin's configuration as an object that the {@link JsonCodec} can
   * write.
   *
   * @param value what the plugin's {@code create} gets as JSON
   * @return the defaults with that
   */
  public static PluginConfig of(Object value) {
    return DEFAULTS.with(null, Objects.requireNonNull(value, "value"));
  }

  private PluginConfig with(byte[] newJson, Object newValue) {
    return new PluginConfig(
        newJson, newValue, name, logLevel, logger, poison, backtrace, ownCopy, listener, codec);
  }

  /**
   * Names the instance, for messages and loggers.
   *
   * @param newName the name
   * @return a copy with that
   */
  public PluginConfig named(String newName) {
    return new PluginConfig(
        json,
        value,
        Objects.requireNonNull(newName, "name"),
        logLevel,
        logger,
        poison,
        backtrace,
        ownCopy,
        listener,
        codec);
  }

  /**
   * Sets the level up to which records are made. By default it's what the logger lets through when
   * the plugin is loaded.
   *
   * @param newLevel the level
   * @return a copy with that
   */
  public PluginConfig logLevel(LogLevel newLevel) {
    return new PluginConfig(
        json,
        value,
        name,
        Objects.requireNonNull(newLevel, "level"),
        logger,
        poison,
        backtrace,
        ownCopy,
        listener,
        codec);
  }

  /**
   * Sends all records to one logger, instead of to {@code rustbridge.<instance>.<target>}.
   *
   * @param newLogger the logger
   * @return a copy with that
   */
  public PluginConfig logger(System.Logger newLogger) {
    return new PluginConfig(
        json,
        value,
        name,
        logLevel,
        Objects.requireNonNull(newLogger, "logger"),
        poison,
        backtrace,
        ownCopy,
        listener,
        codec);
  }

  /**
   * Hands all records to a listener, with their fields and spans as values, instead of to loggers.
   * Unless {@link #logLevel} says otherwise, that is up to {@link LogLevel#INFO}.
   *
   * @param newListener what takes them, one at a time, on a thread of the core's
   * @return a copy with that
   */
  public PluginConfig logListener(Consumer<LogRecord> newListener) {
    return new PluginConfig(
        json,
        value,
        name,
        logLevel,
        logger,
        poison,
        backtrace,
        ownCopy,
        Objects.requireNonNull(newListener, "listener"),
        codec);
  }

  /**
   * Makes the instance refuse further calls after a panic. By default it goes on.
   *
   * @return a copy with that
   */
  public PluginConfig poisonOnPanic() {
    return new PluginConfig(
        json, value, name, logLevel, logger, true, backtrace, ownCopy, listener, codec);
  }

  /**
   * Puts the Rust backtrace of a panic into {@link PluginException#backtrace()}.
   *
   * @return a copy with that
   */
  public PluginConfig backtraces() {
    return new PluginConfig(
        json, value, name, logLevel, logger, poison, true, ownCopy, listener, codec);
  }

  /**
   * Maps the library once more for this instance alone, for plugins with global state of their own.
   * Costs a mapping that stays for the life of the process.
   *
   * @return a copy with that
   */
  public PluginConfig ownCopy() {
    return new PluginConfig(
        json, value, name, logLevel, logger, poison, backtrace, true, listener, codec);
  }

  /**
   * Sets the codec of the typed calls.
   *
   * @param newCodec the codec
   * @return a copy with that
   */
  public PluginConfig codec(JsonCodec newCodec) {
    return new PluginConfig(
        json,
        value,
        name,
        logLevel,
        logger,
        poison,
        backtrace,
        ownCopy,
        listener,
        Objects.requireNonNull(newCodec, "codec"));
  }
}
