//! The system's loader: maps a library for good and finds the one symbol we know of.

use std::path::Path;

use rustbridge_abi::{ENTRY_POINT, EntryPoint};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::missing;
#[cfg(windows)]
use windows::open;

/// A library that was mapped and will stay so.
#[derive(Debug)]
pub(crate) struct Library {
    entry_point: Option<EntryPoint>,
}

impl Library {
    /// The function the plugin exports, if it does.
    pub(crate) fn entry_point(&self) -> Option<EntryPoint> {
        self.entry_point
    }
}

/// Maps a library, with all its symbols bound now and none of them offered to libraries that come later.
///
/// `home` is the folder of the file it is a copy of, where Windows shall look for what it depends on. (Elsewhere a
/// library says itself where that is.)
pub(crate) fn load(path: &Path, home: Option<&Path>) -> Result<Library, String> {
    // SAFETY: the image was checked to be a library for this system that exports a plugin's entry point; that its
    // initialisers are harmless is what loading a plugin means to trust.
    let library = unsafe { open(path, home) }.map_err(|error| {
        // libloading's text says which call failed; what the system said is its source.
        std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
    })?;
    // SAFETY: a symbol of this name has this type, by the plugin ABI.
    let entry_point = unsafe { library.get::<EntryPoint>(ENTRY_POINT) }
        .ok()
        .map(|symbol| *symbol);
    // Not even whoever finds the library by its name and gives up a use of it that was never theirs unmaps it.
    #[cfg(windows)]
    let _ = library.pin();
    std::mem::forget(library);
    Ok(Library { entry_point })
}

/// A name for a file by which the loader has no library, or `None` if it has this very file.
///
/// The loader takes a library that it has under a name for the one that is asked for, whatever lies there by now. A path
/// has many names: `/folder/./file` is another one, with the same folder.
#[cfg(unix)]
pub(crate) fn unused_name(path: &Path) -> Option<std::path::PathBuf> {
    use std::sync::atomic::{AtomicU64, Ordering};
    // Counts over the whole process, whose loader it is: who asks by a name has used it, since the loader adds it to those
    // of the library that it found.
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let path = std::path::absolute(path).ok()?;
    if !is_loaded(&path) {
        return Some(path);
    }
    let mut spelling = path.parent()?.as_os_str().to_owned();
    let mut number = NEXT.fetch_add(1, Ordering::Relaxed);
    while number > 0 {
        spelling.push(if number & 1 == 0 { "/." } else { "//." });
        number >>= 1;
    }
    spelling.push("/");
    spelling.push(path.file_name()?);
    let path = std::path::PathBuf::from(spelling);
    (!is_loaded(&path)).then_some(path)
}

#[cfg(windows)]
pub(crate) fn unused_name(_path: &Path) -> Option<std::path::PathBuf> {
    None
}

/// Whether the loader has a library of this name, or this file under another one.
#[cfg(unix)]
fn is_loaded(path: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let Ok(path) = std::ffi::CString::new(path.as_os_str().as_bytes()) else {
        return false;
    };
    // SAFETY: the path is NUL-terminated; nothing is loaded, and a use that was counted is given up again.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        !handle.is_null() && libc::dlclose(handle) == 0
    }
}

#[cfg(unix)]
unsafe fn open(
    path: &Path,
    _home: Option<&Path>,
) -> Result<libloading::os::unix::Library, libloading::Error> {
    // SAFETY: the caller's promise.
    unsafe {
        libloading::os::unix::Library::open(
            Some(path),
            libloading::os::unix::RTLD_NOW | libloading::os::unix::RTLD_LOCAL,
        )
    }
}
