// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.math.BigInteger;
import java.util.Objects;

/**
 * A number of each width, and what is written as one.
 *
 * @param u8 One byte.
 * @param u16 {@code u16}
 * @param u32 {@code u32}
 * @param u64 its bits are those of a number without a sign
 * @param u128 {@code u128}
 * @param i8 {@code i8}
 * @param i16 {@code i16}
 * @param i32 {@code i32}
 * @param i64 {@code i64}
 * @param i128 {@code i128}
 * @param f32 {@code f32}
 * @param f64 {@code f64}
 * @param bool {@code bool}
 * @param char_ a code point
 * @param size its bits are those of a number without a sign
 */
public record Numbers(
    int u8,
    int u16,
    long u32,
    long u64,
    BigInteger u128,
    byte i8,
    short i16,
    int i32,
    long i64,
    BigInteger i128,
    float f32,
    double f64,
    boolean bool,
    int char_,
    long size) {
  /** Refuses null where there has to be something. */
  public Numbers {
    Objects.requireNonNull(u128, "Numbers.u128");
    Objects.requireNonNull(i128, "Numbers.i128");
  }
}
