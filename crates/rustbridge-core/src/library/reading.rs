//! A library's file as it's read: nothing is waited for, no more is read than there was, and what changes meanwhile is read
//! again.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

use rustbridge_abi::Status;

use super::sealed::SealedMemory;
use super::stat::Stat;
use crate::error::Error;

/// How often a file is read that changes each time. Who renames a new one over it, or sets its mode, changes it once.
const ATTEMPTS: u32 = 3;

/// How often it's asked for again what somebody else has to give up first, and how long after.
const YIELDS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// A file that didn't change while it was read.
pub(super) struct Read {
    pub(super) body: Body,
    /// What the file system said of it.
    pub(super) stat: Option<Stat>,
    /// When that was.
    pub(super) at: SystemTime,
}

/// A file's bytes.
pub(super) enum Body {
    /// In sealed memory, with their hash.
    Sealed(SealedMemory, u128),
    Plain(Vec<u8>),
}

impl Body {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Body::Sealed(sealed, _) => sealed.bytes(),
            Body::Plain(bytes) => bytes,
        }
    }
}

/// Reads the file `source`, into sealed memory if `is_for_mapping` says so of one of such a size, and there's such memory. If
/// not, whatever the reason, it's read all the same: if it's one that stays, it's told when it's to be mapped.
pub(super) fn read(
    path: &Path,
    source: &str,
    is_for_mapping: impl Fn(&File, u64) -> bool,
) -> Result<Read, Error> {
    read_beside(path, source, is_for_mapping, || ())
}

/// The same, beside somebody who does something to the file while it's read.
fn read_beside(
    path: &Path,
    source: &str,
    is_for_mapping: impl Fn(&File, u64) -> bool,
    mut meanwhile: impl FnMut(),
) -> Result<Read, Error> {
    let unreadable = |error: io::Error| unreadable(source, &error);
    for _ in 0..ATTEMPTS {
        let file = open(path).map_err(unreadable)?;
        let at = SystemTime::now();
        let before = file.metadata().map_err(unreadable)?;
        check(&before, source)?;
        let stat = Stat::of_file(path, &file, &before);
        let size = before.len();
        let sealed = if is_for_mapping(&file, size) {
            SealedMemory::of_file(&file, size, &label(path)).ok()
        } else {
            None
        };
        let body = match sealed {
            Some((sealed, hash)) => Body::Sealed(sealed, hash),
            None => Body::Plain(bytes(&file, size, source)?),
        };
        meanwhile();
        let after = file.metadata().map_err(unreadable)?;
        if stat == Stat::of_file(path, &file, &after) && body.bytes().len() as u64 == size {
            return Ok(Read { body, stat, at });
        }
    }
    Err(changed(source, "while it was read"))
}

/// That a file is a regular one. A pipe would be waited for and a device never end, with everybody else's loading held up meanwhile.
pub(super) fn check(found: &Metadata, source: &str) -> Result<(), Error> {
    if found.is_file() {
        return Ok(());
    }
    let what = if found.is_dir() {
        "is a folder: pass the path of the library file in it"
    } else {
        "is not a regular file: pass the path of the library file itself"
    };
    Err(Error::new(
        Status::InvalidArgument,
        "NotALibrary",
        format!("{source} {what}"),
    ))
}

/// Whatever was at the path when it was looked at, by now it may be a pipe, which mustn't be waited for.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    // Another computer that has written to it through a server may have to be asked to give it up first.
    for _ in 0..YIELDS {
        match options.open(path) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(PAUSE),
            opened => return opened,
        }
    }
    options.open(path)
}

/// What of a file's name is in that of its copy.
fn label(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.chars()
        .filter(char::is_ascii_graphic)
        .take(100)
        .collect()
}

/// A file's bytes, and one at most of what it has beyond its size, which tells that it grew.
fn bytes(file: &File, size: u64, source: &str) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))
        .map_err(|_| too_large(source, size))?;
    file.take(size.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(source, &error))?;
    Ok(bytes)
}

pub(super) fn changed(source: &str, when: &str) -> Error {
    Error::new(
        Status::FailedPrecondition,
        "Changed",
        format!(
            "{source} was changed {when}: replace a library by renaming the new file over it, and load it again"
        ),
    )
}

pub(super) fn unreadable(source: &str, error: &io::Error) -> Error {
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
            "{source} has {len} bytes, and there is no memory for them: check that it is the library, and not a sparse or damaged file"
        ),
    )
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// A path of a test's own, with nothing there.
    fn path(test: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("rb-test-{test}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_read_again() {
        let path = path("reading-again");
        for is_for_mapping in [false, true] {
            fs::write(&path, "old").unwrap();
            // Each of another length: the clock of a file system may not have ticked in between.
            let mut changes = ["longer", "short"].into_iter();
            let meanwhile = || {
                if let Some(change) = changes.next() {
                    fs::write(&path, change).unwrap();
                }
            };
            let read = read_beside(&path, "`file`", |_, _| is_for_mapping, meanwhile);
            assert_eq!(read.unwrap().body.bytes(), b"short");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_that_never_rests_is_refused() {
        let path = path("reading-restless");
        fs::write(&path, "0").unwrap();
        let mut times = 0;
        let read = read_beside(
            &path,
            "`file`",
            |_, _| false,
            || {
                times += 1;
                fs::write(&path, "x".repeat(times)).unwrap();
            },
        );
        let error = read.err().unwrap();
        assert_eq!(error.type_name(), "rustbridge.Changed");
        assert!(error.message().contains("`file` was changed"), "{error}");
        fs::remove_file(&path).unwrap();
    }

    /// Between the look at the path and the opening, anything may have come there.
    #[test]
    fn a_pipe_in_the_place_of_a_file_is_refused_instead_of_waited_for() {
        use std::os::unix::ffi::OsStrExt;

        let path = path("reading-pipe");
        let name = std::ffi::CString::new(path.as_os_str().as_bytes()).unwrap();
        // SAFETY: `name` is NUL-terminated.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        let (send, received) = mpsc::channel();
        let pipe = path.clone();
        // Detached: where it waits for a writer, nothing ends it.
        thread::spawn(move || send.send(read(&pipe, "`pipe`", |_, _| true).err()));
        let error = received.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(error.unwrap().type_name(), "rustbridge.NotALibrary");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn no_more_is_read_than_tells_that_a_file_grew() {
        let endless = File::open("/dev/zero").unwrap();
        assert_eq!(bytes(&endless, 100, "`file`").unwrap().len(), 101);
    }
}
