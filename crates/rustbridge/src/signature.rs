//! What the functions in a plugin's tables look like.

use std::ffi::c_void;

use rustbridge_abi::{CallContext, Response, StatusCode};

/// An entry. The parameters are those of `PluginTable::call` in the same order, so that the shim in front of the table is three
/// comparisons and a jump (is there such an entry, a response, a mark to be set?); that takes `extern "C"`, because with Rust's own
/// ABI the shim would have to stand by with a landing pad of its own.
///
/// # Safety
/// As `PluginTable::call` says, and: the instance is one of the plugin the entry was made for, `response` isn't null.
pub type Entry = unsafe extern "C" fn(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode;

/// A start. The parameters are those of `AsyncExtension::start`.
///
/// # Safety
/// As `AsyncExtension::start` says, and: the instance is one of the plugin that the start was made for, `response` and `task`
/// aren't null.
pub type Start = unsafe extern "C" fn(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
    task: *mut *mut c_void,
) -> StatusCode;
