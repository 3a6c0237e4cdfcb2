//! Panics: their location and message, and their delivery to the caller and the log.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::panic::{self, Location, PanicHookInfo};
use std::sync::Once;

use rustbridge_abi::{RB_PANICKED, StatusCode};

use crate::Error;
use crate::contain::contained;
use crate::logging::live;
use crate::response::Reply;

/// The data about a panic that the hook stores for the landing pad on the same thread.
struct PanicReport {
    message: String,
    file: String,
    line: u32,
    column: u32,
    backtrace: Option<String>,
}

thread_local! {
    /// The last panic of this thread that no landing pad has read yet. It's written only while panicking, so calls
    /// don't pay for it.
    static SEEN: RefCell<Option<PanicReport>> = const { RefCell::new(None) };
}

/// Sets the hook once for each copy of the standard library. A loaded plugin has its own copy, so no other library's
/// hook is changed. A plugin that is linked into a binary shares the binary's copy, whose previous hook is still
/// called.
static HOOK: Once = Once::new();

pub(crate) fn install_hook() {
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !see(info) {
                previous(info);
            }
        }));
    });
}

/// Stores and logs a panic. Returns whether the host accepted the log record; if so, the previous hook, which prints to
/// the standard error stream, isn't called.
fn see(info: &PanicHookInfo<'_>) -> bool {
    let Some(host) = live::current() else {
        return false;
    };
    let message = text_of(info.payload());
    let backtrace = host
        .wants_backtrace()
        .then(|| Backtrace::force_capture().to_string());
    let logged =
        crate::logging::panic_record(&host, &message, info.location(), backtrace.as_deref());
    let place = info.location();
    let seen = PanicReport {
        message,
        file: place.map_or_else(String::new, |place| place.file().to_owned()),
        line: place.map_or(0, Location::line),
        column: place.map_or(0, Location::column),
        backtrace,
    };
    let _ = SEEN.try_with(|cell| cell.replace(Some(seen)));
    logged
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&'static str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic with a payload that isn't text".to_owned()
    }
}

/// Converts a caught panic to a response.
#[cold]
#[inline(never)]
pub(crate) fn report(payload: Box<dyn Any + Send>, reply: Reply) -> StatusCode {
    reply.error(&error_of(payload)) | RB_PANICKED
}

/// Converts a caught panic to an error of the type `panic`.
pub(crate) fn error_of(payload: Box<dyn Any + Send>) -> Error {
    let seen = SEEN.try_with(RefCell::take).ok().flatten();
    let text = text_of(&*payload);
    discard(payload);
    // `resume_unwind` doesn't pass by the hook, so what was seen may be an older panic that the author caught.
    let Some(seen) = seen.filter(|seen| seen.message == text) else {
        return Error::internal(text).with_type("panic");
    };
    Error::internal(seen.message)
        .with_type("panic")
        .with_detail("file", seen.file)
        .with_detail("line", seen.line)
        .with_detail("column", seen.column)
        .with_backtrace(seen.backtrace)
}

/// Drops a panic's payload. It's the author's own value, whose destructor may panic too.
fn discard(payload: Box<dyn Any + Send>) {
    contained(|| drop(payload));
}
