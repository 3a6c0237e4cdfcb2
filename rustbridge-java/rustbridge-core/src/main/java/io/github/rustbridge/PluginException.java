package io.github.rustbridge;

import java.util.Map;
import java.util.Optional;

/**
 * A call, or another operation on a plugin, has failed. The message is the one that the plugin
 * gave.
 *
 * <p>It's unchecked: whether a failure can be dealt with depends on its {@link #status()}, not on
 * its class.
 */
public class PluginException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The status. */
  private final Status status;

  /** The name of the plugin's error type, or of ours. */
  private final String type;

  /** What the error carries besides; values are those of JSON. */
  private final transient Map<String, Object> details;

  /** The Rust backtrace, or null. */
  private final String backtrace;

  /**
   * Makes one.
   *
   * @param status how the call ended
   * @param type the name of the error's type in the plugin, e.g. {@code MathError::Overflow}
   * @param message what went wrong
   * @param details what the error carries besides, as values of JSON: Map, List, String, Long,
   *     BigInteger, Double, Boolean, null
   * @param backtrace the Rust backtrace of a panic, or null
   */
  public PluginException(
      Status status, String type, String message, Map<String, Object> details, String backtrace) {
    super(message);
    this.status = status;
    this.type = type;
    this.details = details;
    this.backtrace = backtrace;
  }

  /**
   * Tells how the call ended.
   *
   * @return the status, never {@link Status#OK}
   */
  public Status status() {
    return status;
  }

  /**
   * Names the error's type in the plugin.
   *
   * @return the type, e.g. {@code MathError::Overflow}, or {@code panic}; empty if the plugin names
   *     none
   */
  public String type() {
    return type;
  }

  /**
   * Gives what the error carries besides its message.
   *
   * @return values of JSON by name, unmodifiable; empty if there are none
   */
  public Map<String, Object> details() {
    return details == null ? Map.of() : details;
  }

  /**
   * Gives the Rust backtrace of a panic, if {@link PluginConfig#backtraces()} asked for it.
   *
   * @return the backtrace as Rust prints it
   */
  public Optional<String> backtrace() {
    return Optional.ofNullable(backtrace);
  }

  /** Gives class, status, type and message on one line. */
  @Override
  public String toString() {
    String kind = type.isEmpty() ? status.name() : status.name() + " (" + type + ")";
    return getClass().getName() + ": " + kind + ": " + getMessage();
  }
}
