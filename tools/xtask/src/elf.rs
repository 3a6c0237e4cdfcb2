//! What a library for Linux asks of the system that loads it: versions of symbols, and other libraries.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use object::elf::{FileHeader64, SHN_UNDEF, STB_WEAK};
use object::read::elf::{Dyn as _, FileHeader, Sym as _};
use object::{Endianness, elf};

/// What a library names and doesn't have.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Files, as `libc.so.6`.
    pub libraries: BTreeSet<String>,
    /// Versions of symbols, as `GLIBC_2.17`.
    pub versions: BTreeSet<String>,
    /// Symbols of no version that loading fails without: where the library was linked, nothing had them.
    pub unfound: BTreeSet<String>,
}

impl Needs {
    /// # Errors
    /// If the bytes aren't a library for 64-bit ELF systems.
    pub fn of(bytes: &[u8]) -> Result<Needs> {
        let header = FileHeader64::<Endianness>::parse(bytes).context("reading the header")?;
        let endian = header.endian()?;
        let sections = header.sections(endian, bytes)?;
        let mut needs = Needs::default();
        if let Some((entries, link)) = sections.dynamic(endian, bytes)? {
            let strings = sections.strings(endian, bytes, link)?;
            for entry in entries
                .iter()
                .filter(|entry| entry.tag(endian) == elf::DT_NEEDED)
            {
                needs.libraries.insert(text(entry.string(endian, strings)?));
            }
        }
        if let Some((mut files, link)) = sections.gnu_verneed(endian, bytes)? {
            let strings = sections.strings(endian, bytes, link)?;
            while let Some((_, mut versions)) = files.next()? {
                while let Some(version) = versions.next()? {
                    needs.versions.insert(text(version.name(endian, strings)?));
                }
            }
        }
        let symbols = sections.symbols(endian, bytes, elf::SHT_DYNSYM)?;
        let versions = sections.versions(endian, bytes)?;
        for (index, symbol) in symbols.enumerate() {
            if index.0 == 0 || symbol.st_shndx(endian) != SHN_UNDEF || symbol.st_bind() == STB_WEAK
            {
                continue;
            }
            let version = versions
                .as_ref()
                .map(|table| table.version_index(endian, index));
            if version.is_none_or(|version| version.index() <= elf::VER_NDX_GLOBAL) {
                needs
                    .unfound
                    .insert(text(symbol.name(endian, symbols.strings())?));
            }
        }
        Ok(needs)
    }

    /// What keeps the library from loading where glibc is of this version.
    pub fn findings(&self, glibc: [u32; 2]) -> Vec<String> {
        let mut findings: Vec<String> = self
            .versions
            .iter()
            .filter(|version| is_newer(version, glibc))
            .map(|version| format!("it needs {version}"))
            .collect();
        findings.extend(
            self.unfound
                .iter()
                .map(|symbol| format!("glibc {}.{} has no {symbol}", glibc[0], glibc[1])),
        );
        findings
    }
}

/// Whether `GLIBC_2.34` is newer than what is there; versions of other libraries aren't.
fn is_newer(version: &str, glibc: [u32; 2]) -> bool {
    let Some(numbers) = version.strip_prefix("GLIBC_") else {
        return false;
    };
    let numbers: Option<Vec<u32>> = numbers
        .split('.')
        .map(|number| number.parse().ok())
        .collect();
    // `GLIBC_PRIVATE` and the like change with each version.
    numbers.is_none_or(|numbers| numbers[..] > glibc[..])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (version, newer) in [
            ("GLIBC_2.2.5", false),
            ("GLIBC_2.17", false),
            ("GLIBC_2.17.1", true),
            ("GLIBC_2.18", true),
            ("GLIBC_2.34", true),
            ("GLIBC_PRIVATE", true),
            ("GCC_4.2.0", false),
        ] {
            assert_eq!(is_newer(version, [2, 17]), newer, "{version}");
        }
    }

    #[test]
    fn a_symbol_that_nothing_had_is_found_beside_versions_that_are_too_new() {
        let needs = Needs {
            libraries: BTreeSet::new(),
            versions: ["GLIBC_2.34".to_owned(), "GLIBC_2.2.5".to_owned()].into(),
            unfound: ["memfd_create".to_owned()].into(),
        };
        assert_eq!(
            needs.findings([2, 17]),
            ["it needs GLIBC_2.34", "glibc 2.17 has no memfd_create"]
        );
    }

    #[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
    #[test]
    fn this_program_needs_its_c_library() {
        let program = std::env::current_exe().expect("it has a name");
        let bytes = std::fs::read(program).expect("it can be read");
        let needs = Needs::of(&bytes).expect("it's an ELF file");
        assert!(needs.libraries.contains("libc.so.6"), "{needs:?}");
        assert!(
            needs
                .versions
                .iter()
                .any(|version| version.starts_with("GLIBC_2.")),
            "{needs:?}"
        );
        assert!(Needs::of(b"#!/bin/sh").is_err());
    }
}
