//! A library that returns no table: it refuses every host.

use std::ptr;

use rustbridge_abi::PluginTable;

/// The one symbol.
// SAFETY: no other symbol of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn rustbridge_plugin(_host_abi_version: u32) -> *const PluginTable {
    ptr::null()
}
