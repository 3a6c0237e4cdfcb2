//! What a call through an instance's handle reads, and the table of all such handles.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::library::negotiate::{CallFn, PluginFunctions};
use crate::registry::slot::HandleTarget;
use crate::registry::table::{self, Handle, Table};

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

impl HandleTarget for Target {
    const TABLE: u32 = 0;
    const NONE: Target = Target {
        call: None,
        instance: ptr::null_mut(),
        flags: ptr::null(),
        base: 0,
        count: 0,
    };
}

/// What else there is to an instance, for calls that aren't in such a hurry: by slot, and as valid as the target there.
pub(crate) struct Extra {
    /// The plugin. Lives for good.
    plugin: AtomicPtr<PluginFunctions>,
    /// What `create` gave, also where the target names something in front of it.
    address: AtomicPtr<c_void>,
}

/// By slot, as the table of instances is, of which there's one. Zero pages until used.
static EXTRAS: [Extra; 1 << 16] = [const {
    Extra {
        plugin: AtomicPtr::new(ptr::null_mut()),
        address: AtomicPtr::new(ptr::null_mut()),
    }
}; 1 << 16];

impl Extra {
    fn of(handle: Handle) -> &'static Extra {
        &EXTRAS[usize::from(table::index(handle))]
    }

    /// Sets it, before the slot is opened.
    pub(crate) fn set(handle: Handle, plugin: &'static PluginFunctions, address: *mut c_void) {
        let extra = Extra::of(handle);
        extra
            .plugin
            .store(ptr::from_ref(plugin).cast_mut(), Ordering::Release);
        extra.address.store(address, Ordering::Release);
    }

    /// The plugin and its instance. Of the instance with this handle for as long as the caller is inside its slot.
    pub(crate) fn get(handle: Handle) -> Option<(&'static PluginFunctions, *mut c_void)> {
        let extra = Extra::of(handle);
        // SAFETY: null, or what `set` was given, which lives for good.
        let plugin = unsafe { extra.plugin.load(Ordering::Acquire).as_ref() }?;
        Some((plugin, extra.address.load(Ordering::Acquire)))
    }
}

/// All instances of the process that this copy of the library made.
pub(crate) static INSTANCES: Table<Target> = Table::new();

/// The level up to which an instance's records are wanted. Plugins read it in place, through `Host::log_level`.
pub(crate) fn log_level(handle: Handle) -> &'static AtomicU32 {
    INSTANCES.slot(handle).word()
}
