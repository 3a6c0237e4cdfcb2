//! The libraries this process has mapped: one mapping for each distinct content, never unmapped.
//!
//! Unloading Rust code isn't reliable (threads it started, thread-local destructors it registered), so a mapping stays
//! and the next load of the same content uses it. A load that was refused after mapping is remembered as well, so that
//! trying again maps nothing.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, SystemTime};

use rustbridge_abi::{ENTRY_POINT, EntryPoint, Status};
use xxhash_rust::xxh3::xxh3_128;

use super::copy::PrivateCopy;
use super::negotiate::{Negotiated, negotiate};
use super::{image, loader};
use crate::error::Error;
use crate::handle::fork::{self, OverFork};
use crate::pin::pin_this_library;

/// One mapped library, or a plugin that was linked into this binary.
#[derive(Debug)]
pub(crate) struct Mapping {
    /// Of the content; 0 for a linked plugin.
    pub(crate) hash: u128,
    pub(crate) size: u64,
    /// Where it was first loaded from, for people.
    pub(crate) source: String,
    /// `memory`, `file` or `linked`.
    pub(crate) kind: &'static str,
    /// Mapped for one instance alone.
    pub(crate) own: bool,
    pub(crate) plugin: Result<Negotiated, Error>,
    copy: Option<PrivateCopy>,
    entry_point: usize,
}

/// What tells a file's content without reading it, as long as nothing plays with the clock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Stat {
    identity: Identity,
    size: u64,
    modified: SystemTime,
    changed: Changed,
}

#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(unix)]
type Changed = (i64, i64);
/// Not every file system on Windows has numbers that no two files share.
#[cfg(windows)]
type Identity = (std::path::PathBuf, u32, u64);
#[cfg(windows)]
type Changed = i64;

#[derive(Debug, Default)]
struct Known {
    /// In the order they were mapped; leaked, since they are never given up.
    all: Vec<&'static Mapping>,
    by_stat: HashMap<Stat, &'static Mapping>,
}

struct Libraries {
    known: Mutex<Option<Known>>,
    /// Held while a library is found or mapped, so that two loads of one content map it once. Apart from `known`, so that
    /// initialisers and `describe`, which run under it, can't block the ledger.
    loading: Mutex<()>,
}

/// Mappings are the process's, as the loader's are: a library that two instances use is mapped once.
static LIBRARIES: Libraries = Libraries {
    known: Mutex::new(None),
    loading: Mutex::new(()),
};

thread_local! {
    // Whether this thread holds `loading`: a library's initialiser may fork.
    static IS_LOADING: Cell<bool> = const { Cell::new(false) };
}

/// What the locks guard is as good in a child, where the libraries are mapped as well.
impl OverFork for Libraries {
    type Held = (
        Option<MutexGuard<'static, ()>>,
        MutexGuard<'static, Option<Known>>,
    );

    fn hold(&'static self) -> Self::Held {
        let loading = (!IS_LOADING.get()).then(lock_loading);
        (loading, lock())
    }

    fn in_child(&'static self, _: &mut Self::Held) {}
}

fn lock() -> MutexGuard<'static, Option<Known>> {
    LIBRARIES
        .known
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

fn lock_loading() -> MutexGuard<'static, ()> {
    LIBRARIES
        .loading
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

struct Loading(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

impl Loading {
    fn start() -> Loading {
        // What is looked after is so for good, and all libraries at once.
        static ONCE: Once = Once::new();
        ONCE.call_once(|| fork::watch(&LIBRARIES));
        let guard = lock_loading();
        IS_LOADING.set(true);
        Loading(guard)
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        IS_LOADING.set(false);
    }
}

/// Every mapping so far, in order.
pub(crate) fn all() -> Vec<&'static Mapping> {
    lock()
        .as_ref()
        .map_or(Vec::new(), |known| known.all.clone())
}

/// The mapping of a library file.
pub(crate) fn of_path(path: &Path, own: bool) -> Result<&'static Mapping, Error> {
    let source = format!("`{}`", path.display());
    let unreadable = |error: &io::Error| unreadable(&source, error);

    let before = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
    if before.is_dir() {
        return Err(Error::new(
            Status::InvalidArgument,
            "NotALibrary",
            format!("{source} is a folder: pass the path of the library file in it"),
        ));
    }
    // A pipe would be waited for and a device never end, with everybody else's loading held up meanwhile.
    if !before.is_file() {
        return Err(Error::new(
            Status::InvalidArgument,
            "NotALibrary",
            format!("{source} is not a regular file: pass the path of the library file itself"),
        ));
    }
    let _loading = Loading::start();
    if !own
        && let Some(stat) = Stat::of_path(path, &before)
        && let Some(mapping) = known_stat(&stat)
    {
        return Ok(mapping);
    }
    let mut file = File::open(path).map_err(|error| unreadable(&error))?;
    let now = SystemTime::now();
    let before = file.metadata().map_err(|error| unreadable(&error))?;
    let stat_before = Stat::of_file(path, &file, &before);
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(before.len()).unwrap_or(usize::MAX))
        .map_err(|_| too_large(&source, before.len()))?;
    file.read_to_end(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    let after = file.metadata().map_err(|error| unreadable(&error))?;

    let stat_after = Stat::of_file(path, &file, &after);

    let mapping = of_bytes(&bytes, &source, path.parent(), own)?;
    // A file that was written a moment ago may be written again within the same tick of its clock.
    if !own
        && stat_before == stat_after
        && bytes.len() as u64 == before.len()
        && let Some(stat_before) = stat_before
        && stat_before.is_older_than(now, Duration::from_secs(2))
    {
        lock()
            .get_or_insert_default()
            .by_stat
            .insert(stat_before, mapping);
    }
    Ok(mapping)
}

/// The mapping of a library's bytes.
pub(crate) fn of_image(bytes: &[u8], own: bool) -> Result<&'static Mapping, Error> {
    let _loading = Loading::start();
    of_bytes(bytes, "the image", None, own)
}

/// The mapping of a plugin that is linked into this binary.
///
/// # Safety
/// As for [`negotiate`].
pub(crate) unsafe fn of_linked(entry_point: EntryPoint, name: &str) -> &'static Mapping {
    let _loading = Loading::start();
    let address = entry_point as usize;
    if let Some(mapping) = all()
        .into_iter()
        .find(|mapping| mapping.entry_point == address)
    {
        return mapping;
    }
    let source = format!("the linked plugin `{name}`");
    remember(Mapping {
        hash: 0,
        size: 0,
        kind: "linked",
        own: false,
        // SAFETY: the caller's promise.
        plugin: unsafe { negotiate(entry_point, &source) },
        source,
        copy: None,
        entry_point: address,
    })
}

fn known_stat(stat: &Stat) -> Option<&'static Mapping> {
    lock().as_ref()?.by_stat.get(stat).copied()
}

fn remember(mapping: Mapping) -> &'static Mapping {
    let mapping: &'static Mapping = Box::leak(Box::new(mapping));
    lock().get_or_insert_default().all.push(mapping);
    mapping
}

/// Runs under `Loading`. `home` is the folder the library lies in.
fn of_bytes(
    bytes: &[u8],
    source: &str,
    home: Option<&Path>,
    own: bool,
) -> Result<&'static Mapping, Error> {
    let hash = xxh3_128(bytes);
    if !own {
        for mapping in all() {
            // The hash finds the candidate, the bytes decide: somebody may know how to make two files of one hash.
            if mapping.hash == hash
                && !mapping.own
                && let Some(copy) = &mapping.copy
                && copy.holds(bytes).unwrap_or(false)
            {
                return Ok(mapping);
            }
        }
    }
    image::check(bytes, source)?;
    pin_this_library();
    let (library, copy) = map(bytes, &format!("{:016x}", hash as u64), source, home)?;
    let entry_point = library.entry_point().ok_or_else(|| {
        Error::new(
            Status::InvalidArgument,
            "NotAPlugin",
            format!(
                "{source} was mapped but has no function `{}`: it is not a rustbridge plugin",
                ENTRY_POINT.to_string_lossy()
            ),
        )
    });
    Ok(remember(Mapping {
        hash,
        size: bytes.len() as u64,
        source: source.to_owned(),
        kind: copy.kind,
        own,
        entry_point: entry_point.as_ref().map_or(0, |entry| *entry as usize),
        // SAFETY: the function of that name is a plugin's entry point by contract, and the library is never unmapped.
        plugin: entry_point.and_then(|entry_point| unsafe { negotiate(entry_point, source) }),
        copy: Some(copy),
    }))
}

fn map(
    bytes: &[u8],
    label: &str,
    source: &str,
    home: Option<&Path>,
) -> Result<(loader::Library, PrivateCopy), Error> {
    let no_copy = |error: io::Error| {
        Error::new(
            Status::ResourceExhausted,
            "NoPrivateCopy",
            format!(
                "no private copy of {source} could be made: {error}; make room in the folder for temporary files, or allow more open files"
            ),
        )
    };
    let mut copy = PrivateCopy::make(bytes, label).map_err(no_copy)?;
    let mut loaded = loader::load(copy.path(), home);
    // A system may forbid to run what isn't in a file, and a descriptor that somebody else closed may have been issued
    // to us again, so that the loader takes the new path for the library it has under that name already.
    let is_stale = |library: &loader::Library| {
        all()
            .iter()
            .any(|mapping| Some(mapping.entry_point) == library.entry_point().map(|e| e as usize))
    };
    if copy.kind == "memory" && loaded.as_ref().map_or(true, is_stale) {
        copy = PrivateCopy::make_file(bytes, label).map_err(no_copy)?;
        loaded = loader::load(copy.path(), home);
    }
    match loaded {
        Ok(library) => {
            copy.mapped();
            Ok((library, copy))
        }
        Err(reason) => {
            copy.discard();
            Err(Error::new(
                Status::FailedPrecondition,
                "LoaderRefused",
                format!(
                    "the system's loader refused {source}: {reason}; {}",
                    hint(bytes, home)
                ),
            ))
        }
    }
}

/// What the loader may have meant.
#[cfg(unix)]
fn hint(_bytes: &[u8], _home: Option<&Path>) -> String {
    "a library it depends on may be missing or too old".to_owned()
}

/// What the loader may have meant: on Windows it names no library.
#[cfg(windows)]
fn hint(bytes: &[u8], home: Option<&Path>) -> String {
    let missing = loader::missing(bytes, home);
    if missing.is_empty() {
        return "a library it depends on may be too old".to_owned();
    }
    format!(
        "it needs {}, to be found neither beside it nor in the folder of the program or of the system (PATH isn't searched): put it beside the plugin",
        missing.join(", ")
    )
}

fn unreadable(source: &str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => Error::new(
            Status::NotFound,
            "NoSuchFile",
            format!("there is no file {source}: check the path, or build the plugin first"),
        ),
        io::ErrorKind::PermissionDenied => Error::new(
            Status::PermissionDenied,
            "Unreadable",
            format!("{source} may not be read by this process: {error}"),
        ),
        _ => Error::new(
            Status::InvalidArgument,
            "Unreadable",
            format!("{source} can't be read: {error}"),
        ),
    }
}

fn too_large(source: &str, len: u64) -> Error {
    Error::new(
        Status::ResourceExhausted,
        "TooLarge",
        format!(
            "{source} has {len} bytes, for which there's no memory: is it the library, or a sparse or damaged file?"
        ),
    )
}

impl Stat {
    #[cfg(unix)]
    #[expect(clippy::unnecessary_wraps, reason = "on Windows there may be none")]
    fn of_path(_path: &Path, metadata: &Metadata) -> Option<Stat> {
        use std::os::unix::fs::MetadataExt;
        Some(Stat {
            identity: (metadata.dev(), metadata.ino()),
            size: metadata.len(),
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    #[cfg(unix)]
    fn of_file(path: &Path, _file: &File, metadata: &Metadata) -> Option<Stat> {
        Stat::of_path(path, metadata)
    }

    #[cfg(windows)]
    fn of_path(path: &Path, metadata: &Metadata) -> Option<Stat> {
        use std::os::windows::fs::OpenOptionsExt;
        use windows_sys::Win32::Storage::FileSystem::FILE_READ_ATTRIBUTES;
        // Whoever has the file open for himself alone shares this much of it.
        let file = File::options()
            .access_mode(FILE_READ_ATTRIBUTES)
            .open(path)
            .ok()?;
        Stat::of_file(path, &file, metadata)
    }

    #[cfg(windows)]
    fn of_file(path: &Path, file: &File, metadata: &Metadata) -> Option<Stat> {
        use std::os::windows::io::AsRawHandle;
        use windows_sys::Win32::Storage::FileSystem::{
            BY_HANDLE_FILE_INFORMATION, FILE_BASIC_INFO, FileBasicInfo, GetFileInformationByHandle,
            GetFileInformationByHandleEx,
        };
        let mut info = BY_HANDLE_FILE_INFORMATION::default();
        let mut basic = FILE_BASIC_INFO::default();
        // SAFETY: the handle is open, and both structs are writable and as large as is said.
        let is_known = unsafe {
            GetFileInformationByHandle(file.as_raw_handle(), &mut info) != 0
                && GetFileInformationByHandleEx(
                    file.as_raw_handle(),
                    FileBasicInfo,
                    (&raw mut basic).cast(),
                    size_of::<FILE_BASIC_INFO>() as u32,
                ) != 0
        };
        let index = (u64::from(info.nFileIndexHigh) << 32) | u64::from(info.nFileIndexLow);
        is_known.then(|| Stat {
            identity: (path.to_owned(), info.dwVolumeSerialNumber, index),
            size: metadata.len(),
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            changed: basic.ChangeTime,
        })
    }

    fn is_older_than(&self, now: SystemTime, age: Duration) -> bool {
        let is_older = |time: SystemTime| now.duration_since(time).is_ok_and(|since| since > age);
        #[cfg(unix)]
        let changed = u64::try_from(self.changed.0).map_or(SystemTime::UNIX_EPOCH, |seconds| {
            SystemTime::UNIX_EPOCH + Duration::new(seconds, self.changed.1 as u32)
        });
        #[cfg(windows)]
        let changed = {
            // In steps of 100 ns since 1601, 11,644,473,600 seconds before 1970; 0 where a file system has no such time.
            let since_1970 = self.changed.saturating_sub(116_444_736_000_000_000);
            u64::try_from(since_1970).map_or(SystemTime::UNIX_EPOCH, |steps| {
                SystemTime::UNIX_EPOCH
                    + Duration::new(steps / 10_000_000, (steps % 10_000_000) as u32 * 100)
            })
        };
        is_older(self.modified) && is_older(changed)
    }
}
