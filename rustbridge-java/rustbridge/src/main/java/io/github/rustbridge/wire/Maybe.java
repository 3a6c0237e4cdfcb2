package io.github.rustbridge.wire;

/**
 * An option that may also be omitted: null means the plugin's default, and an instance of this
 * class is a value or none.
 *
 * @param value the value, or null for none
 * @param <T> the value's type
 */
public record Maybe<T>(T value) {
  /**
   * Returns an option with a value.
   *
   * @param value the value, or null for none
   * @param <T> the value's type
   * @return the option
   */
  public static <T> Maybe<T> of(T value) {
    return new Maybe<>(value);
  }

  /**
   * Returns an option without a value.
   *
   * @param <T> the value's type
   * @return the option
   */
  public static <T> Maybe<T> none() {
    return new Maybe<>(null);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Maybe<?> that && Values.equal(value, that.value);
  }

  @Override
  public int hashCode() {
    return Values.hash(value);
  }

  @Override
  public String toString() {
    return Values.text("Maybe", new Object[] {value}, "value");
  }
}
