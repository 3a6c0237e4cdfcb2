//! The memory layout of metadata: reading and checking it.

use core::fmt;

use crate::RB_METADATA_LIMIT;

/// Reports whether bytes are a valid metadata key: visible ASCII without capitals, at least one byte.
#[must_use]
pub const fn is_metadata_key(key: &[u8]) -> bool {
    let mut at = 0;
    while at < key.len() {
        if !key[at].is_ascii_graphic() || key[at].is_ascii_uppercase() {
            return false;
        }
        at += 1;
    }
    !key.is_empty()
}

/// An iterator over the pairs of [`CallContext::metadata`](crate::CallContext::metadata), and of trailers.
///
/// It's lenient: malformed bytes end it, and a pair with an invalid key is skipped. [`check_metadata`] is strict.
#[derive(Clone, Copy, Debug, Default)]
pub struct MetadataPairs<'a> {
    left: u32,
    rest: &'a [u8],
}

impl<'a> MetadataPairs<'a> {
    /// Iterates over the pairs of `bytes`; there are none if that's empty.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> MetadataPairs<'a> {
        let mut rest = bytes;
        MetadataPairs {
            left: number(&mut rest).unwrap_or(0),
            rest,
        }
    }

    /// Returns the next pair, whatever its key. `None` if there is no complete one.
    fn pair(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        self.left = self.left.checked_sub(1)?;
        let rest = &mut self.rest;
        let (key, value) = (number(rest)?, number(rest)?);
        Some((taken(rest, key)?, taken(rest, value)?))
    }
}

impl<'a> Iterator for MetadataPairs<'a> {
    type Item = (&'a str, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (key, value) = self.pair()?;
            if is_metadata_key(key) {
                return Some((core::str::from_utf8(key).ok()?, value));
            }
        }
    }
}

fn number(bytes: &mut &[u8]) -> Option<u32> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u32::from_ne_bytes(*number))
}

fn taken<'a>(bytes: &mut &'a [u8], len: u32) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(len as usize)?;
    *bytes = rest;
    Some(taken)
}

/// A defect of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataProblem {
    /// It has this many bytes, more than [`RB_METADATA_LIMIT`].
    TooLong(usize),
    /// It ends in the middle of this pair, counted from 0.
    Ends(u32),
    /// The key of this pair is invalid.
    Key(u32),
    /// This many bytes follow the last pair.
    Rest(usize),
}

impl fmt::Display for MetadataProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MetadataProblem::TooLong(len) => {
                write!(f, "{len} bytes long, and may be {RB_METADATA_LIMIT}")
            }
            MetadataProblem::Ends(pair) => write!(f, "truncated in pair {pair}"),
            MetadataProblem::Key(pair) => write!(
                f,
                "wrong in the key of pair {pair}: keys are visible ASCII without capitals, and not empty"
            ),
            MetadataProblem::Rest(len) => {
                write!(f, "followed by {len} bytes more than its pairs have")
            }
        }
    }
}

/// Checks the layout of metadata. No bytes at all are valid.
pub fn check_metadata(bytes: &[u8]) -> Result<(), MetadataProblem> {
    if bytes.len() > RB_METADATA_LIMIT {
        return Err(MetadataProblem::TooLong(bytes.len()));
    }
    if bytes.is_empty() {
        return Ok(());
    }
    let mut rest = bytes;
    let count = number(&mut rest).ok_or(MetadataProblem::Ends(0))?;
    let mut pairs = MetadataPairs { left: count, rest };
    // Ends at the first pair that isn't whole, so a count that was made up costs nothing.
    for pair in 0..count {
        let (key, _) = pairs.pair().ok_or(MetadataProblem::Ends(pair))?;
        if !is_metadata_key(key) {
            return Err(MetadataProblem::Key(pair));
        }
    }
    if pairs.rest.is_empty() {
        Ok(())
    } else {
        Err(MetadataProblem::Rest(pairs.rest.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a: 1`, `b-bin: <ff>`, by hand.
    fn two(buffer: &mut [u8; 64]) -> &[u8] {
        let mut len = 0;
        let mut put = |bytes: &[u8]| {
            buffer[len..len + bytes.len()].copy_from_slice(bytes);
            len += bytes.len();
        };
        put(&2_u32.to_ne_bytes());
        for (key, value) in [(&b"a"[..], &b"1"[..]), (b"b-bin", &[0xff])] {
            put(&(key.len() as u32).to_ne_bytes());
            put(&(value.len() as u32).to_ne_bytes());
            put(key);
            put(value);
        }
        &buffer[..len]
    }

    #[test]
    fn pairs_come_in_their_order_and_what_is_cut_off_ends_them() {
        let mut buffer = [0; 64];
        let bytes = two(&mut buffer);
        assert_eq!(check_metadata(bytes), Ok(()));
        let mut pairs = MetadataPairs::new(bytes);
        assert_eq!(pairs.next(), Some(("a", &b"1"[..])));
        assert_eq!(pairs.next(), Some(("b-bin", &[0xff][..])));
        assert_eq!(pairs.next(), None);
        for len in 1..bytes.len() {
            let problem = check_metadata(&bytes[..len]).unwrap_err();
            assert!(matches!(problem, MetadataProblem::Ends(_)), "{problem}");
            assert!(MetadataPairs::new(&bytes[..len]).count() < 2);
        }
    }

    #[test]
    fn what_cannot_be_is_named_and_read_without_it() {
        let mut buffer = [0; 64];
        let len = two(&mut buffer).len();
        assert_eq!(
            check_metadata(&buffer[..=len]),
            Err(MetadataProblem::Rest(1))
        );
        // The key of the first pair.
        buffer[12] = b'A';
        assert_eq!(check_metadata(&buffer[..len]), Err(MetadataProblem::Key(0)));
        assert_eq!(MetadataPairs::new(&buffer[..len]).count(), 1);
        buffer[..4].copy_from_slice(&u32::MAX.to_ne_bytes());
        buffer[12] = b'a';
        assert_eq!(
            check_metadata(&buffer[..len]),
            Err(MetadataProblem::Ends(2))
        );
        buffer[4..8].copy_from_slice(&u32::MAX.to_ne_bytes());
        assert_eq!(
            check_metadata(&buffer[..len]),
            Err(MetadataProblem::Ends(0))
        );
        let long = [0; RB_METADATA_LIMIT + 1];
        assert_eq!(
            check_metadata(&long),
            Err(MetadataProblem::TooLong(RB_METADATA_LIMIT + 1))
        );
        assert_eq!(check_metadata(&[]), Ok(()));
        for key in [&b""[..], b"Key", b"a b", b"a\n", "\u{e4}".as_bytes()] {
            assert!(!is_metadata_key(key));
        }
    }
}
