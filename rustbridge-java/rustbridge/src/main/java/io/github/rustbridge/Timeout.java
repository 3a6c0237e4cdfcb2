package io.github.rustbridge;

import java.time.Duration;
import java.util.Objects;

/** Converts timeouts to those of the host ABI. */
final class Timeout {
  /** What every timeout that a long can't express in milliseconds comes to. */
  private static final long FOREVER = -1;

  private Timeout() {}

  /**
   * Gives a timeout in milliseconds, rounded up, so that no wait is shorter than asked for.
   *
   * @throws IllegalArgumentException if it's negative
   */
  static long milliseconds(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("a timeout must be zero or more, not " + timeout);
    }
    try {
      return timeout.plusNanos(999_999).toMillis();
    } catch (ArithmeticException huge) {
      return FOREVER;
    }
  }
}
