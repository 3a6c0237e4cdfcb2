//! A glance at a file, which tells whether it may be one whose content is mapped.

use std::fs::File;

use xxhash_rust::xxh3::Xxh3;

/// How much is looked at, from either end: the headers with what the linker says of the build, and what comes last.
const END: usize = 4096;

/// What equal contents have in common. Others may have it, too, so it says only how to read a file: one that may be known is
/// read to be compared, any other one to be mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glance {
    size: u64,
    ends: u64,
}

impl Glance {
    pub(super) fn of(bytes: &[u8]) -> Glance {
        let end = bytes.len().min(END);
        Glance::of_ends(
            bytes.len() as u64,
            &bytes[..end],
            &bytes[bytes.len() - end..],
        )
    }

    /// Of a file of this size. `None` if it can't be told, or not without moving to another place in the file.
    pub(super) fn of_file(file: &File, size: u64) -> Option<Glance> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileExt;
            let end = usize::try_from(size).unwrap_or(END).min(END);
            let mut ends = [[0; END]; 2];
            let [first, last] = &mut ends;
            let (first, last) = (&mut first[..end], &mut last[..end]);
            file.read_exact_at(first, 0).ok()?;
            file.read_exact_at(last, size - end as u64).ok()?;
            Some(Glance::of_ends(size, first, last))
        }
        #[cfg(not(unix))]
        {
            let _ = (file, size);
            None
        }
    }

    fn of_ends(size: u64, first: &[u8], last: &[u8]) -> Glance {
        let mut hash = Xxh3::new();
        hash.update(first);
        hash.update(last);
        let ends = hash.digest();
        Glance { size, ends }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_its_bytes_look_the_same_and_others_differ_at_their_ends() {
        let path = std::env::temp_dir().join(format!("rb-test-glance-{}", std::process::id()));
        for len in [0, 1, END - 1, END, END + 1, 3 * END] {
            let mut bytes: Vec<u8> = (0..len).map(|at| (at * 7 % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            let file = File::open(&path).unwrap();
            let glance = Glance::of_file(&file, len as u64);
            assert_eq!(glance, Some(Glance::of(&bytes)));
            for at in [0, len.saturating_sub(1)] {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1;
                    assert_ne!(glance, Some(Glance::of(&bytes)), "{len}");
                    bytes[at] ^= 1;
                }
            }
            // A file that became shorter meanwhile.
            assert_eq!(Glance::of_file(&file, len as u64 + 1), None);
        }
        std::fs::remove_file(path).unwrap();
    }
}
