//! The types of the functions in a plugin's tables.

use std::ffi::c_void;

use rustbridge_abi::{CallContext, Response, StatusCode};

/// An entry. Its parameters are those of `PluginTable::call` in the same order. So the shim in front of the table is three
/// comparisons (entry exists, response isn't null, thread must be marked) and a jump. The jump requires `extern "C"`: with Rust's
/// own ABI the shim would need its own landing pad.
///
/// # Safety
/// As `PluginTable::call` requires. In addition, the instance belongs to the plugin for which the entry was generated, and
/// `response` isn't null.
pub type Entry = unsafe extern "C" fn(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode;

/// A start. Its parameters are those of `AsyncExtension::start`.
///
/// # Safety
/// As `AsyncExtension::start` requires. In addition, the instance belongs to the plugin for which the start was generated, and
/// `response` and `task` aren't null.
pub type Start = unsafe extern "C" fn(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
    task: *mut *mut c_void,
) -> StatusCode;
