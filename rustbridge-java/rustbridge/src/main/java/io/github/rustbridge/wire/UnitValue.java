package io.github.rustbridge.wire;

/** The only value of Rust's {@code ()}, where one has to stand. */
public enum UnitValue {
  /** It. */
  UNIT
}
