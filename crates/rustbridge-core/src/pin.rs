//! Keeps the library this code is in from being unmapped: plugins hold pointers into it, and so do thread-local
//! destructors and the fork handlers.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pins the library that contains this code, so that it is never unmapped. Does nothing if the code is linked into an executable.
pub fn pin_this_library() {
    // This library is in the process once, whatever it loads. Threads may pin it at once, which does no harm, while a lock
    // could stay taken in a forked child.
    static PINNED: AtomicBool = AtomicBool::new(false);
    if !PINNED.load(Ordering::Acquire) {
        pin(pin_this_library as *const c_void);
        PINNED.store(true, Ordering::Release);
    }
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
