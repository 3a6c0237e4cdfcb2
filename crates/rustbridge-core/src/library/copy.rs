//! Private copies: what is mapped isn't the file a host named, so nobody can change it or pull it away under us, and a new
//! version at the same path is a new library to the system's loader.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::descriptor_slot::SlotGuard;
use super::sealed::{SealedBytes, SealedMemory};
use super::writing::without_a_signal;
use super::{loader, temporary};

/// What sort of file a copy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyKind {
    /// In memory, sealed. Its descriptor stays open: its number is in the name by which debuggers and backtraces find the
    /// symbols. A number that was used again would lead them astray.
    Memory,
    /// Likewise, without a descriptor that stays: a number is lent to it while it's mapped (`descriptor_slot.rs`). After that its name
    /// leads to an empty file.
    Unnamed,
    /// In the folder for temporary files, on Windows in one of this process's own. Where a mapped file may be removed,
    /// nothing of it is left but the mapping. A number is lent to it as well, if there's one: the loader keeps the name, and a
    /// name in that folder may be anybody's when the file is removed.
    File,
}

impl CopyKind {
    /// As `inspect` reports it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            CopyKind::Memory | CopyKind::Unnamed => "memory",
            CopyKind::File => "file",
        }
    }
}

/// Why there's no copy of some sort.
#[derive(Debug)]
pub(crate) enum NoCopy {
    /// Where it was to be, and what the system said.
    Failed { place: String, error: io::Error },
    /// It looks for libraries beside itself, and in the folder where it would be others may put some.
    Exposed { folder: PathBuf },
}

impl NoCopy {
    /// The kind of the system's error, if there was one.
    pub(crate) fn kind(&self) -> Option<io::ErrorKind> {
        match self {
            NoCopy::Failed { error, .. } => Some(error.kind()),
            NoCopy::Exposed { .. } => None,
        }
    }

    /// Whether the process may write smaller files alone.
    pub(crate) fn is_too_large(&self) -> bool {
        #[cfg(unix)]
        if let NoCopy::Failed { error, .. } = self {
            return error.raw_os_error() == Some(libc::EFBIG);
        }
        false
    }
}

impl fmt::Display for NoCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCopy::Failed { place, error } => write!(f, "{place}: {error}"),
            NoCopy::Exposed { folder } => write!(
                f,
                "in `{}`: the library searches its own folder for others, and other users can write there",
                folder.display()
            ),
        }
    }
}

/// A library's bytes in a file of ours.
#[derive(Debug)]
pub(crate) struct PrivateCopy {
    body: Body,
    sort: CopyKind,
    /// By which the system's loader finds it, and has no other library.
    name: PathBuf,
    /// The number in the name, if it's one that's lent.
    lent: Option<SlotGuard>,
}

/// What a copy consists of.
#[derive(Debug)]
enum Body {
    Sealed(SealedMemory),
    File {
        file: File,
        size: u64,
        path: PathBuf,
    },
}

impl PrivateCopy {
    /// Copies the bytes, which may be in sealed memory already. Runs under `Loading`.
    ///
    /// One that looks beside itself is given no name beside which somebody else could put anything.
    pub(crate) fn make(
        bytes: &[u8],
        sealed: Option<&SealedMemory>,
        label: &str,
        sort: CopyKind,
        looks_beside: bool,
    ) -> Result<PrivateCopy, NoCopy> {
        if sort == CopyKind::File {
            return PrivateCopy::on_disk(bytes, label, looks_beside);
        }
        PrivateCopy::in_memory(bytes, sealed, label, sort).map_err(|error| NoCopy::Failed {
            place: "in memory".to_owned(),
            error,
        })
    }

    fn in_memory(
        bytes: &[u8],
        sealed: Option<&SealedMemory>,
        label: &str,
        sort: CopyKind,
    ) -> io::Result<PrivateCopy> {
        let sealed = match sealed {
            Some(sealed) => sealed.clone(),
            None => SealedMemory::of_bytes(bytes, label)?,
        };
        let (name, lent) = if sort == CopyKind::Memory {
            (unused(&sealed.path()?)?, None)
        } else {
            let (name, lent) = lend(sealed.file())?;
            (name, Some(lent))
        };
        Ok(PrivateCopy {
            body: Body::Sealed(sealed),
            sort,
            name,
            lent,
        })
    }

    fn on_disk(bytes: &[u8], label: &str, looks_beside: bool) -> Result<PrivateCopy, NoCopy> {
        let folder = disk::folder().map_err(|error| NoCopy::Failed {
            place: "in the folder for temporary files".to_owned(),
            error,
        })?;
        // By its own name, so that no link on the way can be turned elsewhere.
        let folder = match folder.canonicalize() {
            Ok(real) if looks_beside => real,
            _ => folder,
        };
        let made = without_a_signal(|| disk::make(&folder, bytes, label));
        let (file, path) = made.map_err(|error| NoCopy::Failed {
            place: format!("in `{}`", folder.display()),
            error,
        })?;
        let lent = lend(&file).ok();
        let is_exposed = looks_beside && lent.is_none() && !temporary::is_ours_alone(&folder);
        let (name, lent) = match lent {
            Some((name, lent)) => (name, Some(lent)),
            None => (path.clone(), None),
        };
        let size = bytes.len() as u64;
        let copy = PrivateCopy {
            body: Body::File { file, size, path },
            sort: CopyKind::File,
            name,
            lent,
        };
        if is_exposed {
            copy.discard();
            return Err(NoCopy::Exposed { folder });
        }
        Ok(copy)
    }

    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    /// Called when the loader has mapped it. What needn't stay is taken away.
    pub(crate) fn mapped(self) -> Option<CopyContent> {
        if let Some(lent) = self.lent {
            lent.give_back();
        }
        match (self.sort, self.body) {
            (CopyKind::Memory, Body::Sealed(sealed)) => Some(CopyContent::Sealed(sealed)),
            (_, Body::Sealed(sealed)) => Some(CopyContent::Bytes(sealed.into_bytes())),
            // Windows doesn't let go of the name of a mapped file; a later process takes it away, see `copies.rs`.
            (_, Body::File { file, size, .. }) if cfg!(windows) => {
                Some(CopyContent::File { file, size })
            }
            (_, Body::File { file, path, .. }) => {
                drop(file);
                let _ = std::fs::remove_file(path);
                None
            }
        }
    }

    /// Called when it won't be mapped.
    pub(crate) fn discard(self) {
        if let Some(lent) = self.lent {
            lent.give_back();
        }
        if let Body::File { file, path, .. } = self.body {
            drop(file);
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Another spelling of a path, by which the loader has no library: by this one it may have another that had the number before.
fn unused(path: &Path) -> io::Result<PathBuf> {
    loader::unused_name(path).ok_or_else(|| {
        io::Error::other("the loader already has libraries under all names of the copy")
    })
}

/// Lends the number to a file, with a name for it.
fn lend(file: &File) -> io::Result<(PathBuf, SlotGuard)> {
    let lent = SlotGuard::to(file)?;
    let name = unused(lent.path())?;
    Ok((name, lent))
}

/// What is left of a copy that's mapped, to tell its content by.
#[derive(Debug)]
pub(crate) enum CopyContent {
    /// With the descriptor.
    Sealed(SealedMemory),
    /// The bytes alone.
    Bytes(SealedBytes),
    /// Nobody can write to it.
    File { file: File, size: u64 },
}

impl CopyContent {
    /// Whether these are exactly the copy's bytes.
    pub(crate) fn is(&self, bytes: &[u8]) -> bool {
        match self {
            CopyContent::Sealed(sealed) => sealed.bytes() == bytes,
            CopyContent::Bytes(sealed) => sealed.bytes() == bytes,
            CopyContent::File { file, size } => holds(file, *size, bytes).unwrap_or(false),
        }
    }
}

/// Whether a file holds exactly these bytes.
fn holds(file: &File, size: u64, bytes: &[u8]) -> io::Result<bool> {
    if size != bytes.len() as u64 {
        return Ok(false);
    }
    // Small enough to stay in the cache.
    let mut buffer = vec![0; 32 * 1024];
    let mut offset = 0;
    for chunk in bytes.chunks(buffer.len()) {
        let read = &mut buffer[..chunk.len()];
        read_exact_at(file, read, offset)?;
        if read != chunk {
            return Ok(false);
        }
        offset += chunk.len() as u64;
    }
    Ok(true)
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !buffer.is_empty() {
        let read = file.seek_read(buffer, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}

mod disk {
    use std::fs::{self, File, OpenOptions};
    use std::io::{self, Write};
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::holds;

    /// Where copies are made.
    pub(super) fn folder() -> io::Result<PathBuf> {
        #[cfg(unix)]
        let folder = crate::library::temporary::folder();
        #[cfg(windows)]
        let folder = crate::library::copies::folder();
        folder
    }

    pub(super) fn make(folder: &Path, bytes: &[u8], label: &str) -> io::Result<(File, PathBuf)> {
        let path = unused_path(folder, label);
        let copied = write(&path, bytes)
            .and_then(|()| open(&path))
            .and_then(|file| checked(file, bytes));
        match copied {
            Ok(file) => Ok((file, path)),
            Err(error) => {
                let _ = fs::remove_file(&path);
                Err(error)
            }
        }
    }

    fn unused_path(folder: &Path, label: &str) -> PathBuf {
        // Counts over the whole process, so that two copies never share a name; who makes it doesn't take one that's there.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let time = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        folder.join(format!(
            "rustbridge-{}-{}-{time:x}-{label}{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed),
            std::env::consts::DLL_SUFFIX
        ))
    }

    fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o700);
        let mut file = options.open(path)?;
        file.write_all(bytes)
    }

    /// Open for reading alone: the loader refuses a file that somebody may write. On Windows nobody can write to it,
    /// rename or delete it from now on.
    fn open(path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(
            &mut options,
            windows_sys::Win32::Storage::FileSystem::FILE_SHARE_READ,
        );
        options.open(path)
    }

    /// Somebody may have changed it between writing and opening, as long as it was nobody's.
    fn checked(file: File, bytes: &[u8]) -> io::Result<File> {
        if holds(&file, bytes.len() as u64, bytes)? {
            return Ok(file);
        }
        Err(io::Error::other("it was changed while it was made"))
    }
}
