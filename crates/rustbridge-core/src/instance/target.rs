//! What a call through an instance's handle reads, and the table of all such handles.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::AtomicU32;

use crate::handle::slot::Named;
use crate::handle::table::{Handle, Table};
use crate::library::negotiate::CallFn;

/// An instance, as its slot has it.
///
/// Invariant: `call` and `instance` belong together, and `flags` points to `count` bytes that live for good.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Target {
    pub(crate) call: Option<CallFn>,
    pub(crate) instance: *mut c_void,
    /// One byte for each entry index: see `describe.rs`.
    pub(crate) flags: *const u8,
    /// The mapping's tag in the upper 16 bits: an entry token minus this is the entry's index, or out of range.
    pub(crate) base: u32,
    /// How many entry indices there are. With none, no call is let in.
    pub(crate) count: u32,
}

// SAFETY: the ABI lets any thread use a plugin's instance, and the flags are only read.
unsafe impl Send for Target {}
// SAFETY: as above.
unsafe impl Sync for Target {}

impl Named for Target {
    const TABLE: u32 = 0;
    const NONE: Target = Target {
        call: None,
        instance: ptr::null_mut(),
        flags: ptr::null(),
        base: 0,
        count: 0,
    };
}

/// All instances of the process that this copy of the library made.
pub(crate) static INSTANCES: Table<Target> = Table::new();

/// The level up to which an instance's records are wanted. Plugins read it in place, through `Host::log_level`.
pub(crate) fn log_level(handle: Handle) -> &'static AtomicU32 {
    INSTANCES.slot(handle).word()
}
