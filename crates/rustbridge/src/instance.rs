//! The memory of an instance: the author's value, and the data that every instance has.

use std::sync::OnceLock;

use rustbridge_abi::AsyncHost;

use crate::Host;

/// The target of an instance pointer. The core is first, for functions that don't know the plugin's type.
#[repr(C)]
pub(crate) struct Instance<P> {
    pub(crate) core: Core,
    pub(crate) value: P,
}

/// The data that every instance has in addition to the author's value.
pub(crate) struct Core {
    host: Host,
    async_host: OnceLock<Option<AsyncHost>>,
}

impl Core {
    pub(crate) fn new(host: Host) -> Core {
        Core {
            host,
            async_host: OnceLock::new(),
        }
    }

    #[inline(always)]
    pub(crate) fn host(&self) -> &Host {
        &self.host
    }

    /// Returns the host's functions for asynchronous calls, if it has them.
    pub(crate) fn async_host(&self) -> Option<AsyncHost> {
        *self.async_host.get_or_init(|| self.host.operations())
    }
}

#[cfg(feature = "async")]
impl Drop for Core {
    fn drop(&mut self) {
        self.host.runtime().end();
    }
}
