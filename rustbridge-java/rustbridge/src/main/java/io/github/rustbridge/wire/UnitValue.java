package io.github.rustbridge.wire;

/** The only value of Rust's {@code ()}, for places that need a value. */
public enum UnitValue {
  /** The only value. */
  UNIT
}
