//! Private copies: what is mapped isn't the file a host named, so nobody can change it or pull it away under us, and a new
//! version at the same path is a new library to the system's loader.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// What sort of file a copy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// In memory, sealed. Its descriptor stays open: its number is in the name by which debuggers and backtraces find the
    /// symbols, and by which the loader knows the library. A number that was used again would lead both astray.
    Memory,
    /// In the folder for temporary files, on Windows in one of this process's own. Where a mapped file may be removed,
    /// nothing of it is left but the mapping.
    File,
}

impl Sort {
    /// As the ledger has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Sort::Memory => "memory",
            Sort::File => "file",
        }
    }
}

/// A library's bytes in a file of ours.
#[derive(Debug)]
pub(crate) struct PrivateCopy {
    file: File,
    size: u64,
    /// Where the system's loader finds it.
    path: PathBuf,
    sort: Sort,
}

impl PrivateCopy {
    pub(crate) fn make(bytes: &[u8], label: &str, sort: Sort) -> io::Result<PrivateCopy> {
        without_a_signal(|| match sort {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            Sort::Memory => memory::make(bytes, label),
            #[cfg(not(any(target_os = "linux", target_os = "android")))]
            Sort::Memory => Err(io::ErrorKind::Unsupported.into()),
            Sort::File => disk::make(bytes, label),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Called when the loader has mapped it. What needn't stay is taken away.
    pub(crate) fn mapped(self) -> Option<PrivateCopy> {
        // Windows doesn't let go of the name of a mapped file; a later process takes it away, see `copies.rs`.
        if cfg!(windows) || self.sort == Sort::Memory {
            return Some(self);
        }
        self.discard();
        None
    }

    /// Called when it won't be mapped.
    pub(crate) fn discard(self) {
        if self.sort == Sort::File {
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

/// Runs what writes a file. Where a process may only write small ones (`RLIMIT_FSIZE`), whoever goes beyond gets an error
/// and a signal that ends the process; the error is enough.
#[cfg(unix)]
fn without_a_signal<R>(write: impl FnOnce() -> R) -> R {
    // SAFETY: the sets are writable, filled in before they are read, and the signal is a valid one. What is blocked is
    // blocked for this thread alone and as before in the end; it's waited for only when it's there, so that nobody waits.
    unsafe {
        let mut wanted = std::mem::zeroed();
        libc::sigemptyset(&raw mut wanted);
        libc::sigaddset(&raw mut wanted, libc::SIGXFSZ);
        let is_pending = || {
            let mut pending = std::mem::zeroed();
            libc::sigpending(&raw mut pending) == 0
                && libc::sigismember(&raw const pending, libc::SIGXFSZ) == 1
        };
        let mut before = std::mem::zeroed();
        if libc::pthread_sigmask(libc::SIG_BLOCK, &raw const wanted, &raw mut before) != 0 {
            return write();
        }
        let was_pending = is_pending();
        let result = write();
        if !was_pending && is_pending() {
            let mut signal = 0;
            libc::sigwait(&raw const wanted, &raw mut signal);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
        result
    }
}

#[cfg(not(unix))]
fn without_a_signal<R>(write: impl FnOnce() -> R) -> R {
    write()
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
    use super::{File, PathBuf, PrivateCopy, Sort, io};
    use std::ffi::{CStr, CString};
    use std::io::Write;
    use std::os::fd::{AsRawFd, FromRawFd};
    use std::os::unix::fs::MetadataExt;

    /// Asks for a file that may be mapped executable; kernels before 6.3 don't know the flag and always allow it.
    const MFD_EXEC: libc::c_uint = 0x10;

    /// The kernel's own call, because glibc has a function for it from 2.27 on only, and a library that names that function
    /// doesn't load on an older one. A kernel without it answers as for any other failure.
    fn memfd_create(name: &CStr, flags: libc::c_uint) -> libc::c_int {
        // SAFETY: `name` is NUL-terminated, and the kernel copies it. The answer is a descriptor or -1, which fit.
        unsafe { libc::syscall(libc::SYS_memfd_create, name.as_ptr(), flags) as libc::c_int }
    }

    pub(super) fn make(bytes: &[u8], label: &str) -> io::Result<PrivateCopy> {
        let name = CString::new(format!("rustbridge-{label}"))?;
        let base = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        let mut fd = memfd_create(&name, base | MFD_EXEC);
        if fd < 0 {
            fd = memfd_create(&name, base);
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
        let path = path(&file)?;
        Ok(PrivateCopy {
            file,
            size: bytes.len() as u64,
            path,
            sort: Sort::Memory,
        })
    }

    /// A name that leads to the file in other processes as well: a debugger that reads symbols from `/proc/self` reads from
    /// whatever it has under that number itself, and waits for good if that's a pipe. Where `/proc` has other numbers for
    /// processes than we know (a container's may be the machine's), only the first person is right.
    ///
    /// Without `/proc` there's no name, and the loader can't find the file.
    fn path(file: &File) -> io::Result<PathBuf> {
        let own = file.metadata()?;
        let number = file.as_raw_fd();
        [
            format!("/proc/{}/fd/{number}", std::process::id()),
            format!("/proc/self/fd/{number}"),
        ]
        .into_iter()
        .map(PathBuf::from)
        .find(|path| {
            std::fs::metadata(path)
                .is_ok_and(|found| (found.dev(), found.ino()) == (own.dev(), own.ino()))
        })
        .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

mod disk {
    use super::{File, Path, PathBuf, PrivateCopy, Sort, io};
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::process;
    use std::sync::atomic::{AtomicU64, Ordering};

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
            sort: Sort::File,
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
