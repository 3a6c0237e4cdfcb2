//! Marsaglia's xorshift (Journal of Statistical Software 8/14, 2003; the triple 13, 7, 17): a few instructions per
//! number, and the same numbers everywhere.

use std::ops::RangeInclusive;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-";

pub struct Xorshift(u64);

impl Xorshift {
    pub fn new() -> Xorshift {
        Xorshift(0x9e37_79b9_7f4a_7c15)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number of the range, by its upper bits times the range's width, so that no division is needed.
    pub fn number(&mut self, range: RangeInclusive<i32>) -> i32 {
        let width = u64::from(range.end().abs_diff(*range.start())) + 1;
        let offset = ((self.next() >> 32) * width) >> 32;
        range.start() + i32::try_from(offset).expect("the offset is less than the width")
    }

    /// A text of that many characters, each of one byte and none that JSON has to escape. Six bits make one.
    pub fn text(&mut self, length: usize) -> String {
        let mut text = String::with_capacity(length);
        while text.len() < length {
            let bits = self.next();
            for place in 0..(length - text.len()).min(10) {
                text.push(char::from(LETTERS[(bits >> (6 * place)) as usize & 63]));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_their_range_and_stay_in_it() {
        let mut random = Xorshift::new();
        let mut seen = [false; 12];
        for _ in 0..1_000 {
            seen[random.number(1..=12) as usize - 1] = true;
        }
        assert_eq!(seen, [true; 12]);
    }

    #[test]
    fn texts_have_their_length() {
        let mut random = Xorshift::new();
        for length in [0, 1, 9, 10, 11, 43] {
            assert_eq!(random.text(length).len(), length);
        }
    }
}
