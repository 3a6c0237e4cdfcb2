//! How much of each thread's memory the loader has to find for the library, out of the little that glibc keeps.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use object::read::elf::{ElfFile64, ProgramHeader};
use object::{Endianness, elf};

use crate::support;

/// The pointer that a call reads takes 8 bytes, but what is at a fixed place is a library's block as a whole, with all that
/// the standard library keeps for each thread. glibc has some 1.7 kB for such blocks.
const MOST: u64 = 256;

#[test]
fn the_library_takes_little_of_what_threads_have_for_late_libraries() {
    let bytes = std::fs::read(support::librustbridge()).unwrap();
    let file = ElfFile64::<Endianness>::parse(&bytes[..]).unwrap();
    let endian = file.endian();
    let sizes: Vec<u64> = file
        .elf_program_headers()
        .iter()
        .filter(|segment| segment.p_type(endian) == elf::PT_TLS)
        .map(|segment| segment.p_memsz(endian))
        .collect();
    assert_eq!(sizes.len(), 1, "a library has one block");
    assert!((8..=MOST).contains(&sizes[0]), "{} bytes", sizes[0]);
}
