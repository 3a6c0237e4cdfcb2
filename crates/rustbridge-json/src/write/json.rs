//! Where a value goes, and how texts are written there.

use std::fmt;

use rustbridge_wire::Writer;
use serde_json::Error;

use crate::text::{copy_plain, is_special};

pub(super) type Sure<T> = Result<T, Error>;

/// Where one value goes.
pub(super) struct Json<'w> {
    pub(super) writer: &'w mut Writer,
}

/// Writes a text with its quotes, and what stands behind them.
#[inline(always)]
pub(super) fn text<const N: usize>(writer: &mut Writer, text: &str, behind: [u8; N]) {
    writer.room(text.len() + 2 + N);
    // SAFETY: there's room for it.
    unsafe { writer.put([b'"']) };
    within(writer, text.as_bytes());
    writer.room(1 + N);
    // SAFETY: there's room for both.
    unsafe {
        writer.put([b'"']);
        writer.put(behind);
    }
}

/// Writes what stands within quotes.
#[inline(always)]
fn within(writer: &mut Writer, bytes: &[u8]) {
    writer.room(bytes.len());
    // SAFETY: there's room for all of them, and the writer's bytes are its own.
    let plain = unsafe { copy_plain(bytes, writer.end()) };
    // SAFETY: so many were written.
    unsafe { writer.advance(plain) };
    if plain < bytes.len() {
        escaped(writer, &bytes[plain..]);
    }
}

/// What is formatted within quotes.
pub(super) struct QuotedWriter<'w>(pub(super) &'w mut Writer);

impl fmt::Write for QuotedWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        within(self.0, text.as_bytes());
        Ok(())
    }
}

/// Writes the rest of a text, whose first byte has to be escaped.
#[inline(never)]
fn escaped(writer: &mut Writer, mut rest: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    while let Some((&byte, behind)) = rest.split_first() {
        let letter = match byte {
            b'"' | b'\\' => byte,
            8 => b'b',
            12 => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => b'u',
        };
        writer.push(&[b'\\', letter]);
        if letter == b'u' {
            let digits = [
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ];
            writer.push(&[b'0', b'0', digits[0], digits[1]]);
        }
        rest = behind;
        if rest.first().is_some_and(|&next| is_special(next)) {
            continue;
        }
        writer.room(rest.len());
        // SAFETY: there's room for all of them, and the writer's bytes are its own.
        let plain = unsafe { copy_plain(rest, writer.end()) };
        // SAFETY: so many were written.
        unsafe { writer.advance(plain) };
        rest = &rest[plain..];
    }
}
