//! A library of ABI 2.0. Its functions would end the process, so a host that calls one before it has looked at the
//! version shows.

use std::ffi::{c_char, c_void};
use std::process;

use rustbridge_abi::{CallContext, Host, PluginTable, Response, StatusCode};

/// What every host gets: immutable, so right with any number of them.
static TABLE: PluginTable = PluginTable {
    abi_version: 2 << 16,
    describe: Some(describe),
    create: Some(create),
    call: Some(call),
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

unsafe extern "C" fn call(
    _: *mut c_void,
    _: u32,
    _: *const CallContext,
    _: *const u8,
    _: usize,
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
