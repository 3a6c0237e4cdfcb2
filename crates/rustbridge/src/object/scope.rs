//! What this thread is reading or writing, for objects inside of it, which serde tells nothing of the call.

use std::cell::{Cell, RefCell};
use std::ptr;

use super::Address;

/// What objects in a message refer to, while it's read or written.
pub(super) enum Scope<'a> {
    /// The objects that are lent; those before the second number are not spoken of by a request without structure.
    Reading(&'a [u64], usize),
    /// The objects of the answer so far.
    Writing(&'a RefCell<Vec<Address>>),
}

thread_local! {
    /// The innermost, or null. Whoever sets it takes it back before it goes.
    static CURRENT: Cell<*const Scope<'static>> = const { Cell::new(ptr::null()) };
}

/// Puts back what was there before, also after a panic.
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

/// Looks at this thread's scope, if there is one.
pub(super) fn current<R>(look: impl FnOnce(Option<&Scope<'_>>) -> R) -> R {
    // SAFETY: null, or set by `during`, which hasn't returned on this very thread.
    look(unsafe { CURRENT.get().as_ref() })
}
