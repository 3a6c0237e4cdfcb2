//! What `#[plugin]` makes of a type, and its entry point for linking.

use rustbridge_abi::{EntryPoint, PluginTable};
use serde_json::Value;

use crate::entry::Entry;
use crate::handler::MethodInfo;
use crate::shim::Table;
use crate::{Error, Host};

/// A type that [`#[plugin]`](macro@crate::plugin) made a plugin of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a plugin",
    label = "no `#[plugin]` on an `impl` block of this type"
)]
pub trait Plugin: Send + Sync + Sized + 'static {
    /// The plugin's name.
    const NAME: &'static str;
    /// The plugin's version.
    const VERSION: &'static str;
    /// The doc comment of the `impl` block.
    const DOC: &'static str;

    #[doc(hidden)]
    const METHODS: &'static [MethodInfo];
    #[doc(hidden)]
    const ENTRIES: &'static [Entry];
    #[doc(hidden)]
    fn config_schema() -> Value;
    #[doc(hidden)]
    fn create_from(config: &[u8], host: &Host) -> Result<Self, Error>;
}

/// The entry point of a plugin that's linked into the host's own binary, for `Load::linked` of the core.
///
/// A library that's loaded exports its entry point as `rustbridge_plugin`; a binary can have only one symbol of that
/// name, but any number of these.
///
/// ```
/// use rustbridge::prelude::*;
///
/// #[derive(Default)]
/// struct Clock;
///
/// #[plugin(name = "clock", export = false)]
/// impl Clock {
///     /// Says how long a minute is.
///     pub fn minute(&self) -> u32 {
///         60
///     }
/// }
///
/// let entry_point: rustbridge::EntryPoint = rustbridge::entry_point::<Clock>();
/// assert_eq!(Clock::NAME, "clock");
/// # let _ = entry_point;
/// ```
#[must_use]
pub fn entry_point<P: Plugin>() -> EntryPoint {
    linked::<P>
}

unsafe extern "C" fn linked<P: Plugin>(_host_abi_version: u32) -> *const PluginTable {
    crate::logging::live::set_linked();
    Table::<P>::TABLE
}
