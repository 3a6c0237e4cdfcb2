//! What a plugin gets to know of its host.

use core::ffi::{c_char, c_void};

use crate::{LevelCode, LogRecord, Text};

/// Bit of [`Host::flags`]: error payloads of panics should carry a backtrace.
pub const RB_HOST_BACKTRACE: u32 = 1;

/// What the host hands to `create`: one per instance.
///
/// The struct and what it points to stay valid until `destroy` returns. What was copied from it may be used at any time
/// for good, so that a thread the plugin forgot can do no harm: `log_level` may be read, `log` and `extension` may be
/// called with `context`. After the instance is closed the level reads `RB_LOG_OFF` (or belongs to a later instance)
/// and the record is dropped.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// `sizeof` this struct as the host knows it.
    pub size: u32,
    /// The host's ABI version: major in the upper 16 bits, minor in the lower 16.
    pub abi_version: u32,
    /// Passed back to every function of this table. Opaque to the plugin.
    pub context: *mut c_void,
    /// `RB_HOST_` bits.
    pub flags: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// The name the host gave to this instance, for messages.
    pub instance_name: Text,
    /// The level up to which records are wanted; read it with a relaxed atomic load before building a record.
    pub log_level: *const LevelCode,
    /// Takes one record. Copies what it needs, never waits for the host's logger and never calls back. Records above
    /// `log_level` are ignored.
    ///
    /// Thread: any, also inside a call. State: any.
    pub log: Option<unsafe extern "C" fn(context: *mut c_void, record: *const LogRecord)>,
    /// The table of an optional capability of the host's by its NUL-terminated name, or null if it has none of that name.
    /// Each such table begins with its own size and is valid as long as the process lives.
    ///
    /// Thread: any, also inside a call. State: any.
    pub extension:
        Option<unsafe extern "C" fn(context: *mut c_void, name: *const c_char) -> *const c_void>,
    /// How many threads plain handlers may have of their own at once, those that are offloaded or wait for the items of a stream; what is
    /// beyond waits. 0: as many as the plugin likes, 512 of one that's written in Rust.
    pub threads: u64,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}
