//! A plugin's log records on their way to the host: copied into a bounded queue by the thread that logs, delivered in
//! order by a few threads of ours, so that no handler ever waits for a host's logger or is re-entered by it.

pub(crate) mod logger;
pub(crate) mod pool;
pub(crate) mod record;
pub(crate) mod sink;
#[cfg(feature = "tracing")]
pub(crate) mod tracing_sink;
