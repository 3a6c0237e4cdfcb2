//! Looks at a library's bytes before the system's loader does.
//!
//! The loader runs a library's initialisers before we could ask it anything, and maps a file without looking whether
//! all of it is there, so that a truncated one kills the process later. So whatever can be told from the bytes is
//! told from the bytes, and no code of a wrong file ever runs.

use object::read::NameOrOrdinal;
use object::read::macho::{FatArch, MachOFatFile32, MachOFatFile64};
use object::{Architecture, BinaryFormat, FileKind, Object, ObjectKind, ObjectSegment};
use rustbridge_abi::{ENTRY_POINT, Status};

use crate::error::Error;

/// What a library must be to be loaded into this process.
const FORMAT: BinaryFormat = if cfg!(windows) {
    BinaryFormat::Pe
} else if cfg!(target_vendor = "apple") {
    BinaryFormat::MachO
} else {
    BinaryFormat::Elf
};

const ARCHITECTURE: Option<Architecture> = if cfg!(target_arch = "x86_64") {
    Some(Architecture::X86_64)
} else if cfg!(target_arch = "aarch64") {
    Some(Architecture::Aarch64)
} else if cfg!(target_arch = "riscv64") {
    Some(Architecture::Riscv64)
} else if cfg!(target_arch = "powerpc64") {
    Some(Architecture::PowerPc64)
} else if cfg!(target_arch = "s390x") {
    Some(Architecture::S390x)
} else if cfg!(target_arch = "loongarch64") {
    Some(Architecture::LoongArch64)
} else {
    None
};

pub(super) fn is_for_this_processor(architecture: Architecture) -> bool {
    ARCHITECTURE == Some(architecture)
}

fn not_a_library(source: &str, found: impl std::fmt::Display) -> Error {
    Error::new(
        Status::InvalidArgument,
        "NotALibrary",
        format!(
            "{source} is not a shared library: {found}; plugins are {} libraries here (`cargo build` of a crate with crate-type = [\"cdylib\"])",
            format_name(FORMAT)
        ),
    )
}

fn truncated(source: &str, what: impl std::fmt::Display, length: usize) -> Error {
    Error::new(
        Status::InvalidArgument,
        "Truncated",
        format!(
            "{source} is truncated or damaged: {what}, but there are {length} bytes; copy or build the library again"
        ),
    )
}

fn other_platform(source: &str, found: impl std::fmt::Display) -> Error {
    Error::new(
        Status::FailedPrecondition,
        "OtherPlatform",
        format!(
            "{source} is a library for {found}, this process is {} on {}: use the plugin's build for this platform",
            format_name(FORMAT),
            std::env::consts::ARCH
        ),
    )
}

/// Checks whether a library's bytes could be loaded into this process as a plugin, without running or mapping it.
///
/// [`Load`](crate::Load) makes the same check. It doesn't check whether the libraries that it depends on are present,
/// and whether it supports this host's ABI.
///
/// ```
/// use rustbridge_core::{Status, check_image};
///
/// let error = check_image(b"#!/bin/sh").unwrap_err();
/// assert_eq!(error.status(), Status::InvalidArgument);
/// assert!(error.message().contains("script"));
/// ```
///
/// # Errors
/// As for loading: `INVALID_ARGUMENT` for what is no library, is truncated or no plugin, `FAILED_PRECONDITION` for a
/// library for another system or processor.
pub fn check_image(bytes: &[u8]) -> Result<(), Error> {
    check(bytes, "the image")
}

/// Refuses bytes that aren't a plugin library for this process. `source` says in messages where they come from.
pub(crate) fn check(bytes: &[u8], source: &str) -> Result<(), Error> {
    if bytes.is_empty() {
        return Err(not_a_library(source, "it is empty"));
    }
    let kind =
        FileKind::parse(bytes).map_err(|_| not_a_library(source, describe_unknown(bytes)))?;
    match kind {
        FileKind::MachOFat32 => {
            let fat = MachOFatFile32::parse(bytes)
                .map_err(|error| truncated(source, error, bytes.len()))?;
            check_slices(bytes, fat.arches(), source)
        }
        FileKind::MachOFat64 => {
            let fat = MachOFatFile64::parse(bytes)
                .map_err(|error| truncated(source, error, bytes.len()))?;
            check_slices(bytes, fat.arches(), source)
        }
        FileKind::Elf64 | FileKind::MachO64 | FileKind::Pe64 => check_native(bytes, source),
        FileKind::Elf32 => Err(other_platform(source, "a 32-bit ELF system")),
        FileKind::MachO32 => Err(other_platform(source, "32-bit macOS")),
        FileKind::Pe32 => Err(other_platform(source, "32-bit Windows")),
        other => Err(not_a_library(source, format_args!("it is {other:?}"))),
    }
}

fn check_slices<F: FatArch>(bytes: &[u8], slices: &[F], source: &str) -> Result<(), Error> {
    if FORMAT != BinaryFormat::MachO {
        return Err(other_platform(source, "macOS"));
    }
    let Some(slice) = slices
        .iter()
        .find(|slice| is_for_this_processor(slice.architecture()))
    else {
        return Err(other_platform(
            source,
            "other processors (a universal binary without this one's)",
        ));
    };
    let data = slice
        .data(bytes)
        .map_err(|error| truncated(source, error, bytes.len()))?;
    check_native(data, source)
}

fn check_native(bytes: &[u8], source: &str) -> Result<(), Error> {
    let damaged = |error: object::Error| truncated(source, error, bytes.len());
    // The headers of another system are read before the rest, which need not be as this system has it.
    let file = object::File::parse(bytes).map_err(|error| match FileKind::parse(bytes) {
        Ok(FileKind::Elf64) if FORMAT != BinaryFormat::Elf => other_platform(source, "ELF"),
        Ok(FileKind::MachO64) if FORMAT != BinaryFormat::MachO => other_platform(source, "macOS"),
        Ok(FileKind::Pe64) if FORMAT != BinaryFormat::Pe => other_platform(source, "Windows"),
        _ => damaged(error),
    })?;
    if file.format() != FORMAT {
        return Err(other_platform(
            source,
            format_args!(
                "{} on {:?}",
                format_name(file.format()),
                file.architecture()
            ),
        ));
    }
    if ARCHITECTURE.is_some_and(|expected| file.architecture() != expected)
        || file.is_little_endian() != cfg!(target_endian = "little")
    {
        return Err(other_platform(
            source,
            format_args!("{:?} processors", file.architecture()),
        ));
    }
    if file.kind() != ObjectKind::Dynamic {
        let found = match file.kind() {
            ObjectKind::Executable => "it is a program",
            ObjectKind::Relocatable => "it is an object file that was not linked yet",
            ObjectKind::Core => "it is a core dump",
            _ => "it is of another kind",
        };
        return Err(not_a_library(source, found));
    }
    for segment in file.segments() {
        let (offset, size) = segment.file_range();
        let end = offset.checked_add(size);
        if end.is_none_or(|end| end > bytes.len() as u64) {
            return Err(truncated(
                source,
                format_args!("a segment needs {size} bytes from byte {offset} on"),
                bytes.len(),
            ));
        }
    }
    match &file {
        object::File::Elf64(elf) => check_section_headers(elf, bytes, source)?,
        object::File::Pe64(pe) => check_raw_data(pe, bytes, source)?,
        _ => {}
    }
    if exports_entry_point(&file, bytes).map_err(damaged)? {
        Ok(())
    } else {
        Err(Error::new(
            Status::InvalidArgument,
            "NotAPlugin",
            format!(
                "{source} is a library but not a rustbridge plugin: it doesn't export `{}`; put #[plugin] on the impl block of a type in it and build it with crate-type = [\"cdylib\"]",
                ENTRY_POINT.to_string_lossy()
            ),
        ))
    }
}

/// The table of sections is the last thing in an ELF file. The loader doesn't need it, but where it's cut off the file is.
fn check_section_headers(
    elf: &object::read::elf::ElfFile64<'_>,
    bytes: &[u8],
    source: &str,
) -> Result<(), Error> {
    use object::read::elf::FileHeader;
    let endian = elf.endian();
    let header = elf.elf_header();
    let offset = header.e_shoff(endian);
    let size = u64::from(header.e_shnum(endian)) * u64::from(header.e_shentsize(endian));
    if offset != 0
        && offset
            .checked_add(size)
            .is_none_or(|end| end > bytes.len() as u64)
    {
        return Err(truncated(
            source,
            format_args!("its table of sections needs {size} bytes from byte {offset} on"),
            bytes.len(),
        ));
    }
    Ok(())
}

/// Windows counts what a section has in the file in whole blocks, padding included, and refuses a file that ends before.
/// Symbols and a signature come after the sections. The loader needs neither, but where they are cut off the file is.
fn check_raw_data(
    pe: &object::read::pe::PeFile64<'_>,
    bytes: &[u8],
    source: &str,
) -> Result<(), Error> {
    let endian = object::LittleEndian;
    let check = |what: &str, offset: u64, size: u64| {
        let end = offset + size;
        if size == 0 || end <= bytes.len() as u64 {
            return Ok(());
        }
        Err(truncated(
            source,
            format_args!("{what} needs {size} bytes from byte {offset} on"),
            bytes.len(),
        ))
    };
    for section in pe.section_table().iter() {
        let offset = section.pointer_to_raw_data.get(endian).into();
        check(
            "a section",
            offset,
            section.size_of_raw_data.get(endian).into(),
        )?;
    }
    let header = &pe.nt_headers().file_header;
    let symbols = u64::from(header.pointer_to_symbol_table.get(endian));
    let count = u64::from(header.number_of_symbols.get(endian));
    if symbols != 0 && count != 0 {
        let size = count * object::pe::IMAGE_SIZEOF_SYMBOL as u64;
        // The strings follow, and their first four bytes say how long they are.
        check("its symbol table", symbols, size + 4)?;
        let at = usize::try_from(symbols + size).unwrap_or(usize::MAX);
        let len = bytes
            .get(at..)
            .and_then(|rest| rest.first_chunk())
            .map_or(0, |len| u32::from_le_bytes(*len));
        check("its string table", symbols + size, len.into())?;
    }
    let signature = pe
        .data_directories()
        .get(object::pe::IMAGE_DIRECTORY_ENTRY_SECURITY);
    if let Some(signature) = signature {
        // The one directory whose address is a place in the file.
        let offset = signature.virtual_address.get(endian).into();
        check("its signature", offset, signature.size.get(endian).into())?;
    }
    Ok(())
}

fn exports_entry_point(file: &object::File<'_>, bytes: &[u8]) -> Result<bool, object::Error> {
    let name = ENTRY_POINT.to_bytes();
    // Mach-O puts an underscore before every C name.
    let is_ours = |export: &[u8]| {
        export == name || (FORMAT == BinaryFormat::MachO && export.strip_prefix(b"_") == Some(name))
    };
    if let object::File::Elf64(elf) = file
        && elf.elf_section_table().is_empty()
    {
        // Sections may be stripped from a library that works. What is left to look at is whether the name is there
        // at all; whether it is exported is seen when it's looked up.
        return Ok(bytes
            .windows(name.len() + 1)
            .any(|window| &window[..name.len()] == name && window[name.len()] == 0));
    }
    for export in file.exports()? {
        if let NameOrOrdinal::Name(export) = export?.name()
            && is_ours(export)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn format_name(format: BinaryFormat) -> &'static str {
    match format {
        BinaryFormat::Elf => "ELF",
        BinaryFormat::MachO => "Mach-O",
        BinaryFormat::Pe => "PE (DLL)",
        _ => "unknown",
    }
}

/// Guesses what the bytes are, for the most common mistakes.
fn describe_unknown(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"#!") {
        "it is a script"
    } else if bytes.starts_with(b"!<arch>\n") {
        "it is a static library"
    } else if bytes.starts_with(b"PK\x03\x04") {
        "it is a zip archive; unpack the library from it"
    } else if bytes.starts_with(b"\x1f\x8b") {
        "it is gzip-compressed; unpack it"
    } else if bytes.len() < 64 && (b"\x7fELF".starts_with(&bytes[..bytes.len().min(4)])) {
        "it ends within its header"
    } else if bytes.is_ascii() {
        "it is text"
    } else {
        "its first bytes don't belong to any kind of library"
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A real program of this system, to be damaged.
    fn real() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            prop_assert!(check(&bytes, "x").is_err());
        }

        #[test]
        fn bytes_that_begin_like_a_library_get_an_answer(
            magic in prop::sample::select(vec![
                &b"\x7fELF\x02\x01\x01"[..], b"\x7fELF\x01", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf",
            ]),
            bytes in prop::collection::vec(any::<u8>(), 0..2000),
        ) {
            let bytes = [magic, &bytes].concat();
            prop_assert!(check(&bytes, "x").is_err());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_damaged_library_gets_an_answer(
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
            headers_only in any::<bool>(),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut bytes = real();
            let reach = if headers_only { 1024 } else { bytes.len() };
            for (place, value) in damage {
                bytes[place.index(reach)] = value;
            }
            let _ = check(&bytes, "x");
            let _ = check(&bytes[..cut.index(bytes.len())], "x");
        }
    }
}
