//! What a library says of the libraries that it needs, and whether it looks for them in its own folder.

use std::path::{Path, PathBuf};

use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::read::macho::{
    FatArch, LoadCommandVariant, MachHeader, MachOFatFile32, MachOFatFile64,
};
use object::{FileKind, elf, macho};

use super::image::is_for_this_processor;

/// The most that is read of either; no library needs as many, and a damaged one may name one thing a million times.
const MOST: usize = 1000;
/// The longest list of folders that is read.
const LONGEST: usize = 1 << 16;

/// What a library's own header tells its loader.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// The libraries it needs, as it names them.
    libraries: Vec<String>,
    /// The folders to look in before the system's, as it names them.
    folders: Vec<String>,
}

impl Needs {
    /// Reads them from a library that was checked. What can't be read isn't there: the loader is asked next.
    pub(crate) fn of(bytes: &[u8]) -> Needs {
        read(bytes).unwrap_or_default()
    }

    /// Whether it looks in the folder that it lies in. Then it has to lie there.
    pub(crate) fn look_beside(&self) -> bool {
        self.libraries
            .iter()
            .chain(&self.folders)
            .any(|named| OWN_FOLDER.iter().any(|own| named.contains(own)))
    }

    /// The folders to look in, for a library that lies in `home`.
    #[cfg_attr(
        windows,
        allow(
            dead_code,
            reason = "the loader is given the folder, and names no library"
        )
    )]
    pub(crate) fn folders(&self, home: &Path) -> Vec<PathBuf> {
        let home = home.to_string_lossy();
        let expand = |folder: &String| {
            let expanded = OWN_FOLDER
                .iter()
                .fold(folder.clone(), |folder, own| folder.replace(own, &home));
            PathBuf::from(expanded)
        };
        self.folders.iter().map(expand).collect()
    }

    /// The first of the libraries that a text names, as a loader's refusal does.
    #[cfg_attr(
        windows,
        allow(
            dead_code,
            reason = "the loader is given the folder, and names no library"
        )
    )]
    pub(crate) fn named_in<'a>(&'a self, text: &str) -> Option<&'a str> {
        let named = self.libraries.iter().find(|name| text.contains(*name));
        named.map(String::as_str)
    }

    fn add(list: &mut Vec<String>, name: &[u8]) {
        if list.len() < MOST && !name.is_empty() {
            list.push(String::from_utf8_lossy(name).into_owned());
        }
    }
}

/// How the folder that a library lies in is written, in ELF and in Mach-O. What `@rpath` stands for is in a list of folders.
const OWN_FOLDER: [&str; 3] = ["$ORIGIN", "${ORIGIN}", "@loader_path"];

fn read(bytes: &[u8]) -> Option<Needs> {
    match FileKind::parse(bytes).ok()? {
        FileKind::Elf64 => of_elf(bytes),
        FileKind::MachO64 => of_macho(bytes),
        FileKind::MachOFat32 => of_slice(bytes, MachOFatFile32::parse(bytes).ok()?.arches()),
        FileKind::MachOFat64 => of_slice(bytes, MachOFatFile64::parse(bytes).ok()?.arches()),
        _ => None,
    }
}

/// Read as the loader does, by segments: sections may be stripped.
fn of_elf(bytes: &[u8]) -> Option<Needs> {
    let header = elf::FileHeader64::<object::Endianness>::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, bytes).ok()?;
    let dynamic = segments
        .iter()
        .find_map(|segment| segment.dynamic(endian, bytes).ok().flatten())?;
    let entries = || {
        dynamic
            .iter()
            .map(|entry| (entry.d_tag(endian), entry.d_val(endian)))
            .take_while(|(tag, _)| *tag != elf::DT_NULL)
    };
    let value = |wanted| entries().find_map(|(tag, value)| (tag == wanted).then_some(value));
    let [address, size] = [value(elf::DT_STRTAB)?, value(elf::DT_STRSZ)?];
    let strings = segments
        .iter()
        .filter(|segment| segment.p_type(endian) == elf::PT_LOAD)
        .find_map(|segment| {
            segment
                .data_range(endian, bytes, address, size)
                .ok()
                .flatten()
        })?;
    let string = |at: u64| {
        let rest = strings.get(usize::try_from(at).ok()?..)?;
        rest[..rest.len().min(LONGEST)]
            .split(|&byte| byte == 0)
            .next()
    };
    // The newer of the two switches the older off.
    let path = value(elf::DT_RUNPATH).or_else(|| value(elf::DT_RPATH));
    let mut needs = Needs::default();
    for folder in path
        .and_then(string)
        .into_iter()
        .flat_map(|path| path.split(|&byte| byte == b':'))
    {
        Needs::add(&mut needs.folders, folder);
    }
    for (_, at) in entries()
        .filter(|(tag, _)| *tag == elf::DT_NEEDED)
        .take(MOST)
    {
        Needs::add(&mut needs.libraries, string(at).unwrap_or_default());
    }
    Some(needs)
}

fn of_slice<F: FatArch>(bytes: &[u8], slices: &[F]) -> Option<Needs> {
    let slice = slices
        .iter()
        .find(|slice| is_for_this_processor(slice.architecture()))?;
    of_macho(slice.data(bytes).ok()?)
}

fn of_macho(bytes: &[u8]) -> Option<Needs> {
    let header = macho::MachHeader64::<object::Endianness>::parse(bytes, 0).ok()?;
    let endian = header.endian().ok()?;
    let mut commands = header.load_commands(endian, bytes, 0).ok()?;
    let mut needs = Needs::default();
    while let Ok(Some(command)) = commands.next() {
        match command.variant() {
            Ok(LoadCommandVariant::Rpath(rpath)) => {
                let folder = command.string(endian, rpath.path).unwrap_or_default();
                Needs::add(&mut needs.folders, folder);
            }
            // The library's own name is of the same type.
            Ok(LoadCommandVariant::Dylib(dylib)) if command.cmd() != macho::LC_ID_DYLIB => {
                let name = command.string(endian, dylib.dylib.name).unwrap_or_default();
                Needs::add(&mut needs.libraries, name);
            }
            _ => {}
        }
    }
    Some(needs)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The header of a Mach-O library with these commands, each a number, what stands before its string, and the string.
    fn macho(commands: &[(u32, usize, &str)]) -> Vec<u8> {
        let mut body = Vec::new();
        for (number, before, string) in commands {
            let size = (8 + before + string.len() + 1).next_multiple_of(8);
            let mut command = vec![0; size];
            command[..4].copy_from_slice(&number.to_le_bytes());
            command[4..8].copy_from_slice(&(size as u32).to_le_bytes());
            command[8..12].copy_from_slice(&(8 + *before as u32).to_le_bytes());
            command[8 + before..8 + before + string.len()].copy_from_slice(string.as_bytes());
            body.extend(command);
        }
        let header = [
            0xfeed_facf,
            0x0100_000c,
            0,
            6,
            commands.len() as u32,
            body.len() as u32,
            0,
            0,
        ];
        let mut bytes: Vec<u8> = header.into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.extend(body);
        bytes
    }

    const RPATH: u32 = 0x8000_001c;
    const LOAD: u32 = 0xc;
    const ID: u32 = 0xd;

    #[test]
    fn a_macho_library_that_looks_in_its_own_folder_is_known() {
        let by_folder = Needs::of(&macho(&[
            (ID, 16, "@rpath/libplugin.dylib"),
            (LOAD, 16, "@rpath/libsibling.dylib"),
            (RPATH, 4, "@loader_path/lib"),
        ]));
        assert_eq!(by_folder.libraries, ["@rpath/libsibling.dylib"]);
        assert!(by_folder.look_beside());
        let home = Path::new("/plugins");
        assert_eq!(by_folder.folders(home), [Path::new("/plugins/lib")]);
        let by_name = Needs::of(&macho(&[(LOAD, 16, "@loader_path/libsibling.dylib")]));
        assert!(by_name.look_beside());
        let elsewhere = Needs::of(&macho(&[
            (ID, 16, "@loader_path/libplugin.dylib"),
            (LOAD, 16, "/usr/lib/libSystem.B.dylib"),
            (RPATH, 4, "/opt/lib"),
        ]));
        assert!(!elsewhere.look_beside());
        assert_eq!(elsewhere.folders(home), [Path::new("/opt/lib")]);
    }

    #[test]
    fn a_truncated_header_needs_nothing_more() {
        let whole = macho(&[
            (RPATH, 4, "@loader_path/lib"),
            (LOAD, 16, "@rpath/libsibling.dylib"),
        ]);
        for len in 0..whole.len() {
            let needs = Needs::of(&whole[..len]);
            assert!(needs.libraries.len() + needs.folders.len() < 2, "{len}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_of_this_system_needs_its_c_library() {
        let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let needs = Needs::of(&bytes);
        assert_eq!(
            needs.named_in("no libc.so.6 here"),
            cfg!(target_env = "gnu").then_some("libc.so.6")
        );
        assert!(!needs.look_beside());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_damaged_library_gets_an_answer(
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
            headers_only in any::<bool>(),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
            let reach = if headers_only { 1024 } else { bytes.len() };
            for (place, value) in damage {
                bytes[place.index(reach)] = value;
            }
            for bytes in [&bytes, &bytes[..cut.index(bytes.len())]] {
                let needs = Needs::of(bytes);
                prop_assert!(needs.libraries.len() <= MOST && needs.folders.len() <= MOST);
            }
        }

        #[test]
        fn a_damaged_macho_library_gets_an_answer(
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..10),
        ) {
            let mut bytes = macho(&[(RPATH, 4, "@loader_path/lib"), (LOAD, 16, "@rpath/libsibling.dylib")]);
            for (place, value) in damage {
                let place = place.index(bytes.len());
                bytes[place] = value;
            }
            let _ = Needs::of(&bytes).look_beside();
        }
    }
}
