//! A library whose description is cut off. `create` would end the process, so a host that makes an instance of what it
//! can't describe shows.

use std::ffi::{c_char, c_void};
use std::{process, ptr};

use rustbridge_abi::{
    CallContext, Host, PluginTable, RB_OK, RB_UNIMPLEMENTED, Response, StatusCode,
};

const DESCRIPTION: &[u8] = br#"{"abi":"1.0","name":"cut","version":"1","methods":[{"name":"#;

/// What every host gets: immutable, so right with any number of them.
static TABLE: PluginTable = PluginTable {
    describe: Some(describe),
    create: Some(create),
    call: Some(call),
    destroy: Some(destroy),
    extension: Some(extension),
    ..PluginTable::EMPTY
};

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    // SAFETY: the host's response, null or writable; the text is static, so releasing it frees nothing.
    if let Some(response) = unsafe { response.as_mut() } {
        response.data = DESCRIPTION.as_ptr().cast_mut();
        response.len = DESCRIPTION.len();
        response.capacity = DESCRIPTION.len();
        response.release = Some(release);
    }
    RB_OK
}

unsafe extern "C" fn release(_: *mut Response) {}

unsafe extern "C" fn create(
    _context: *mut c_void,
    _: *const Host,
    _: *const u8,
    _: usize,
    _: *mut *mut c_void,
    _: *mut Response,
) -> StatusCode {
    process::abort()
}

unsafe extern "C" fn call(
    _: *mut c_void,
    _: u32,
    _: *const CallContext,
    _: *const u8,
    _: usize,
    _: *mut Response,
) -> StatusCode {
    RB_UNIMPLEMENTED
}

unsafe extern "C" fn destroy(_: *mut c_void, _: *mut Response) -> StatusCode {
    RB_OK
}

unsafe extern "C" fn extension(_context: *mut c_void, _: *const c_char) -> *const c_void {
    ptr::null()
}

/// The one symbol.
// SAFETY: no other symbol of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn rustbridge_plugin(_host_abi_version: u32) -> *const PluginTable {
    &raw const TABLE
}
