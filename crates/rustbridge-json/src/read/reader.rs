//! The reader: where it is in the bytes, and what comes next.

use std::fmt::{self, Debug, Display};
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::de::Error;
use serde_json::Number;

/// How many levels serde_json allows.
const MAX_DEPTH: u8 = 127;

/// Whether somebody in this program has serde_json keep numbers as texts, which only it can do. They have nothing to drop otherwise.
const NUMBERS_ARE_TEXTS: bool = mem::needs_drop::<Number>();

/// How often a doubt was shown. Who keeps the text of an error has another value by serde_json, so a [`Reader`] that finds another number at
/// its end doubts all it has read. One for the process is right because a doubt doesn't know its reader; one too many costs time alone.
static SHOWN: AtomicUsize = AtomicUsize::new(0);

/// That the reader hasn't read something. It doesn't say what or why: serde_json is asked for that.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Doubt;

impl Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SHOWN.fetch_add(1, Ordering::Relaxed);
        f.write_str("undecided: serde_json decides")
    }
}

impl Debug for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SHOWN.fetch_add(1, Ordering::Relaxed);
        f.write_str("Doubt")
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
///
/// A doubt is for good, since a type may go on after an error: from then on there's nothing to read, lists and objects have no more parts, and
/// the [`end`](Self::end) isn't reached.
#[derive(Debug)]
pub struct Reader<'de> {
    pub(super) bytes: &'de [u8],
    /// How many bytes have been read, never more than there are.
    pub(super) at: usize,
    depth: u8,
    /// What the last text was that something was escaped in.
    pub(super) text: Vec<u8>,
    doubts: bool,
    /// [`SHOWN`] at the start.
    shown: usize,
}

impl<'de> Reader<'de> {
    /// One at the start of `bytes`.
    #[inline(always)]
    #[must_use]
    pub fn new(bytes: &'de [u8]) -> Reader<'de> {
        Reader {
            bytes: if NUMBERS_ARE_TEXTS { &[] } else { bytes },
            at: 0,
            depth: 0,
            text: Vec::new(),
            doubts: NUMBERS_ARE_TEXTS,
            shown: SHOWN.load(Ordering::Relaxed),
        }
    }

    /// Looks whether nothing is left but white space, and nothing was doubted.
    ///
    /// # Errors
    /// There is something, or was.
    #[inline(always)]
    pub fn end(&mut self) -> Sure<()> {
        self.skip_space();
        let sure = !self.doubts && self.shown == SHOWN.load(Ordering::Relaxed);
        if self.at == self.bytes.len() && sure {
            Ok(())
        } else {
            Err(Doubt)
        }
    }

    /// Whether something was doubted.
    pub(super) fn doubts(&self) -> bool {
        self.doubts
    }

    /// Does what may fail, for good.
    #[inline(always)]
    pub(super) fn surely<T>(&mut self, read: impl FnOnce(&mut Self) -> Sure<T>) -> Sure<T> {
        match read(self) {
            Ok(value) => Ok(value),
            Err(Doubt) => Err(self.doubt()),
        }
    }

    /// From here on it doubts everything.
    #[cold]
    #[inline(never)]
    pub(super) fn doubt(&mut self) -> Doubt {
        self.doubts = true;
        self.bytes = &[];
        self.at = 0;
        Doubt
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
