package io.github.rustbridge;

/** What an instance is doing. */
public enum State {
  /** It takes calls. */
  ACTIVE,
  /**
   * A panic made it refuse further calls, as {@link PluginConfig#poisonOnPanic()} asks; it's to be
   * closed.
   */
  POISONED,
  /** It's being closed: it takes no new calls, and some still run. */
  CLOSING,
  /** It's gone. */
  CLOSED,
  /** The process was forked since it was loaded, and this is the child. */
  FORKED;

  private static final State[] ALL = values();

  /**
   * Gives the number that stands for it in the host ABI.
   *
   * @return 1 for {@link #ACTIVE} to 5 for {@link #FORKED}
   */
  public int number() {
    return ordinal() + 1;
  }

  /**
   * Finds the state with a number.
   *
   * @param number a state of the host ABI
   * @return the state
   * @throws IllegalArgumentException if no state has that number
   */
  public static State of(int number) {
    if (number < 1 || number > ALL.length) {
      throw new IllegalArgumentException("the native library answered the unknown state " + number);
    }
    return ALL[number - 1];
  }
}
