//! Blobs of any size as parts of one that is shared.

use std::sync::LazyLock;

use rustbridge::Bytes;

/// The largest blob there is, in bytes.
pub const LARGEST_BLOB: usize = 16 << 20;

/// What every blob is the beginning of: byte `i` is `i` mod 251, so that a shifted copy shows. Immutable, so right with
/// any number of instances and threads.
static CACHE: LazyLock<Bytes> = LazyLock::new(|| {
    let pattern: Vec<u8> = (0..251).collect();
    let bytes: Vec<u8> = pattern.into_iter().cycle().take(LARGEST_BLOB).collect();
    bytes.into()
});

/// That many bytes of the cache, shared and not copied; nothing above [`LARGEST_BLOB`].
#[must_use]
pub fn blob(size: u32) -> Option<Bytes> {
    let size = usize::try_from(size).ok()?;
    (size <= LARGEST_BLOB).then(|| CACHE.slice(..size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blobs_are_the_beginning_of_one_cache() {
        let (small, large) = (blob(1 << 10).unwrap(), blob(16 << 20).unwrap());
        assert_eq!((small.len(), large.len()), (1 << 10, 16 << 20));
        assert_eq!(small.as_ptr(), large.as_ptr());
        assert_eq!((large[250], large[251], large[252]), (250, 0, 1));
        assert_eq!(blob((16 << 20) + 1), None);
    }
}
