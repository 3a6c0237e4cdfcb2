//! Sends the plugin's `tracing` events to the log of the right instance.
//!
//! `tracing` has one subscriber for each copy of its statics, which means one for each mapped library. Instances have their own
//! level and sink. The modules:
//! * [`live`]: the instances that are alive
//! * [`ambient`]: the instance for which a thread works
//! * [`spans`]: the open spans
//! * [`subscriber`]: the functions that `tracing` calls
//! * [`forward`]: the functions that the `log` crate calls
//! * [`record`]: the records for the host

use std::ffi::c_void;
use std::sync::Once;

use rustbridge_abi::LogExtension;

pub(crate) mod ambient;
mod fields;
mod forward;
pub(crate) mod live;
mod record;
pub(crate) mod span;
mod spans;
mod subscriber;

pub(crate) use record::panic_record;

/// The table of `rb.log/1`. Immutable.
pub(crate) static EXTENSION: LogExtension = LogExtension {
    level_changed: Some(level_changed),
    ..LogExtension::EMPTY
};

/// `tracing` accepts one global subscriber for each copy of its statics. A loaded plugin has its own copy. A plugin that is
/// linked into a host shares the host's, and the first subscriber remains.
static INSTALL: Once = Once::new();

unsafe extern "C" fn level_changed(_instance: *mut c_void) {
    live::refresh_level();
}

pub(crate) fn install() {
    INSTALL.call_once(|| {
        // Refused only in the linked case: events then go where the host's binary sends its own.
        let _ = tracing::subscriber::set_global_default(subscriber::HostSubscriber);
        // Likewise.
        let _ = log::set_logger(&forward::FORWARD);
    });
}
