//! Numbers: integers of up to nineteen digits by hand, and decimals for which one division or multiplication is exact. The rest is parsed by
//! the standard library, which rounds correctly, as serde_json does.

use std::str::{self, FromStr};

use serde::de::Visitor;

use super::reader::{Doubt, Reader, Sure};

/// Powers of ten that a double has exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The last whole number of those that a double has each of.
const EXACT: u64 = 1 << 53;

/// How many digits any `u64` may have.
const DIGITS: usize = 19;

/// A number's bytes as text.
#[inline(always)]
fn text(number: &[u8]) -> &str {
    debug_assert!(number.is_ascii());
    // SAFETY: digits, signs, a point and an `e`, as `number_token` gives them, are ASCII.
    unsafe { str::from_utf8_unchecked(number) }
}

impl<'de> Reader<'de> {
    /// Reads a number and gives it to a visitor as serde_json does: a whole one as `u64`, or `i64` if it's negative, any other as `f64`.
    #[inline(always)]
    pub(super) fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Sure<V::Value> {
        let first = self.next()?;
        let start = self.at;
        let negative = first == b'-';
        if negative {
            self.take();
        }
        let (whole, digits) = self.digits();
        let leading_zero = digits > 1 && self.bytes[self.at - digits] == b'0';
        if digits == 0 || leading_zero {
            return Err(Doubt);
        }
        if digits > DIGITS {
            return self.long(start, visitor);
        }
        match self.peek() {
            Some(b'.') => self.fraction(start, negative, whole, digits, visitor),
            Some(b'e' | b'E') => self.long(start, visitor),
            _ if !negative => visitor.visit_u64(whole),
            _ => {
                let value = (whole as i64).wrapping_neg();
                if value < 0 && whole <= 1 << 63 {
                    visitor.visit_i64(value)
                } else {
                    // A negative zero, and what an `i64` hasn't.
                    visitor.visit_f64(-(whole as f64))
                }
            }
        }
    }

    /// The digits from here on and how many they are. The value is of no use if they're too many.
    #[inline(always)]
    fn digits(&mut self) -> (u64, usize) {
        let start = self.at;
        let mut value = 0_u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        (value, self.at - start)
    }

    /// Reads what follows the whole part, from the point on.
    #[inline(always)]
    fn fraction<V: Visitor<'de>>(
        &mut self,
        start: usize,
        negative: bool,
        whole: u64,
        digits: usize,
        visitor: V,
    ) -> Sure<V::Value> {
        self.take();
        let (fraction, places) = self.digits();
        if places == 0 {
            return Err(Doubt);
        }
        if digits + places > DIGITS || matches!(self.peek(), Some(b'e' | b'E')) {
            return self.long(start, visitor);
        }
        // Up to eighteen places, and both together below 10^19.
        let all = whole * 10_u64.pow(places as u32) + fraction;
        if all > EXACT {
            return self.long(start, visitor);
        }
        let value = all as f64 / POWERS[places];
        visitor.visit_f64(if negative { -value } else { value })
    }

    /// Reads any number anew, as a double.
    #[inline(never)]
    fn long<V: Visitor<'de>>(&mut self, start: usize, visitor: V) -> Sure<V::Value> {
        self.at = start;
        let token = text(self.number_token()?);
        if let Ok(value) = token.parse::<u64>() {
            return visitor.visit_u64(value);
        }
        let value = f64::from_str(token).map_err(|_| Doubt)?;
        if value.is_finite() {
            visitor.visit_f64(value)
        } else {
            Err(Doubt)
        }
    }

    /// Reads a number for who wants an `f32`: decimals are rounded once, from what is written.
    pub(super) fn single<V: Visitor<'de>>(&mut self, visitor: V) -> Sure<V::Value> {
        self.next()?;
        let start = self.at;
        let token = text(self.number_token()?);
        // A whole one of 64 bits is rounded as any number is.
        if token.trim_start_matches('-').parse::<u64>().is_ok() {
            self.at = start;
            return self.number(visitor);
        }
        let value = f32::from_str(token).map_err(|_| Doubt)?;
        if value.is_finite() {
            visitor.visit_f64(f64::from(value))
        } else {
            Err(Doubt)
        }
    }

    /// Reads a whole number of any width.
    pub(super) fn integer<T: FromStr>(&mut self) -> Sure<T> {
        self.next()?;
        text(self.number_token()?).parse().map_err(|_| Doubt)
    }

    /// Takes a number that is written as JSON has it.
    pub(super) fn number_token(&mut self) -> Sure<&'de [u8]> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.take();
        }
        let zero = self.peek() == Some(b'0');
        let (_, digits) = self.digits();
        if digits == 0 || (zero && digits > 1) {
            return Err(Doubt);
        }
        if self.peek() == Some(b'.') {
            self.take();
            if self.digits().1 == 0 {
                return Err(Doubt);
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.take();
            if let Some(b'+' | b'-') = self.peek() {
                self.take();
            }
            if self.digits().1 == 0 {
                return Err(Doubt);
            }
        }
        Ok(&self.bytes[start..self.at])
    }
}
