//! What a plugin exports: its entry point, and the table that it leads to.

use core::ffi::{c_char, c_void};

use crate::{CallContext, Host, Response, StatusCode};

/// Type of the one symbol a plugin exports, `rustbridge_plugin`.
///
/// Takes the host's ABI version (major in the upper 16 bits, minor in the lower 16) and returns the plugin's table,
/// which is immutable and valid for as long as the library is mapped. A plugin returns its table whatever the host's
/// version is: the first two fields never change, and the host decides. Null means the plugin refuses this host.
///
/// Thread: any. State: none needed; called once per mapping or more often, with or without instances.
pub type EntryPoint = unsafe extern "C" fn(host_abi_version: u32) -> *const PluginTable;

/// The plugin's function table. All five functions of version 1.0 must be set.
///
/// Rules for every function: it must not unwind, and what it writes into a `Response` follows that struct's rules.
/// A null `response` or `error` means the caller doesn't want the payload; the status alone tells.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PluginTable {
    /// `sizeof` this struct as the plugin knows it.
    pub size: u32,
    /// The ABI version the plugin was built for: major in the upper 16 bits, minor in the lower 16.
    pub abi_version: u32,

    /// Writes the plugin's description, a JSON object (docs/describe.md gives its shape).
    ///
    /// The same bytes every time.
    ///
    /// Thread: any. State: none needed.
    pub describe: Option<unsafe extern "C" fn(response: *mut Response) -> StatusCode>,

    /// Makes an instance.
    ///
    /// `config` is `config_len` bytes of JSON, which the host has checked unless the description names an author's crate
    /// (`rustbridge`); null or empty means `{}`. What is in it is the plugin's to check. On `RB_OK` `*instance` is what the other
    /// functions take (null is allowed if the plugin needs no state). On failure `error` says why and everything the
    /// attempt made has been freed. Each instance has its own `host`.
    ///
    /// Thread: any. State: none needed.
    pub create: Option<
        unsafe extern "C" fn(
            host: *const Host,
            config: *const u8,
            config_len: usize,
            instance: *mut *mut c_void,
            error: *mut Response,
        ) -> StatusCode,
    >,

    /// Runs one entry.
    ///
    /// `entry` is an index from the description; any other value gets `RB_NOT_FOUND`. `header` is null or what the
    /// call carries. `request` is `request_len` bytes (null is allowed when 0), unaligned, borrowed until the call
    /// returns and not changed meanwhile. A pod's size is what the description says of it: the host has checked that, too, unless
    /// an author's crate is named. Nothing else is checked: whether a json request is JSON, or UTF-8 at all, and
    /// whether the bytes of any encoding mean something, is the plugin's to find out. It may block unless the entry is described as leaf, and it may call the host's
    /// functions.
    ///
    /// Thread: any, also inside another call. State: created.
    pub call: Option<
        unsafe extern "C" fn(
            instance: *mut c_void,
            entry: u32,
            call_context: *const CallContext,
            request: *const u8,
            request_len: usize,
            response: *mut Response,
        ) -> StatusCode,
    >,

    /// Ends an instance. Called once, when no call runs; `instance` is invalid afterwards whatever the status. A failure
    /// (a panic in the instance's destructor) is reported and changes nothing.
    ///
    /// Thread: any, one of the library's threads too. State: created; it ends here.
    pub destroy:
        Option<unsafe extern "C" fn(instance: *mut c_void, error: *mut Response) -> StatusCode>,

    /// The table of an optional capability by its NUL-terminated name, e.g. `rb.log/1`, or null if there's none.
    /// Each such table begins with its own size; it's immutable and valid while mapped.
    ///
    /// Thread: any. State: none needed.
    pub extension: Option<unsafe extern "C" fn(name: *const c_char) -> *const c_void>,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}
