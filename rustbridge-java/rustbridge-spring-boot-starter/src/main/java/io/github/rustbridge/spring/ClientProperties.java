package io.github.rustbridge.spring;

import io.github.rustbridge.LogLevel;
import io.github.rustbridge.PluginConfig;
import java.time.Duration;

/**
 * The properties that configure how a typed client's plugin is loaded. Their prefix is {@code
 * rustbridge.clients.} and the name of the client's bean, {@code price-list} for {@code priceList}.
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

  /** Creates properties without values. */
  public ClientProperties() {}

  /**
   * Returns the plugin's library: a file, or a resource such as {@code
   * classpath:plugins/libpricing.so}.
   *
   * @return the library; null if it isn't set, which is an error when the plugin is loaded
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
   * Returns the plugin's configuration.
   *
   * @return a JSON object; null for none
   */
  public String getConfig() {
    return config;
  }

  /**
   * Sets the plugin's configuration.
   *
   * @param config a JSON object
   */
  public void setConfig(String config) {
    this.config = config;
  }

  /**
   * Returns the instance's name, which messages and loggers use.
   *
   * @return the name; null for the plugin's own name
   */
  public String getName() {
    return name;
  }

  /**
   * Sets the instance's name.
   *
   * @param name the name
   */
  public void setName(String name) {
    this.name = name;
  }

  /**
   * Returns the most verbose level that is logged.
   *
   * @return the level; null for the level that the logger accepts
   */
  public LogLevel getLogLevel() {
    return logLevel;
  }

  /**
   * Sets the most verbose level that is logged.
   *
   * @param logLevel the level
   */
  public void setLogLevel(LogLevel logLevel) {
    this.logLevel = logLevel;
  }

  /**
   * Returns the number of records that may wait for the logger.
   *
   * @return the number; null for the core's default
   */
  public Integer getLogCapacity() {
    return logCapacity;
  }

  /**
   * Sets the number of records that may wait for the logger.
   *
   * @param logCapacity the number
   */
  public void setLogCapacity(Integer logCapacity) {
    this.logCapacity = logCapacity;
  }

  /**
   * Reports whether the instance refuses further calls after a panic.
   *
   * @return whether it refuses them
   */
  public boolean isPoisonOnPanic() {
    return poisonOnPanic;
  }

  /**
   * Sets whether the instance refuses further calls after a panic.
   *
   * @param poisonOnPanic whether it refuses them
   */
  public void setPoisonOnPanic(boolean poisonOnPanic) {
    this.poisonOnPanic = poisonOnPanic;
  }

  /**
   * Reports whether exceptions contain the Rust backtrace of a panic.
   *
   * @return whether they contain it
   */
  public boolean isBacktraces() {
    return backtraces;
  }

  /**
   * Sets whether exceptions contain the Rust backtrace of a panic.
   *
   * @param backtraces whether they contain it
   */
  public void setBacktraces(boolean backtraces) {
    this.backtraces = backtraces;
  }

  /**
   * Reports whether the library is mapped a second time for this instance alone.
   *
   * @return whether it is
   */
  public boolean isOwnCopy() {
    return ownCopy;
  }

  /**
   * Sets whether the library is mapped a second time for this instance alone.
   *
   * @param ownCopy whether it is
   */
  public void setOwnCopy(boolean ownCopy) {
    this.ownCopy = ownCopy;
  }

  /**
   * Returns how long closing waits for running calls.
   *
   * @return the time; ten seconds unless it's set
   */
  public Duration getCloseTimeout() {
    return closeTimeout;
  }

  /**
   * Sets how long closing waits for running calls.
   *
   * @param closeTimeout the time
   */
  public void setCloseTimeout(Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
  }

  /**
   * Returns how long calls may continue while the plugin is closing, before they are cancelled.
   *
   * @return the time; null for half of the close timeout
   */
  public Duration getCancelAfter() {
    return cancelAfter;
  }

  /**
   * Sets how long calls may continue while the plugin is closing, before they are cancelled.
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
