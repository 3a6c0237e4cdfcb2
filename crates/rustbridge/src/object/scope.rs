//! The objects of the message that this thread reads or writes. A thread-local holds them because serde passes no call
//! to the types inside a message.

use std::cell::{Cell, RefCell};
use std::ptr;

use super::Address;

/// The objects to which a message refers while it's read or written.
pub(super) enum Scope<'a> {
    /// The borrowed objects. A request without structure doesn't refer to those before the index in the second field.
    Reading(&'a [u64], usize),
    /// The objects of the response so far.
    Writing(&'a RefCell<Vec<Address>>),
}

thread_local! {
    /// The innermost scope, or null. The function that sets it resets it before the scope ends.
    static CURRENT: Cell<*const Scope<'static>> = const { Cell::new(ptr::null()) };
}

/// Restores the previous scope, also after a panic.
struct Back(*const Scope<'static>);

impl Drop for Back {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

impl Scope<'_> {
    pub(super) fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        let _back = Back(CURRENT.replace(ptr::from_ref(self).cast()));
        work()
    }
}

/// Passes this thread's scope, if there is one, to `look`.
pub(super) fn current<R>(look: impl FnOnce(Option<&Scope<'_>>) -> R) -> R {
    // SAFETY: null, or set by `during`, which hasn't returned on this very thread.
    look(unsafe { CURRENT.get().as_ref() })
}
