//! Texts. One without a backslash is lent from what is read; one with any is put together anew.

use std::str;

use serde::de::Visitor;

use super::reader::{Doubt, Reader, Sure};
use crate::text::plain;

impl<'de> Reader<'de> {
    /// Reads a text, whose quote is the next byte.
    #[inline(always)]
    pub(super) fn string<V: Visitor<'de>>(&mut self, visitor: V) -> Sure<V::Value> {
        match self.lent()? {
            Some(text) => visitor.visit_borrowed_str(text),
            None => visitor.visit_str(self.escaped()?),
        }
    }

    /// The same for who wants its bytes.
    #[inline(always)]
    pub(super) fn string_as_bytes<V: Visitor<'de>>(&mut self, visitor: V) -> Sure<V::Value> {
        match self.lent()? {
            Some(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            None => visitor.visit_bytes(self.escaped()?.as_bytes()),
        }
    }

    /// Passes over a text, whose quote is the next byte.
    #[inline(always)]
    pub(super) fn pass_string(&mut self) -> Sure<()> {
        if self.lent()?.is_none() {
            self.escaped()?;
        }
        Ok(())
    }

    /// The text as it lies there, if nothing is escaped in it; nothing is read otherwise.
    #[inline(always)]
    fn lent(&mut self) -> Sure<Option<&'de str>> {
        let start = self.at + 1;
        let found = plain(self.bytes, start);
        match self.bytes.get(start + found.len) {
            Some(b'"') => {}
            Some(b'\\') => return Ok(None),
            _ => return Err(Doubt),
        }
        self.at = start + found.len + 1;
        let text = &self.bytes[start..start + found.len];
        if found.is_ascii {
            // SAFETY: ASCII is UTF-8.
            Ok(Some(unsafe { str::from_utf8_unchecked(text) }))
        } else {
            str::from_utf8(text).map(Some).map_err(|_| Doubt)
        }
    }

    /// Reads a text in which something is escaped, from its quote on.
    #[inline(never)]
    fn escaped(&mut self) -> Sure<&str> {
        self.take();
        self.text.clear();
        loop {
            let len = plain(self.bytes, self.at).len;
            self.text
                .extend_from_slice(&self.bytes[self.at..self.at + len]);
            self.at += len;
            match self.peek() {
                Some(b'"') => {
                    self.take();
                    return str::from_utf8(&self.text).map_err(|_| Doubt);
                }
                Some(b'\\') => {
                    self.take();
                    self.escape()?;
                }
                _ => return Err(Doubt),
            }
        }
    }

    /// What a backslash stands for, behind it.
    fn escape(&mut self) -> Sure<()> {
        let byte = self.peek().ok_or(Doubt)?;
        self.take();
        self.text.push(match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let character = self.character()?;
                let utf8 = &mut [0; 4];
                self.text
                    .extend_from_slice(character.encode_utf8(utf8).as_bytes());
                return Ok(());
            }
            _ => return Err(Doubt),
        });
        Ok(())
    }

    /// The character of four digits, or of twice four, behind the `u`.
    fn character(&mut self) -> Sure<char> {
        let first = self.four_digits()?;
        if !(0xd800..0xdc00).contains(&first) {
            // The second half alone is none.
            return char::from_u32(first).ok_or(Doubt);
        }
        self.word(b"\\u")?;
        let second = self.four_digits()?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(Doubt);
        }
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)).ok_or(Doubt)
    }

    fn four_digits(&mut self) -> Sure<u32> {
        let digits: &[u8; 4] = self.rest().first_chunk().ok_or(Doubt)?;
        let mut value = 0;
        for &digit in digits {
            value = value << 4 | char::from(digit).to_digit(16).ok_or(Doubt)?;
        }
        self.at += 4;
        Ok(value)
    }
}
