//! The exports of a plugin: its entry point and the table that it returns.

use core::ffi::{c_char, c_void};

use crate::{CallContext, Host, Response, StatusCode};

/// The type of `rustbridge_plugin`, the one symbol that a plugin exports.
///
/// Accepts the host's ABI version (major in the upper 16 bits, minor in the lower 16) and returns the plugin's table, which is
/// immutable and valid as long as the library is mapped. A plugin returns its table whatever the host's version is; the first two
/// fields never change, and the host decides. Null means that the plugin refuses this host.
///
/// Thread: any. State: none needed; called one or more times for each mapping, with or without instances.
pub type EntryPoint = unsafe extern "C" fn(host_abi_version: u32) -> *const PluginTable;

/// The plugin's function table. All five functions of version 1.0 must be set.
///
/// No function may unwind. A function that writes to a `Response` follows that struct's rules. If `response` or `error` is null,
/// the caller does not want the payload, only the status.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PluginTable {
    /// `sizeof` this struct as the plugin knows it.
    pub size: u32,
    /// The ABI version the plugin was built for: major in the upper 16 bits, minor in the lower 16.
    pub abi_version: u32,
    /// To be passed to `describe`, `create` and `extension`. Opaque to the host. For a table that is made at run time; otherwise
    /// null.
    pub context: *mut c_void,

    /// Writes the plugin's description, a JSON object (docs/describe.md specifies it). It must be the same bytes every time.
    ///
    /// Thread: any. State: none needed.
    pub describe:
        Option<unsafe extern "C" fn(context: *mut c_void, response: *mut Response) -> StatusCode>,

    /// Creates an instance.
    ///
    /// `config` is `config_len` bytes of JSON; null or empty means `{}`. The host has checked that it is JSON, unless the description
    /// names an author's crate (`rustbridge`). The plugin checks its content. On `RB_OK`, `*instance` is the value to pass to the other
    /// functions; it may be null if the plugin needs no state. On failure, `error` has the reason, and the plugin has freed everything.
    /// Each instance has a `host` of its own.
    ///
    /// Thread: any. State: none needed.
    pub create: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            host: *const Host,
            config: *const u8,
            config_len: usize,
            instance: *mut *mut c_void,
            error: *mut Response,
        ) -> StatusCode,
    >,

    /// Runs one entry.
    ///
    /// `entry` is an index from the description; any other value gets `RB_NOT_FOUND`. `call_context` may be null. `request` is
    /// `request_len` bytes (null is allowed when 0), unaligned, borrowed and unchanged until the call returns. For the encoding pod,
    /// the host has checked the size against the description, unless an author's crate is named. The host checks nothing
    /// else: the plugin must validate that a json request is JSON in UTF-8, and that the bytes of any other encoding are well-formed.
    ///
    /// The function may block unless the entry is described as leaf, and it may call the host's functions.
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

    /// Destroys an instance. Called once, when no call runs. Afterwards `instance` is invalid whatever the status. A failure (a panic in
    /// the instance's destructor) is reported and changes nothing.
    ///
    /// Thread: any, also one of the library's threads. State: created; it ends here.
    pub destroy:
        Option<unsafe extern "C" fn(instance: *mut c_void, error: *mut Response) -> StatusCode>,

    /// Returns the table of an optional capability by its NUL-terminated name, for example `rb.log/1`, or null if the plugin lacks it.
    /// Each table begins with its own size. It is immutable and valid as long as the library is mapped.
    ///
    /// Thread: any. State: none needed.
    pub extension:
        Option<unsafe extern "C" fn(context: *mut c_void, name: *const c_char) -> *const c_void>,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

// SAFETY: a table is immutable, and the ABI allows any thread to call its functions and to pass the context.
unsafe impl Send for PluginTable {}
// SAFETY: as above.
unsafe impl Sync for PluginTable {}
