//! What `#[plugin]` makes of a type.

use crate::config::Config;
use crate::methods::MethodInfo;
use crate::service::ServiceInfo;
use crate::signature::{Entry, Start};
use crate::{Error, Host};

/// A runtime that an author brings; without the feature `async` there's none.
#[cfg(feature = "async")]
pub type BroughtRuntime = tokio::runtime::Handle;

/// A runtime that an author brings; without the feature `async` there's none.
#[cfg(not(feature = "async"))]
pub type BroughtRuntime = std::convert::Infallible;

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
    const STARTS: &'static [Option<Start>];
    /// How many threads the runtime of async handlers has.
    #[doc(hidden)]
    const WORKERS: usize = 1;
    /// The runtime that the author brings.
    #[doc(hidden)]
    fn brought_runtime(&self) -> Option<BroughtRuntime> {
        None
    }
    #[doc(hidden)]
    const CONFIG: Config;
    #[doc(hidden)]
    fn create_from(config: &[u8], host: &Host) -> Result<Self, Error>;
}
