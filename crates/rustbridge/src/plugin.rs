//! What `#[plugin]` makes of a type.

use serde_json::Value;

use crate::methods::{Entry, MethodInfo};
use crate::service::ServiceInfo;
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

    /// Whether the plugin's crate is built with debug assertions, as `cargo build` does without `--release`. Hosts can see
    /// it, because such a plugin's calls may take several times as long.
    const DEBUG: bool;
    #[doc(hidden)]
    const METHODS: &'static [MethodInfo];
    #[doc(hidden)]
    const ENTRIES: &'static [Entry];
    #[doc(hidden)]
    const SERVICES: &'static [&'static [ServiceInfo]];
    #[doc(hidden)]
    fn config_schema() -> Value;
    #[doc(hidden)]
    fn create_from(config: &[u8], host: &Host) -> Result<Self, Error>;
}
