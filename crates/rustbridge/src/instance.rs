//! What an instance is made of: the author's value, and what every instance has beside it.

use std::sync::OnceLock;

use rustbridge_abi::AsyncHost;

use crate::Host;

/// What an instance pointer points to. The core is in front, for those who don't know the plugin.
#[repr(C)]
pub(crate) struct Instance<P> {
    pub(crate) core: Core,
    pub(crate) value: P,
}

/// What every instance has beside the author's value.
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

    /// What the host offers for calls that end later, if it offers that.
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
