//! The folder in which a process on Windows keeps its private copies, and how those of ended processes go away.
//!
//! Windows lets nobody delete a file that is mapped as code, not even the process that mapped it and not at its end, so
//! copies outlive their process. Every process therefore has a folder of its own for them, and in it a file that it keeps
//! open, that nobody else can open meanwhile, and that the system deletes when the process is gone, however it ended. Who
//! makes its first copy removes the folders whose owner isn't there any more. (To have them deleted when the system
//! starts takes an administrator, and a server may never start again.)

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_DELETE_ON_CLOSE;

use super::temporary;

const PREFIX: &str = "rustbridge-copies-";
const OWNED: &str = "owned";

struct Copies {
    path: PathBuf,
    /// Closed by the system when the process ends.
    _owned: File,
}

/// This process's folder, made when it's first asked for.
pub(crate) fn folder() -> io::Result<PathBuf> {
    // A process has one, for all instances; another copy of this library in it has its own.
    static COPIES: Mutex<Option<Copies>> = Mutex::new(None);
    let mut copies = COPIES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(copies) = &*copies {
        return Ok(copies.path.clone());
    }
    let temporary = temporary::folder()?;
    tidy(&temporary);
    let made = make(&temporary)?;
    let path = made.path.clone();
    *copies = Some(made);
    Ok(path)
}

fn make(temporary: &Path) -> io::Result<Copies> {
    let time = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos());
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for attempt in 0..16 {
        let path = temporary.join(format!("{PREFIX}{}-{:x}", process::id(), time + attempt));
        if let Err(error) = fs::create_dir(&path) {
            if error.kind() != io::ErrorKind::AlreadyExists {
                return Err(named(&path, &error));
            }
            last = error;
            continue;
        }
        match own(&path.join(OWNED), true) {
            Ok(owned) => {
                return Ok(Copies {
                    path,
                    _owned: owned,
                });
            }
            // Another process took the empty folder for one that was left behind, or is about to.
            Err(error) => {
                last = named(&path, &error);
                let _ = fs::remove_dir(&path);
            }
        }
    }
    Err(last)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Opens the file that says that a folder has an owner; fails while somebody else has it open.
fn own(path: &Path, new: bool) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(new)
        .share_mode(0)
        .custom_flags(FILE_FLAG_DELETE_ON_CLOSE)
        .open(path)
}

/// Removes the folders that ended processes left behind.
fn tidy(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        // A link has the folder's name but leads elsewhere, and is no folder by its own type.
        if !is_ours(&entry.file_name().to_string_lossy())
            || !entry.file_type().is_ok_and(|kind| kind.is_dir())
        {
            continue;
        }
        let path = entry.path();
        match own(&path.join(OWNED), false) {
            // Closing deletes it.
            Ok(owned) => drop(owned),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => continue,
        }
        let _ = fs::remove_dir_all(path);
    }
}

/// Exactly the names that `make` gives: whatever else is in the folder is somebody else's.
fn is_ours(name: &str) -> bool {
    name.strip_prefix(PREFIX)
        .and_then(|rest| rest.split_once('-'))
        .is_some_and(|(id, time)| {
            !id.is_empty()
                && !time.is_empty()
                && id.bytes().all(|byte| byte.is_ascii_digit())
                && time.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_without_an_owner_and_with_our_name_are_removed() {
        let temporary = std::env::temp_dir().join(format!("rb-test-tidy-{}", process::id()));
        let _ = fs::remove_dir_all(&temporary);
        fs::create_dir_all(&temporary).unwrap();
        let owned = make(&temporary).unwrap();
        fs::write(owned.path.join("copy.dll"), b"in use").unwrap();
        let ended = make(&temporary).unwrap();
        fs::write(ended.path.join("copy.dll"), b"left").unwrap();
        let left = ended.path.clone();
        drop(ended);
        let others = [
            "rustbridge-copies",
            "rustbridge-copies-1-x y",
            "rustbridge-notes",
        ];
        for other in others {
            fs::create_dir(temporary.join(other)).unwrap();
        }

        tidy(&temporary);
        assert!(!left.exists());
        assert!(owned.path.join("copy.dll").exists());
        for other in others {
            assert!(temporary.join(other).exists(), "{other}");
        }

        drop(owned);
        tidy(&temporary);
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), others.len());
        fs::remove_dir_all(&temporary).unwrap();
    }

    #[test]
    fn a_process_has_one_folder() {
        let folders = [(); 2].map(|()| folder().unwrap());
        assert_eq!(folders[0], folders[1]);
        assert!(folders[0].is_dir());
        assert!(is_ours(&folders[0].file_name().unwrap().to_string_lossy()));
    }
}
