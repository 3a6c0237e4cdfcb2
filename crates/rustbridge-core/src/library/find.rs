//! Finds a library among those that are mapped, by its file or its content, or else checks it and maps it.

use std::env;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustbridge_abi::{ENTRY_POINT, EntryPoint, Status};
use xxhash_rust::xxh3::xxh3_128;

use super::copy::{CopyKind, NoCopy, PrivateCopy};
use super::glance::Glance;
use super::known_libraries::{self, LoadGuard};
use super::mapping::{Content, Mapping};
use super::needs::Needs;
use super::negotiate::negotiate;
use super::reading::{self, changed, unreadable};
use super::refusal::{Home, no_copy, refused};
use super::sealed::SealedMemory;
use super::stat::Stat;
use super::{image, loader};
use crate::error::Error;
use crate::pin::pin_this_library;

/// How many copies keep a descriptor, by which debuggers and backtraces find their symbols. A host that loads more distinct
/// content than that, as one does that gets plugins over the network, has descriptors left for its own files.
const DESCRIPTORS: usize = 64;
/// How much memory all copies together may take. Beyond, they are on disk, where the system needn't keep in memory what isn't
/// used; the room on the disk stays taken.
const MEMORY: u64 = 1 << 30;
/// How large a file may be to be copied before it's looked at: larger ones are rarely plugins, and may be sparse.
const LARGEST: u64 = 64 << 20;

/// Where a library comes from.
#[derive(Clone, Copy)]
struct Source<'a> {
    /// Names it in messages.
    name: &'a str,
    /// Its file and what the file system said of it when it was read, if it has one.
    file: Option<(&'a Path, Option<&'a Stat>)>,
}

impl Source<'_> {
    /// The folder it lies in.
    fn home(&self) -> Option<&Path> {
        let (path, _) = self.file?;
        let folder = path.parent()?;
        // A name alone is one in the current folder, which an empty path doesn't lead to.
        let is_name = folder.as_os_str().is_empty();
        Some(if is_name { Path::new(".") } else { folder })
    }
}

/// A library's bytes.
#[derive(Clone, Copy)]
struct Image<'a> {
    bytes: &'a [u8],
    /// xxh3-128, of all of them.
    hash: u128,
    /// Where they are, if they are in memory that the loader can map.
    sealed: Option<&'a SealedMemory>,
}

impl<'a> Image<'a> {
    fn of(bytes: &'a [u8]) -> Image<'a> {
        Image {
            bytes,
            hash: xxh3_128(bytes),
            sealed: None,
        }
    }
}

/// Returns the mapping of a library file, and the file's absolute path.
pub(crate) fn of_path(asked: PathBuf, own: bool) -> Result<(&'static Mapping, PathBuf), Error> {
    let (mapping, elsewhere) = find(&asked, own)?;
    let path = elsewhere.unwrap_or(asked);
    if path.is_absolute() {
        return Ok((mapping, path));
    }
    let whole = if cfg!(unix) {
        // Cheaper than `absolute`, which normalises the path as well.
        env::current_dir().map(|here| here.join(&path))
    } else {
        std::path::absolute(&path)
    };
    // If the current folder was deleted, the path stays relative.
    Ok((mapping, whole.unwrap_or(path)))
}

/// Returns the bytes of a path for the plugin's table.
pub(crate) fn bytes(path: PathBuf) -> Vec<u8> {
    let path = path.into_os_string();
    if cfg!(unix) {
        path.into_encoded_bytes()
    } else {
        // The ABI requires UTF-8 there.
        path.into_string().unwrap_or_default().into_bytes()
    }
}

/// Returns the mapping of a library file, and the file's path if it differs from the given one.
fn find(path: &Path, own: bool) -> Result<(&'static Mapping, Option<PathBuf>), Error> {
    let shown = format!("`{}`", path.display());
    let source = shown.as_str();
    if path.as_os_str().is_empty() {
        return Err(Error::new(
            Status::InvalidArgument,
            "NoPath",
            "the path is empty: pass the path of the library file".to_owned(),
        ));
    }
    let mut before = fs::metadata(path);
    let mut elsewhere = None;
    if !matches!(&before, Ok(found) if found.is_file())
        && let Some((whole, library)) = called_so(path, &before)
    {
        (elsewhere, before) = (Some(whole), Ok(library));
    }
    let path = elsewhere.as_deref().unwrap_or(path);
    let mapping = of_file(path, before, source, own).map_err(|error| hinting(error, path))?;
    Ok((mapping, elsewhere))
}

/// Adds to the error about a file without a library's ending that there is a library of that name next to it: builds leave a program `hello` beside `libhello.so`.
#[cold]
fn hinting(error: Error, path: &Path) -> Error {
    let is_library = path.to_string_lossy().ends_with(DLL_SUFFIX);
    let library = library_of(path).filter(|library| !is_library && library.is_file());
    match library {
        Some(library) => {
            let hint = format!(
                "`{}` is next to it: load that if it is the plugin",
                library.display()
            );
            error.with_advice(&hint)
        }
        None => error,
    }
}

fn of_file(
    path: &Path,
    before: io::Result<Metadata>,
    source: &str,
    own: bool,
) -> Result<&'static Mapping, Error> {
    let before = before.map_err(|error| unreadable(source, &error))?;
    // Asked before it's opened as well, which some devices notice.
    reading::check(&before, source)?;
    let _loading = LoadGuard::start()?;
    if !own
        && let Some(stat) = Stat::of_path(path, &before)
        && let Some(mapping) = known_libraries::of_file(&stat)
    {
        return Ok(mapping);
    }
    let read = reading::read(path, source, |file, size| is_for_mapping(file, size, own))?;
    let image = match &read.body {
        reading::Body::Sealed(sealed, hash) => Image {
            bytes: sealed.bytes(),
            hash: *hash,
            sealed: Some(sealed),
        },
        reading::Body::Plain(bytes) => Image::of(bytes),
    };
    let source = Source {
        name: source,
        file: Some((path, read.stat.as_ref())),
    };
    let mapping = known_or_mapped(image, source, own)?;
    // A file that was written a moment ago may be written again within the same tick of its clock.
    if !own
        && let Some(stat) = &read.stat
        && stat.is_older_than(read.at, Duration::from_secs(2))
    {
        known_libraries::remember_file(stat.clone(), mapping);
    }
    Ok(mapping)
}

/// Whether a file is to be read to where the loader finds it, since it seems to be none that is mapped: so it's copied once. What
/// may be known is read into memory that needn't be made anew for each load. What will be on disk isn't in memory first.
fn is_for_mapping(file: &File, size: u64, own: bool) -> bool {
    if size > LARGEST || !is_room(taken().1.saturating_add(size)) {
        return false;
    }
    own || Glance::of_file(file, size).is_some_and(|glance| {
        !known_libraries::all()
            .iter()
            .any(|mapping| mapping.glance == Some(glance))
    })
}

/// The library that the system would call so: `libhello.so` for `hello`, so that a host names the same path on every system. It's
/// looked for where there's nothing at the path, or a folder: that is no library, and there's often one of the same name, which
/// builds leave, or a package of Python's.
#[cold]
fn called_so(path: &Path, found: &io::Result<Metadata>) -> Option<(PathBuf, Metadata)> {
    let is_elsewhere = match found {
        Ok(found) => found.is_dir(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    let whole = library_of(path).filter(|_| is_elsewhere)?;
    let library = fs::metadata(&whole).ok()?;
    Some((whole, library))
}

/// The path of the library of that name: `libhello.so` for `hello`.
fn library_of(path: &Path) -> Option<PathBuf> {
    let mut whole = OsString::from(DLL_PREFIX);
    whole.push(path.file_name()?);
    whole.push(DLL_SUFFIX);
    Some(path.with_file_name(whole))
}

/// The mapping of a library's bytes.
pub(crate) fn of_image(bytes: &[u8], own: bool) -> Result<&'static Mapping, Error> {
    let _loading = LoadGuard::start()?;
    let source = Source {
        name: "the image",
        file: None,
    };
    known_or_mapped(Image::of(bytes), source, own)
}

/// The mapping of a plugin that is linked into this binary.
///
/// # Safety
/// As for [`negotiate`].
pub(crate) unsafe fn of_linked(
    entry_point: EntryPoint,
    name: &str,
) -> Result<&'static Mapping, Error> {
    let _loading = LoadGuard::start()?;
    let address = entry_point as usize;
    let known = known_libraries::all()
        .into_iter()
        .find(|mapping| mapping.entry_point == address);
    let forks = known_libraries::forks();
    if let Some(mapping) = known {
        if mapping.forks == forks {
            return Ok(mapping);
        }
        return Err(Error::new(
            Status::FailedPrecondition,
            "Inherited",
            format!(
                "plugin `{name}` is linked into this program and was loaded before the process was forked: there's one of it, whose locks may be held by threads that the child doesn't have; load it after forking only, or load it from a library, of which a child gets a copy of its own"
            ),
        ));
    }
    let source = format!("the linked plugin `{name}`");
    Ok(known_libraries::remember(Mapping {
        hash: 0,
        size: 0,
        glance: None,
        kind: "linked",
        own: false,
        forks,
        // SAFETY: the caller's promise.
        plugin: unsafe { negotiate(entry_point, &source) },
        source,
        content: Content::None,
        entry_point: address,
    }))
}

/// Runs under `Loading`.
fn known_or_mapped(
    image: Image<'_>,
    source: Source<'_>,
    own: bool,
) -> Result<&'static Mapping, Error> {
    let Image { bytes, hash, .. } = image;
    if !own {
        let forks = known_libraries::forks();
        for mapping in known_libraries::all() {
            if mapping.hash == hash
                && !mapping.own
                && mapping.forks == forks
                && mapping.content.is(bytes)
            {
                return Ok(mapping);
            }
        }
    }
    image::check(bytes, source.name)?;
    pin_this_library();
    let mapped = map(image, source)?;
    let entry_point = mapped.library.entry_point().ok_or_else(|| {
        Error::new(
            Status::InvalidArgument,
            "NotAPlugin",
            format!(
                "{} was mapped but has no function `{}`: it is not a rustbridge plugin",
                source.name,
                ENTRY_POINT.to_string_lossy()
            ),
        )
    });
    Ok(known_libraries::remember(Mapping {
        hash,
        size: bytes.len() as u64,
        glance: Some(Glance::of(bytes)),
        source: source.file.map_or_else(
            || source.name.to_owned(),
            |(path, _)| path.display().to_string(),
        ),
        kind: mapped.kind,
        own,
        entry_point: entry_point.as_ref().map_or(0, |entry| *entry as usize),
        // SAFETY: the function of that name is a plugin's entry point by contract, and the library is never unmapped.
        plugin: entry_point.and_then(|entry_point| unsafe { negotiate(entry_point, source.name) }),
        // Asked last: an initialiser may have forked.
        forks: known_libraries::forks(),
        content: mapped.content,
    }))
}

/// A library that was mapped just now.
struct NewMapping {
    library: loader::Library,
    kind: &'static str,
    content: Content,
}

fn map(image: Image<'_>, source: Source<'_>) -> Result<NewMapping, Error> {
    let bytes = image.bytes;
    let needs = Needs::of(bytes);
    let mut home = source.home().map_or(Home::None, Home::Searched);
    if cfg!(unix)
        && needs.look_beside()
        && let Some((path, stat)) = source.file
    {
        if let Some(library) = place(path, stat, source, &needs)? {
            return Ok(NewMapping {
                library,
                kind: "place",
                content: Content::Digest(blake3::hash(bytes)),
            });
        }
        home = Home::NotSearched;
    }
    let (descriptors, in_memory) = taken();
    let in_memory = in_memory.saturating_add(bytes.len() as u64);
    let (mut refusal, mut reasons) = (None, Vec::new());
    for &sort in sorts(descriptors, in_memory) {
        match map_copy(image, source, sort, &needs, home) {
            Ok(mapped) => return Ok(mapped),
            Err(MapError::Refused(error)) => {
                refusal.get_or_insert(error);
            }
            Err(MapError::NoCopy(reason)) => reasons.push(reason),
        }
    }
    // What the loader said is about the library, and the rest about where its copy was to be.
    Err(refusal.unwrap_or_else(|| no_copy(source.name, &reasons)))
}

/// How many copies have a descriptor, and how much memory all copies take.
fn taken() -> (usize, u64) {
    let (mut descriptors, mut in_memory) = (0, 0);
    for mapping in known_libraries::all() {
        descriptors += usize::from(mapping.content.has_descriptor());
        if mapping.kind == CopyKind::Memory.name() {
            in_memory += mapping.size;
        }
    }
    (descriptors, in_memory)
}

/// Whether all copies may take so much memory.
fn is_room(in_memory: u64) -> bool {
    in_memory <= MEMORY
}

/// Which sorts of copies are tried, the best first, if so many have descriptors and all in memory take so much, this one
/// included.
///
/// The others are for where the first can't be had: a system may forbid to run what isn't in a file, and a folder may be full or
/// hold nothing that can be run.
fn sorts(descriptors: usize, in_memory: u64) -> &'static [CopyKind] {
    if cfg!(not(any(target_os = "linux", target_os = "android"))) {
        &[CopyKind::File]
    } else if !is_room(in_memory) {
        &[CopyKind::File, CopyKind::Unnamed]
    } else if descriptors < DESCRIPTORS {
        &[CopyKind::Memory, CopyKind::File]
    } else {
        &[CopyKind::Unnamed, CopyKind::File]
    }
}

/// Why a copy of one sort isn't mapped.
enum MapError {
    NoCopy(NoCopy),
    Refused(Error),
}

/// Maps a copy of one sort.
fn map_copy(
    image: Image<'_>,
    source: Source<'_>,
    sort: CopyKind,
    needs: &Needs,
    home: Home<'_>,
) -> Result<NewMapping, MapError> {
    let bytes = image.bytes;
    let label = format!("{:016x}", image.hash as u64);
    let looks_beside = cfg!(unix) && needs.look_beside();
    let copy = PrivateCopy::make(bytes, image.sealed, &label, sort, looks_beside)
        .map_err(MapError::NoCopy)?;
    let refuse = |reason: &str| MapError::Refused(refused(bytes, source.name, home, needs, reason));
    match loader::load(copy.name(), source.home()) {
        // The name was nobody's when it was chosen, but others load libraries, too.
        Ok(library) if is_known(&library) => {
            copy.discard();
            Err(refuse(
                "the loader has another library under the name of the copy",
            ))
        }
        Ok(library) => Ok(NewMapping {
            library,
            kind: sort.name(),
            content: copy
                .mapped()
                .map_or_else(|| Content::Digest(blake3::hash(bytes)), Content::Copy),
        }),
        Err(reason) => {
            copy.discard();
            Err(refuse(&reason))
        }
    }
}

/// Whether the loader gave a library that it had already.
fn is_known(library: &loader::Library) -> bool {
    let address = library.entry_point().map(|entry| entry as usize);
    known_libraries::all()
        .iter()
        .any(|mapping| Some(mapping.entry_point) == address)
}

/// Maps a library where it lies, for one that looks for others beside itself, and by its own folder may find more: data, or
/// what it loads later. `None` if the process has that very file already; then a copy finds what it needs among the
/// libraries that are there.
///
/// Nobody keeps others from writing to the file, so what was checked is only known to be what's mapped as long as nobody
/// does (`docs/safety.md`).
fn place(
    path: &Path,
    read: Option<&Stat>,
    source: Source<'_>,
    needs: &Needs,
) -> Result<Option<loader::Library>, Error> {
    let stat = || {
        let metadata = fs::metadata(path).ok()?;
        Stat::of_path(path, &metadata)
    };
    if read.is_none() || stat().as_ref() != read {
        return Err(changed(source.name, "while it was read"));
    }
    let Some(name) = loader::unused_name(path) else {
        return Ok(None);
    };
    let home = source.home();
    let library = loader::load(&name, home).map_err(|reason| {
        let home = home.map_or(Home::None, Home::Searched);
        refused(&[], source.name, home, needs, &reason)
    })?;
    if stat().as_ref() != read {
        return Err(changed(source.name, "while it was mapped"));
    }
    Ok((!is_known(&library)).then_some(library))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn copies_are_in_memory_but_for_what_would_be_too_much_and_few_have_descriptors() {
        let first = |descriptors, in_memory| sorts(descriptors, in_memory)[0];
        assert_eq!(first(0, 1 << 20), CopyKind::Memory);
        assert_eq!(first(DESCRIPTORS - 1, MEMORY), CopyKind::Memory);
        assert_eq!(first(DESCRIPTORS, MEMORY), CopyKind::Unnamed);
        for descriptors in [0, DESCRIPTORS] {
            assert_eq!(first(descriptors, MEMORY + 1), CopyKind::File);
        }
        // Where the first can't be had, there's another sort of place.
        for (descriptors, in_memory) in [(0, 0), (DESCRIPTORS, 0), (DESCRIPTORS, MEMORY + 1)] {
            let sorts = sorts(descriptors, in_memory);
            assert!(sorts.contains(&CopyKind::File));
            assert!(sorts.iter().any(|sort| sort.name() == "memory"));
        }
    }
}
