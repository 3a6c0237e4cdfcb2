//! The system's loader: maps a library for good and finds the one symbol we know of.

use std::ffi::c_void;
use std::path::Path;
use std::sync::Once;

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

/// Keeps the library this code is in from being unmapped: plugins hold pointers into it, and so do thread-local
/// destructors and the fork handlers. Without effect in a program, which can't be unmapped.
pub(crate) fn pin_this_library() {
    // This library is in the process once, whatever it loads.
    static ONCE: Once = Once::new();
    ONCE.call_once(|| pin(pin_this_library as *const c_void));
}

#[cfg(unix)]
fn pin(address: *const c_void) {
    // SAFETY: `dladdr` fills the struct in when it answers other than 0, and its file name is then a C string. Opening
    // what is open already runs nothing; the handle is given up on purpose.
    unsafe {
        let mut info = std::mem::zeroed::<libc::Dl_info>();
        if libc::dladdr(address, &mut info) != 0 && !info.dli_fname.is_null() {
            libc::dlopen(
                info.dli_fname,
                libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE,
            );
        }
    }
}

#[cfg(windows)]
fn pin(address: *const c_void) {
    use windows_sys::Win32::System::LibraryLoader::{
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN, GetModuleHandleExW,
    };
    let mut module = std::ptr::null_mut();
    // SAFETY: with this flag the name is an address inside the module; `module` is writable.
    unsafe {
        GetModuleHandleExW(
            GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
            address.cast(),
            &mut module,
        );
    }
}
