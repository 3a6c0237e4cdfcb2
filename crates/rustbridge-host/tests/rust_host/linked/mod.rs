//! The plugin under test, linked into the program.

use rustbridge_host::Load;

/// What loads it.
pub fn types() -> Load<'static> {
    // SAFETY: a plugin of the author's side, whose entry point follows the ABI.
    unsafe { Load::linked(rustbridge::entry_point::<types_plugin::Types>(), "types") }
}
