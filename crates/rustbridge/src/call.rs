//! What a handler may know of the call it serves, and what every instance has for it.

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use rustbridge_abi::{self as abi, AsyncHost, Encoding, RB_EXTENSION_ASYNC};

use crate::Host;
use crate::context::Context;

/// What a handler may know of the call it serves. A handler that wants it takes `&Call` as its last parameter.
///
/// ```
/// use rustbridge::Call;
///
/// let call = Call::detached();
/// assert_eq!(call.method(), "detached");
/// ```
pub struct Call<'a> {
    method: &'static str,
    encoding: Encoding,
    core: &'a Core,
}

/// What every instance has beside the author's value.
pub(crate) struct Core {
    host: Host,
    async_host: OnceLock<Option<AsyncHost>>,
    #[cfg(feature = "async")]
    runtime: crate::runtime::Slot,
}

impl Core {
    pub(crate) fn new(host: Host) -> Core {
        Core {
            host,
            async_host: OnceLock::new(),
            #[cfg(feature = "async")]
            runtime: crate::runtime::Slot::default(),
        }
    }

    #[inline(always)]
    pub(crate) fn host(&self) -> &Host {
        &self.host
    }

    /// What the host offers for calls that end later, if it offers that.
    pub(crate) fn async_host(&self) -> Option<AsyncHost> {
        *self.async_host.get_or_init(|| {
            let table = self.host.extension(RB_EXTENSION_ASYNC).cast::<AsyncHost>();
            // SAFETY: the table by that name, valid as long as the process lives.
            (!table.is_null()).then(|| unsafe { abi::read(table) }.ok())?
        })
    }

    /// The runtime of async handlers.
    #[cfg(feature = "async")]
    #[inline(always)]
    pub(crate) fn runtime(&self) -> &crate::runtime::Slot {
        &self.runtime
    }
}

/// What detached calls belong to: no instance, a host that isn't there. Immutable apart from the runtime that an async
/// handler under test may start, and only ever used by tests.
static DETACHED: LazyLock<Core> = LazyLock::new(|| Core::new(Host::detached()));

impl<'a> Call<'a> {
    #[inline(always)]
    pub(crate) fn new(method: &'static str, encoding: Encoding, core: &'a Core) -> Call<'a> {
        Call {
            method,
            encoding,
            core,
        }
    }

    /// The call that a task serves.
    pub(crate) fn of_task(
        method: &'static str,
        encoding: Encoding,
        core: &'a Core,
        _context: Option<&'a Context>,
    ) -> Call<'a> {
        Call::new(method, encoding, core)
    }

    /// A call from nowhere, for unit tests of handlers that take one.
    #[must_use]
    pub fn detached() -> Call<'static> {
        Call::new("detached", Encoding::Json, &DETACHED)
    }

    /// The method's name, e.g. `math.add`.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// The encoding of request and response.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The host, as given to `create`.
    #[must_use]
    pub fn host(&self) -> &Host {
        self.core.host()
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("method", &self.method)
            .field("encoding", &self.encoding)
            .finish_non_exhaustive()
    }
}

/// Runs an async handler to its end on the calling thread, inside the runtime of the instance that is called.
#[cfg(feature = "async")]
pub fn block_on<F: Future + Send>(call: &Call<'_>, future: F) -> F::Output {
    call.core.runtime.block_on(call.host(), future)
}
