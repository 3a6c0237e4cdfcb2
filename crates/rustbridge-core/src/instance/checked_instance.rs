//! What the core checks for a plugin that was written without the author's crate, which checks for itself.

use std::ffi::c_void;

use rustbridge_abi::{CallContext, Response, Status, StatusCode};
use serde::de::IgnoredAny;

use crate::error::Error;
use crate::library::negotiate::{CallFn, PluginFunctions};
use crate::response::write_error;

/// An instance whose calls are checked: what its slot names in place of the plugin's own instance and function. So those
/// that need no check pay for none.
///
/// Invariant: `call` and `instance` belong together, as in a slot's target, and to `plugin`.
#[derive(Debug)]
pub(crate) struct CheckedInstance {
    pub(crate) call: CallFn,
    pub(crate) instance: *mut c_void,
    pub(crate) plugin: &'static PluginFunctions,
}

/// Looks at the size of a pod before the plugin does: a struct read beyond its end, or from its middle on, is the usual mistake
/// of code by hand.
///
/// # Safety
/// `checked` is a [`CheckedInstance`] that lives until the call is over; the rest is as for a plugin's function.
pub(crate) unsafe extern "C" fn call(
    checked: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's promise.
    let checked = unsafe { &*checked.cast::<CheckedInstance>() };
    match checked.plugin.description.pod_size(entry) {
        Some(size) if size != request_len => {
            let error = wrong_size(checked.plugin, entry, size, request_len);
            // SAFETY: the caller's promise about the response.
            unsafe { write_error(&error, response) }
        }
        // SAFETY: by the invariant, and the caller's promises.
        _ => unsafe {
            (checked.call)(
                checked.instance,
                entry,
                header,
                request,
                request_len,
                response,
            )
        },
    }
}

#[cold]
pub(crate) fn wrong_size(
    plugin: &PluginFunctions,
    entry: u32,
    expected: usize,
    found: usize,
) -> Error {
    Error::new(
        Status::InvalidArgument,
        "InvalidRequest",
        format!(
            "the request of `{}` must be {expected} bytes, but got {found}",
            plugin.name_of(entry)
        ),
    )
}

/// Refuses a config that isn't JSON; what is in it the plugin alone knows.
pub(crate) fn check_config(plugin: &PluginFunctions, config: &[u8]) -> Result<(), Error> {
    let refuse = |problem: &dyn std::fmt::Display| {
        Error::new(
            Status::InvalidArgument,
            "InvalidConfig",
            format!(
                "the config for plugin `{}` isn't JSON: {problem}",
                plugin.description.name
            ),
        )
    };
    // An ignored text isn't looked at by the parser.
    let text = std::str::from_utf8(config).map_err(|problem| refuse(&problem))?;
    serde_json::from_str::<IgnoredAny>(text)
        .map(drop)
        .map_err(|problem| refuse(&problem))
}
