//! Texts, decimal numbers and times, which are copied once they have the form that every reader expects.

use super::plan::MAX_DECIMAL;
use super::run::{Done, Run};

impl Run<'_> {
    pub(super) fn string(&mut self) -> Done {
        let count = self.count("the count of a string's bytes")?;
        let at = self.at;
        let bytes = self.take(count, "a string")?;
        if let Err(error) = std::str::from_utf8(bytes) {
            let valid = error.valid_up_to();
            return Err(self.problem_at(at, format!("a string isn't UTF-8 at its byte {valid}")));
        }
        self.put(bytes)
    }

    pub(super) fn decimal(&mut self) -> Done {
        let at = self.at;
        let count = self.count("the count of a decimal number's characters")?;
        let bytes = self.take(count, "a decimal number")?;
        if !is_decimal(bytes) {
            return Err(self.problem_at(
                at,
                format!(
                    "a decimal number consists of digits, perhaps with a minus before them and a point between them, and has at most \
                     {MAX_DECIMAL} characters"
                ),
            ));
        }
        self.put(bytes)
    }

    pub(super) fn time(&mut self, what: &str) -> Done {
        self.copy(8, what)?;
        let at = self.at;
        let nanos = self.array(what)?;
        let count = u32::from_le_bytes(nanos);
        if count >= 1_000_000_000 {
            return Err(self.problem_at(
                at,
                format!("expected less than 1000000000 nanoseconds, found {count}"),
            ));
        }
        self.put(&nanos)
    }
}

/// Returns whether a text is a decimal number: digits, perhaps with a minus before them and a point between them.
fn is_decimal(text: &[u8]) -> bool {
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let is_form = match digits.iter().position(|byte| *byte == b'.') {
        Some(point) => is_number(&digits[..point]) && is_number(&digits[point + 1..]),
        None => is_number(digits),
    };
    text.len() <= MAX_DECIMAL && is_form
}
