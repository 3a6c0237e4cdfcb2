//! The reader: where it is in the bytes, and what comes next.

use std::fmt::{self, Display};

use serde::de::Error;
use serde_json::Number;

/// How many levels serde_json allows.
const MAX_DEPTH: u8 = 127;

/// Whether somebody in this program has serde_json keep numbers as texts, which only it can do. Its numbers have 16 bytes otherwise.
const NUMBERS_ARE_TEXTS: bool = size_of::<Number>() != 16;

/// That the reader hasn't read something. It doesn't say what or why: serde_json is asked for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt;

impl Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what serde_json has to decide")
    }
}

impl std::error::Error for Doubt {}

impl Error for Doubt {
    #[inline(always)]
    fn custom<T: Display>(_: T) -> Doubt {
        Doubt
    }
}

pub(super) type Sure<T> = Result<T, Doubt>;

/// Reads JSON from bytes.
#[derive(Debug)]
pub struct Reader<'de> {
    pub(super) bytes: &'de [u8],
    /// How many bytes have been read, never more than there are.
    pub(super) at: usize,
    depth: u8,
}

impl<'de> Reader<'de> {
    /// One at the start of `bytes`.
    #[inline(always)]
    #[must_use]
    pub fn new(bytes: &'de [u8]) -> Reader<'de> {
        Reader {
            // Without bytes it has doubts about anything.
            bytes: if NUMBERS_ARE_TEXTS { &[] } else { bytes },
            at: 0,
            depth: 0,
        }
    }

    /// Looks whether nothing is left but white space.
    ///
    /// # Errors
    /// There is something.
    #[inline(always)]
    pub fn end(&mut self) -> Sure<()> {
        self.skip_space();
        if self.at == self.bytes.len() && !NUMBERS_ARE_TEXTS {
            Ok(())
        } else {
            Err(Doubt)
        }
    }

    #[inline(always)]
    pub(super) fn rest(&self) -> &'de [u8] {
        &self.bytes[self.at..]
    }

    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Takes the byte that was seen by [`peek`](Self::peek).
    #[inline(always)]
    pub(super) fn take(&mut self) {
        debug_assert!(self.at < self.bytes.len());
        self.at += 1;
    }

    #[inline(always)]
    pub(super) fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// The next byte that isn't white space, which isn't taken.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Sure<u8> {
        match self.peek() {
            Some(byte) if byte > b' ' => Ok(byte),
            None => Err(Doubt),
            Some(_) => self.next_behind_space(),
        }
    }

    #[inline(never)]
    fn next_behind_space(&mut self) -> Sure<u8> {
        self.skip_space();
        self.peek().ok_or(Doubt)
    }

    /// Takes this byte, and the white space before it.
    #[inline(always)]
    pub(super) fn expect(&mut self, wanted: u8) -> Sure<()> {
        if self.next()? == wanted {
            self.take();
            Ok(())
        } else {
            Err(Doubt)
        }
    }

    #[inline(always)]
    pub(super) fn word(&mut self, word: &[u8]) -> Sure<()> {
        if self.rest().starts_with(word) {
            self.at += word.len();
            Ok(())
        } else {
            Err(Doubt)
        }
    }

    /// One level further down, whose bracket is the next byte.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> Sure<()> {
        self.take();
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            Ok(())
        } else {
            Err(Doubt)
        }
    }

    #[inline(always)]
    pub(super) fn leave(&mut self, bracket: u8) -> Sure<()> {
        self.depth -= 1;
        self.expect(bracket)
    }
}
