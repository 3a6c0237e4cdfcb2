//! A library whose table has no `call`. The others would end the process, so a host that calls one before it has looked
//! at all of them shows.

use std::ffi::{c_char, c_void};
use std::process;

use rustbridge_abi::{Host, PluginTable, Response, StatusCode};

/// What every host gets: immutable, so right with any number of them.
static TABLE: PluginTable = PluginTable {
    describe: Some(describe),
    create: Some(create),
    call: None,
    destroy: Some(destroy),
    extension: Some(extension),
    ..PluginTable::EMPTY
};

unsafe extern "C" fn describe(_context: *mut c_void, _: *mut Response) -> StatusCode {
    process::abort()
}

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

unsafe extern "C" fn destroy(_: *mut c_void, _: *mut Response) -> StatusCode {
    process::abort()
}

unsafe extern "C" fn extension(_context: *mut c_void, _: *const c_char) -> *const c_void {
    process::abort()
}

/// The one symbol.
// SAFETY: no other symbol of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn rustbridge_plugin(_host_abi_version: u32) -> *const PluginTable {
    &raw const TABLE
}
