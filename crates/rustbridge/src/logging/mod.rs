//! From the plugin's `tracing` to the log of the right instance.
//!
//! `tracing` has one subscriber per copy of its statics, which is one per mapped library, while instances have a level
//! and a sink each. [`live`] knows the instances, [`ambient`] which of them a thread works for, [`spans`] which spans are
//! open, [`subscriber`] is what `tracing` calls, and [`record`] is what the host gets. [`forward`] is what the `log` crate calls.

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

/// `tracing` takes one global subscriber per copy of its statics. A loaded plugin has its own copy; a plugin that's
/// linked into a host shares the host's, and then whichever comes first stays.
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
