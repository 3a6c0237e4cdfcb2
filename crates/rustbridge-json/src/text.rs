//! Where plain text ends: at a quote, at a backslash, or at a control character. Sixteen bytes at a time by the vectors that every x86-64 has,
//! eight by arithmetic elsewhere and at the ends.

/// What has been looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    /// How many bytes come before the first that isn't plain, or all.
    pub(crate) len: usize,
    /// Whether none of them was beyond ASCII. It may be false if what comes behind them is.
    pub(crate) is_ascii: bool,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The highest bit of the first byte that isn't plain, and maybe of some behind it.
#[inline(always)]
fn marks(eight: u64) -> u64 {
    let quote = eight ^ (ONES * b'"' as u64);
    let backslash = eight ^ (ONES * b'\\' as u64);
    let control = eight.wrapping_sub(ONES * 0x20);
    // A byte below 1, or below 0x20, borrows; one that had its highest bit before isn't meant.
    ((quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash)
        | (control & !eight))
        & HIGH
}

/// Eight bytes, the first the lowest.
#[inline(always)]
fn eight(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Looks for the end of the plain text that starts at `start`, which isn't beyond the end.
#[inline(always)]
pub(crate) fn plain(bytes: &[u8], start: usize) -> Plain {
    let mut at = start;
    let mut is_ascii = true;
    #[cfg(target_arch = "x86_64")]
    {
        let found = |at: usize, marks: u32, is_ascii| Plain {
            len: at + marks.trailing_zeros() as usize - start,
            is_ascii,
        };
        while let Some(sixteen) = bytes[at..].first_chunk() {
            let (marks, high) = vector::marks(sixteen);
            is_ascii &= high == 0;
            if marks != 0 {
                return found(at, marks, is_ascii);
            }
            at += 16;
        }
        if let Some(sixteen) = bytes.last_chunk() {
            // The last sixteen once more, without those that have been looked at.
            let before = at - (bytes.len() - 16);
            let (marks, high) = vector::marks(sixteen);
            let (marks, high) = (marks >> before, high >> before);
            is_ascii &= high == 0;
            if marks != 0 {
                return found(at, marks, is_ascii);
            }
            return Plain {
                len: bytes.len() - start,
                is_ascii,
            };
        }
    }
    while let Some(eight) = eight(&bytes[at..]) {
        let marks = marks(eight);
        is_ascii &= eight & HIGH == 0;
        if marks != 0 {
            at += marks.trailing_zeros() as usize / 8;
            return Plain {
                len: at - start,
                is_ascii,
            };
        }
        at += 8;
    }
    for &byte in &bytes[at..] {
        if is_special(byte) {
            break;
        }
        is_ascii &= byte < 0x80;
        at += 1;
    }
    Plain {
        len: at - start,
        is_ascii,
    }
}

/// Whether a byte ends plain text.
#[inline(always)]
pub(crate) fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Copies plain text, and gives how many bytes come before the first that isn't plain. So many have been copied; what is behind them may
/// have been written to, too.
///
/// # Safety
/// `to` is valid for writes of as many bytes as there are in `from`, and doesn't overlap with them.
#[inline(always)]
pub(crate) unsafe fn copy_plain(from: &[u8], to: *mut u8) -> usize {
    let len = from.len();
    if let (4..8, Some(first), Some(last)) = (len, from.first_chunk::<4>(), from.last_chunk::<4>())
    {
        let both =
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
        if marks(both) == 0 {
            // SAFETY: four bytes at the start and at the end, which may be some of them twice.
            unsafe {
                to.cast::<[u8; 4]>().write(*first);
                to.add(len - 4).cast::<[u8; 4]>().write(*last);
            }
            return len;
        }
    }
    let mut at = 0;
    #[cfg(target_arch = "x86_64")]
    if len >= 16 {
        // The last step goes back so far that it takes sixteen, too.
        while let Some(sixteen) = from[at..].first_chunk::<16>().or(from.last_chunk()) {
            at = at.min(len - 16);
            // SAFETY: there are sixteen bytes from `at` on in `from`, so there are in `to`.
            unsafe { to.add(at).cast::<[u8; 16]>().write(*sixteen) };
            let (marks, _) = vector::marks(sixteen);
            if marks != 0 {
                return at + marks.trailing_zeros() as usize;
            }
            at += 16;
            if at == len {
                break;
            }
        }
        return len;
    }
    if len >= 8 {
        while let Some(bytes) = from[at..].first_chunk::<8>().or(from.last_chunk()) {
            at = at.min(len - 8);
            // SAFETY: as above, of eight.
            unsafe { to.add(at).cast::<[u8; 8]>().write(*bytes) };
            let marks = marks(u64::from_le_bytes(*bytes));
            if marks != 0 {
                return at + marks.trailing_zeros() as usize / 8;
            }
            at += 8;
            if at == len {
                break;
            }
        }
        return len;
    }
    while at < len {
        let byte = from[at];
        if is_special(byte) {
            break;
        }
        // SAFETY: `at` is less than the length.
        unsafe { to.add(at).write(byte) };
        at += 1;
    }
    at
}

#[cfg(target_arch = "x86_64")]
mod vector {
    //! SSE2, which is part of x86-64.

    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8,
    };

    /// A bit for each byte that isn't plain, and one for each beyond ASCII.
    #[inline(always)]
    pub(super) fn marks(bytes: &[u8; 16]) -> (u32, u32) {
        // SAFETY: SSE2 is there on every x86-64, and sixteen bytes are readable, wherever they lie.
        unsafe {
            let sixteen = _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>());
            let quote = _mm_cmpeq_epi8(sixteen, _mm_set1_epi8(b'"' as i8));
            let backslash = _mm_cmpeq_epi8(sixteen, _mm_set1_epi8(b'\\' as i8));
            // The lesser of the two is the byte itself only up to 0x1f.
            let control = _mm_cmpeq_epi8(_mm_min_epu8(sixteen, _mm_set1_epi8(0x1f)), sixteen);
            let special = _mm_or_si128(_mm_or_si128(quote, backslash), control);
            (
                _mm_movemask_epi8(special) as u32,
                _mm_movemask_epi8(sixteen) as u32,
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_hand(bytes: &[u8]) -> usize {
        bytes
            .iter()
            .position(|byte| is_special(*byte))
            .unwrap_or(bytes.len())
    }

    #[test]
    fn every_byte_is_seen_for_what_it_is_at_every_place() {
        for len in 0..70 {
            for place in 0..len {
                for byte in 0..=255 {
                    let mut bytes = vec![b'a'; len];
                    bytes[place] = byte;
                    let found = plain(&bytes, 0);
                    assert_eq!(found.len, by_hand(&bytes), "{byte} at {place} of {len}");
                    assert_eq!(found.is_ascii, byte < 0x80, "{byte} at {place} of {len}");
                    let behind = plain(&bytes, place + 1);
                    assert_eq!((behind.len, behind.is_ascii), (len - place - 1, true));
                    let mut copy = vec![0_u8; len];
                    // SAFETY: there's room for as many.
                    let copied = unsafe { copy_plain(&bytes, copy.as_mut_ptr()) };
                    assert_eq!(copied, found.len, "{byte} at {place} of {len}");
                    assert_eq!(copy[..copied], bytes[..copied]);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_plain_up_to_the_first_that_is_not(bytes in prop::collection::vec(prop::sample::select(vec![b'a', 0, 0x1f, 0x20, b'"', b'\\', 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']', 0xa2, 0xdc]), 0..40)) {
            let found = plain(&bytes, 0);
            prop_assert_eq!(found.len, by_hand(&bytes));
            if found.is_ascii {
                prop_assert!(bytes[..found.len].is_ascii());
            }
            let mut copy = vec![0_u8; bytes.len()];
            // SAFETY: there's room for as many.
            let copied = unsafe { copy_plain(&bytes, copy.as_mut_ptr()) };
            prop_assert_eq!(copied, found.len);
            prop_assert_eq!(&copy[..copied], &bytes[..copied]);
        }
    }
}
