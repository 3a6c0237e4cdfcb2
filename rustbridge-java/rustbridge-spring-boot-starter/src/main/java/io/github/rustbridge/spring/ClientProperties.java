package io.github.rustbridge.spring;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.PluginConfig;
import java.time.Duration;

/**
 * How the plugin of a typed client is loaded: the properties below {@code rustbridge.clients.} and
 * the name of the client's bean, {@code price-list} for {@code priceList}.
 */
public class ClientProperties {
  private String library;
  private String config;
  private String name;
  private LogLevel logLevel;
  private Integer logCapacity;
  private boolean poisonOnPanic;
  private boolean backtraces;
  private boolean ownCopy;
  private Duration closeTimeout = Duration.ofSeconds(10);
  private Duration cancelAfter;

  /** Makes them, with nothing set. */
  public ClientProperties() {}

  /**
   * Names the plugin's library: a file, or a resource as {@code classpath:plugins/libpricing.so}.
   *
   * @return the library; null if it isn't set, which is an error
   */
  public String getLibrary() {
    return library;
  }

  /**
   * Sets the library.
   *
   * @param library a file or a resource
   */
  public void setLibrary(String library) {
    this.library = library;
  }

  /**
   * Gives what the plugin is configured with.
   *
   * @return a JSON object; null for none
   */
  public String getConfig() {
    return config;
  }

  /**
   * Sets what the plugin is configured with.
   *
   * @param config a JSON object
   */
  public void setConfig(String config) {
    this.config = config;
  }

  /**
   * Gives what the instance is called in messages and loggers.
   *
   * @return the name; null for the plugin's own
   */
  public String getName() {
    return name;
  }

  /**
   * Sets what the instance is called.
   *
   * @param name the name
   */
  public void setName(String name) {
    this.name = name;
  }

  /**
   * Gives the level up to which records are made.
   *
   * @return the level; null for what the logger lets through
   */
  public LogLevel getLogLevel() {
    return logLevel;
  }

  /**
   * Sets the level up to which records are made.
   *
   * @param logLevel the level
   */
  public void setLogLevel(LogLevel logLevel) {
    this.logLevel = logLevel;
  }

  /**
   * Gives how many records may wait for the logger.
   *
   * @return the number; null for the core's own
   */
  public Integer getLogCapacity() {
    return logCapacity;
  }

  /**
   * Sets how many records may wait for the logger.
   *
   * @param logCapacity the number
   */
  public void setLogCapacity(Integer logCapacity) {
    this.logCapacity = logCapacity;
  }

  /**
   * Tells whether a panic makes the instance refuse further calls.
   *
   * @return whether it does
   */
  public boolean isPoisonOnPanic() {
    return poisonOnPanic;
  }

  /**
   * Sets whether a panic makes the instance refuse further calls.
   *
   * @param poisonOnPanic whether it does
   */
  public void setPoisonOnPanic(boolean poisonOnPanic) {
    this.poisonOnPanic = poisonOnPanic;
  }

  /**
   * Tells whether exceptions have the Rust backtrace of a panic.
   *
   * @return whether they have it
   */
  public boolean isBacktraces() {
    return backtraces;
  }

  /**
   * Sets whether exceptions have the Rust backtrace of a panic.
   *
   * @param backtraces whether they have it
   */
  public void setBacktraces(boolean backtraces) {
    this.backtraces = backtraces;
  }

  /**
   * Tells whether the library is mapped once more for this instance alone.
   *
   * @return whether it is
   */
  public boolean isOwnCopy() {
    return ownCopy;
  }

  /**
   * Sets whether the library is mapped once more for this instance alone.
   *
   * @param ownCopy whether it is
   */
  public void setOwnCopy(boolean ownCopy) {
    this.ownCopy = ownCopy;
  }

  /**
   * Gives how long closing waits for calls that still run.
   *
   * @return the time, ten seconds unless it's set
   */
  public Duration getCloseTimeout() {
    return closeTimeout;
  }

  /**
   * Sets how long closing waits for calls that still run.
   *
   * @param closeTimeout the time
   */
  public void setCloseTimeout(Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
  }

  /**
   * Gives how long calls may go on while the plugin is closed, before they are cancelled.
   *
   * @return the time; null for half of the time that closing waits
   */
  public Duration getCancelAfter() {
    return cancelAfter;
  }

  /**
   * Sets how long calls may go on while the plugin is closed, before they are cancelled.
   *
   * @param cancelAfter the time
   */
  public void setCancelAfter(Duration cancelAfter) {
    this.cancelAfter = cancelAfter;
  }

  Duration cancelsAfter() {
    return cancelAfter == null ? closeTimeout.dividedBy(2) : cancelAfter;
  }

  PluginConfig toConfig() {
    PluginConfig made = config == null ? PluginConfig.defaults() : PluginConfig.json(config);
    made = name == null ? made : made.named(name);
    made = logLevel == null ? made : made.logLevel(logLevel);
    made = logCapacity == null ? made : made.logCapacity(logCapacity);
    made = poisonOnPanic ? made.poisonOnPanic() : made;
    made = backtraces ? made.backtraces() : made;
    return ownCopy ? made.ownCopy() : made;
  }
}
