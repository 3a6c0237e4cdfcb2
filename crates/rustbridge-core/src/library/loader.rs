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
