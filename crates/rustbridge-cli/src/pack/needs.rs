//! What a library for Linux needs, which decides the systems that its wheel is for.

use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn as _, FileHeader as _};
use object::{Endianness, read};

/// The libraries that every system of the `manylinux` tags has.
const COMMON: &[&str] = &[
    "ld-linux-aarch64.so.1",
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
    "libstdc++.so.6",
];

/// The oldest glibc that a tag exists for which every pip reads.
const OLDEST: u32 = 17;

/// The minor version of glibc 2 that a library needs. None if the library needs others than glibc's, so that no such tag is right.
pub(super) fn glibc(bytes: &[u8]) -> Option<u32> {
    let (libraries, versions) = needs(bytes).ok()?;
    if !libraries.iter().all(|name| COMMON.contains(&&**name)) {
        return None;
    }
    let minors = versions
        .iter()
        .filter_map(|version| version.strip_prefix("GLIBC_2."))
        .filter_map(|minor| minor.split('.').next()?.parse().ok());
    Some(minors.max().unwrap_or(OLDEST).max(OLDEST))
}

/// The names of libraries, and the versions of symbols.
fn needs(bytes: &[u8]) -> read::Result<(Vec<String>, Vec<String>)> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let (mut libraries, mut needed) = (Vec::new(), Vec::new());
    if let Some((entries, link)) = sections.dynamic(endian, bytes)? {
        let strings = sections.strings(endian, bytes, link)?;
        for entry in entries {
            if entry.tag(endian) == elf::DT_NEEDED {
                libraries.push(text(entry.string(endian, strings)?));
            }
        }
    }
    if let Some((mut files, link)) = sections.gnu_verneed(endian, bytes)? {
        let strings = sections.strings(endian, bytes, link)?;
        while let Some((_, mut versions)) = files.next()? {
            while let Some(version) = versions.next()? {
                needed.push(text(version.name(endian, strings)?));
            }
        }
    }
    Ok((libraries, needed))
}
