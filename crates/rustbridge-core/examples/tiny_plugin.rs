//! The plugin of this crate's tests as a library: see `tests/plugin/mod.rs`.

#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "one note in the plugin's `call` holds for all of its answers"
)]

include!("../tests/plugin/mod.rs");

/// The one symbol.
///
/// # Safety
/// None is needed; the type asks for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rustbridge_plugin(host_abi_version: u32) -> *const PluginTable {
    // SAFETY: any version may be passed.
    unsafe { entry_point(host_abi_version) }
}
