//! The host's table for plugins.

use core::ffi::{c_char, c_void};

use crate::{LevelCode, LogRecord, Text};

/// Bit of [`Host::flags`]: error payloads of panics should carry a backtrace.
pub const RB_HOST_BACKTRACE: u32 = 1;

/// The table that the host passes to `create`: one for each instance.
///
/// The struct and its pointers are valid until `destroy` returns, or `create` has failed. Values copied from it stay usable as long
/// as the process lives, so that a thread which the plugin forgot does no harm: `log_level` can be read, and `log` and `extension`
/// can be called with `context`. After the instance was closed, the level reads `RB_LOG_OFF` (or that of a later instance), and records are
/// dropped.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// `sizeof` this struct as the host knows it.
    pub size: u32,
    /// The host's ABI version: major in the upper 16 bits, minor in the lower 16.
    pub abi_version: u32,
    /// To be passed to every function of this table. Opaque to the plugin.
    pub context: *mut c_void,
    /// `RB_HOST_` bits.
    pub flags: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// The instance's name, for messages.
    pub instance_name: Text,
    /// The log level. Read it with a relaxed atomic load before you build a record.
    pub log_level: *const LevelCode,
    /// Accepts one record. Copies it, never waits for the host's logger and never calls back. Records above `log_level` are ignored.
    ///
    /// Thread: any, also inside a call. State: any.
    pub log: Option<unsafe extern "C" fn(context: *mut c_void, record: *const LogRecord)>,
    /// Returns the table of an optional capability of the host by its NUL-terminated name, or null if the host lacks it. Each table
    /// begins with its own size and is valid as long as the process lives.
    ///
    /// Thread: any, also inside a call. State: any.
    pub extension:
        Option<unsafe extern "C" fn(context: *mut c_void, name: *const c_char) -> *const c_void>,
    /// How many threads the plugin may use at once for synchronous handlers that are offloaded or wait for the items of a stream.
    /// Further ones wait. 0: no limit by the host; a plugin in Rust then uses 512.
    pub threads: u64,
    /// The absolute path of the file from which the plugin was loaded; empty if it was loaded from memory. UTF-8 on Windows, where it is
    /// also empty if the path is not Unicode; elsewhere the bytes of the file system. The library itself may be mapped from a copy, so
    /// it cannot find this path through the loader.
    pub plugin_path: Text,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}
