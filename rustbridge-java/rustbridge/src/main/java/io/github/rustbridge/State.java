package io.github.rustbridge;

/** The state of an instance. */
public enum State {
  /** The instance accepts calls. */
  ACTIVE,
  /**
   * After a panic, the instance refuses further calls, because {@link PluginConfig#poisonOnPanic()}
   * is set. It should be closed.
   */
  POISONED,
  /** The instance is closing. It refuses new calls, and some calls are still running. */
  CLOSING,
  /** The instance is closed. */
  CLOSED,
  /** The process was forked after the instance was loaded, and this is the child process. */
  FORKED,
  /** A state that a newer native library has and this version doesn't know. */
  UNKNOWN;

  private static final State[] ALL = values();

  /**
   * Returns the number of this value in the host ABI.
   *
   * @return 1 for {@link #ACTIVE} to 5 for {@link #FORKED}; 0 for {@link #UNKNOWN}
   */
  public int number() {
    return this == UNKNOWN ? 0 : ordinal() + 1;
  }

  /**
   * Returns the state with a number.
   *
   * @param number a state of the host ABI
   * @return the state; {@link #UNKNOWN} for any other number
   */
  public static State of(int number) {
    return number < 1 || number >= ALL.length ? UNKNOWN : ALL[number - 1];
  }
}
