//! The trait that `#[plugin]` implements.

use crate::config::Config;
use crate::methods::MethodInfo;
use crate::service::ServiceInfo;
use crate::signature::{Entry, Start};
use crate::{Error, Host};

/// A runtime that the author supplies; without the feature `async` there is none.
#[cfg(feature = "async")]
pub type BroughtRuntime = tokio::runtime::Handle;

/// A runtime that the author supplies; without the feature `async` there is none.
#[cfg(not(feature = "async"))]
pub type BroughtRuntime = std::convert::Infallible;

/// A type with the attribute [`#[plugin]`](macro@crate::plugin).
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

    /// Whether the plugin's crate was built with debug assertions, as `cargo build` does without `--release`. Hosts can
    /// read it, because calls of such a plugin may take several times as long.
    const DEBUG: bool;
    #[doc(hidden)]
    const METHODS: &'static [MethodInfo];
    #[doc(hidden)]
    const ENTRIES: &'static [Entry];
    #[doc(hidden)]
    const SERVICES: &'static [&'static [ServiceInfo]];
    #[doc(hidden)]
    const STARTS: &'static [Option<Start>];
    /// The number of threads of the runtime for async handlers.
    #[doc(hidden)]
    const WORKERS: usize = 1;
    /// Returns the runtime that the author supplies.
    #[doc(hidden)]
    fn brought_runtime(&self) -> Option<BroughtRuntime> {
        None
    }
    #[doc(hidden)]
    const CONFIG: Config;
    #[doc(hidden)]
    fn create_from(config: &[u8], host: &Host) -> Result<Self, Error>;
}
