//! Private copies: what is mapped isn't the file a host named, so nobody can change it or pull it away under us, and a new
//! version at the same path is a new library to the system's loader.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::sealed::{Sealed, SealedBytes};
use super::writing::without_a_signal;

/// What sort of file a copy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// In memory, sealed. Its descriptor stays open: its number is in the name by which debuggers and backtraces find the
    /// symbols, and by which the loader knows the library. A number that was used again would lead both astray.
    Memory,
    /// Likewise, without a descriptor that stays: the loader finds it by a symbolic link, which is removed once
    /// it's mapped. So the name leads nowhere, and the number is free.
    Unnamed,
    /// In the folder for temporary files, on Windows in one of this process's own. Where a mapped file may be removed,
    /// nothing of it is left but the mapping.
    File,
}

impl Sort {
    /// As the ledger has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Sort::Memory | Sort::Unnamed => "memory",
            Sort::File => "file",
        }
    }
}

/// A library's bytes in a file of ours.
#[derive(Debug)]
pub(crate) struct PrivateCopy {
    body: Body,
    /// Where the system's loader finds it.
    path: PathBuf,
    sort: Sort,
}

/// What a copy consists of.
#[derive(Debug)]
enum Body {
    Sealed(Sealed),
    File { file: File, size: u64 },
}

impl PrivateCopy {
    /// Copies the bytes, which may be in sealed memory already.
    pub(crate) fn make(
        bytes: &[u8],
        sealed: Option<&Sealed>,
        label: &str,
        sort: Sort,
    ) -> io::Result<PrivateCopy> {
        let sealed = || match sealed {
            Some(sealed) => Ok(sealed.clone()),
            None => Sealed::of_bytes(bytes, label),
        };
        let (body, path) = match sort {
            Sort::Memory => {
                let sealed = sealed()?;
                let path = sealed.path()?;
                (Body::Sealed(sealed), path)
            }
            Sort::Unnamed => {
                let sealed = sealed()?;
                let path = linked(&sealed.path()?, label)?;
                (Body::Sealed(sealed), path)
            }
            Sort::File => without_a_signal(|| disk::make(bytes, label))?,
        };
        Ok(PrivateCopy { body, path, sort })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Called when the loader has mapped it. What needn't stay is taken away.
    pub(crate) fn mapped(self) -> Option<Kept> {
        match (self.sort, self.body) {
            (Sort::Memory, Body::Sealed(sealed)) => Some(Kept::Sealed(sealed)),
            (_, Body::Sealed(sealed)) => {
                let _ = std::fs::remove_file(&self.path);
                Some(Kept::Bytes(sealed.into_bytes()))
            }
            // Windows doesn't let go of the name of a mapped file; a later process takes it away, see `copies.rs`.
            (_, Body::File { file, size }) if cfg!(windows) => Some(Kept::File { file, size }),
            (_, Body::File { file, .. }) => {
                drop(file);
                let _ = std::fs::remove_file(&self.path);
                None
            }
        }
    }

    /// Called when it won't be mapped.
    pub(crate) fn discard(self) {
        if self.sort != Sort::Memory {
            drop(self.body);
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// What is left of a copy that's mapped, to tell its content by.
#[derive(Debug)]
pub(crate) enum Kept {
    /// With the descriptor.
    Sealed(Sealed),
    /// The bytes alone.
    Bytes(SealedBytes),
    /// Nobody can write to it.
    File { file: File, size: u64 },
}

impl Kept {
    /// Whether these are exactly the copy's bytes.
    pub(crate) fn is(&self, bytes: &[u8]) -> bool {
        match self {
            Kept::Sealed(sealed) => sealed.bytes() == bytes,
            Kept::Bytes(sealed) => sealed.bytes() == bytes,
            Kept::File { file, size } => holds(file, *size, bytes).unwrap_or(false),
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

/// A name for what has none of its own but by a number: in memory if that can be, where no disk is waited for. A link may lead to
/// code from where code may not be run.
#[cfg(unix)]
fn linked(path: &Path, label: &str) -> io::Result<PathBuf> {
    let link = |folder: &Path| {
        let link = unused_path(folder, label);
        std::os::unix::fs::symlink(path, &link)?;
        Ok(link)
    };
    link(Path::new("/dev/shm")).or_else(|_: io::Error| link(&std::env::temp_dir()))
}

#[cfg(windows)]
fn linked(_path: &Path, _label: &str) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
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
    use super::{Body, File, Path, PathBuf, holds, io, unused_path};
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    pub(super) fn make(bytes: &[u8], label: &str) -> io::Result<(Body, PathBuf)> {
        #[cfg(unix)]
        let folder = std::env::temp_dir();
        #[cfg(windows)]
        let folder = crate::library::copies::folder()?;
        let path = unused_path(&folder, label);
        let copied = write(&path, bytes)
            .and_then(|()| open(&path))
            .and_then(|file| checked(file, &path, bytes));
        match copied {
            Ok(body) => Ok((body, path)),
            Err(error) => {
                let _ = fs::remove_file(&path);
                Err(error)
            }
        }
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
    fn checked(file: File, path: &Path, bytes: &[u8]) -> io::Result<Body> {
        let size = bytes.len() as u64;
        if holds(&file, size, bytes)? {
            return Ok(Body::File { file, size });
        }
        Err(io::Error::other(format!(
            "{} was changed while it was made",
            path.display()
        )))
    }
}
