//! Private copies: what is mapped is never the file a host named, so nobody can change it or pull it away under us, and
//! a new version at the same path is a new library to the system's loader.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A library's bytes in a file of ours that stays open for good.
#[derive(Debug)]
pub(crate) struct PrivateCopy {
    file: File,
    size: u64,
    /// Where the system's loader finds it.
    path: PathBuf,
    /// What sort of file it is, for the ledger.
    pub(crate) kind: &'static str,
}

impl PrivateCopy {
    /// In memory where the system can, else in a file.
    pub(crate) fn make(bytes: &[u8], label: &str) -> io::Result<PrivateCopy> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if let Ok(copy) = memory::make(bytes, label) {
            return Ok(copy);
        }
        PrivateCopy::make_file(bytes, label)
    }

    /// In the folder for temporary files, on Windows in one of this process's own.
    pub(crate) fn make_file(bytes: &[u8], label: &str) -> io::Result<PrivateCopy> {
        disk::make(bytes, label)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Called when the loader has mapped it: a name that's no longer needed is taken away.
    pub(crate) fn mapped(&self) {
        // Windows doesn't let go of the name of a mapped file; a later process takes it away, see `copies.rs`.
        #[cfg(unix)]
        if self.kind == disk::KIND {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    /// Called when it won't be mapped.
    pub(crate) fn discard(self) {
        if self.kind == disk::KIND {
            drop(self.file);
            let _ = std::fs::remove_file(&self.path);
        }
    }

    /// Whether it holds exactly these bytes.
    pub(crate) fn holds(&self, bytes: &[u8]) -> io::Result<bool> {
        if self.size != bytes.len() as u64 {
            return Ok(false);
        }
        // Small enough to stay in the cache.
        let mut buffer = vec![0; 32 * 1024];
        let mut offset = 0;
        for chunk in bytes.chunks(buffer.len()) {
            let read = &mut buffer[..chunk.len()];
            read_exact_at(&self.file, read, offset)?;
            if read != chunk {
                return Ok(false);
            }
            offset += chunk.len() as u64;
        }
        Ok(true)
    }
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

#[cfg(any(target_os = "linux", target_os = "android"))]
mod memory {
    use super::{File, PrivateCopy, io};
    use std::ffi::CString;
    use std::io::Write;
    use std::os::fd::{AsRawFd, FromRawFd};

    /// Asks for a file that may be mapped executable; kernels before 6.3 don't know the flag and always allow it.
    const MFD_EXEC: libc::c_uint = 0x10;

    pub(super) fn make(bytes: &[u8], label: &str) -> io::Result<PrivateCopy> {
        let name = CString::new(format!("rustbridge-{label}"))?;
        let base = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: `name` is NUL-terminated.
        let mut fd = unsafe { libc::memfd_create(name.as_ptr(), base | MFD_EXEC) };
        if fd < 0 {
            // SAFETY: as above.
            fd = unsafe { libc::memfd_create(name.as_ptr(), base) };
        }
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new and nobody else's.
        let mut file = unsafe { File::from_raw_fd(fd) };
        file.write_all(bytes)?;
        let seals =
            libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_WRITE | libc::F_SEAL_SEAL;
        // SAFETY: takes no pointers. Without the seals the copy is still ours alone, so a refusal changes little.
        unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) };
        let path = format!("/proc/self/fd/{}", file.as_raw_fd()).into();
        // Without /proc the loader would not find it.
        if !std::fs::exists(&path).unwrap_or(false) {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(PrivateCopy {
            file,
            size: bytes.len() as u64,
            path,
            kind: "memory",
        })
    }
}

mod disk {
    use super::{File, Path, PathBuf, PrivateCopy, io};
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::process;
    use std::sync::atomic::{AtomicU64, Ordering};

    pub(super) const KIND: &str = "file";

    pub(super) fn make(bytes: &[u8], label: &str) -> io::Result<PrivateCopy> {
        #[cfg(unix)]
        let folder = std::env::temp_dir();
        #[cfg(windows)]
        let folder = crate::library::copies::folder()?;
        let path = unused_path(&folder, label);
        let copied = write(&path, bytes)
            .and_then(|()| open(&path))
            .and_then(|file| checked(file, &path, bytes));
        copied.inspect_err(|_| {
            let _ = fs::remove_file(&path);
        })
    }

    fn unused_path(folder: &Path, label: &str) -> PathBuf {
        // Counts over the whole process, so that two copies never share a name; `create_new` settles the rest.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let time = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        folder.join(format!(
            "rustbridge-{}-{}-{time:x}-{label}{}",
            process::id(),
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
    fn checked(file: File, path: &Path, bytes: &[u8]) -> io::Result<PrivateCopy> {
        let copy = PrivateCopy {
            file,
            size: bytes.len() as u64,
            path: path.to_owned(),
            kind: KIND,
        };
        if copy.holds(bytes)? {
            return Ok(copy);
        }
        Err(io::Error::other(format!(
            "{} was changed while it was made",
            path.display()
        )))
    }
}
