//! The instance for which the current thread works.
//!
//! In a loaded library, reading a thread-local costs about as much as a whole small call. So calls don't mark their
//! threads while only one instance is alive: all log records then belong to it. As soon as there are two, each call
//! marks its thread.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Host;
use crate::host::HostState;

/// Whether calls mark their threads.
///
/// Each copy of this crate, and so each library, has its own. It's a hint derived from [`super::live`], which sets it
/// before a second instance can be called.
static MARKING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The instance for which this thread works, or null. The function that sets it keeps the host alive until it's
    /// reset.
    static AMBIENT: Cell<*const HostState> = const { Cell::new(ptr::null()) };

    /// The host of a thread that belongs to one instance; kept alive here.
    #[cfg(feature = "async")]
    static OWNER: std::cell::RefCell<Option<Host>> = const { std::cell::RefCell::new(None) };
}

pub(crate) fn set_marking(on: bool) {
    MARKING.store(on, Ordering::Relaxed);
}

/// Returns whether calls mark their threads. If so, an unmarked thread works for no particular instance.
#[inline(always)]
pub(crate) fn is_marking() -> bool {
    MARKING.load(Ordering::Relaxed)
}

/// The mark of a call on its thread, which [`unmark`] removes.
pub(crate) struct Mark {
    previous: *const HostState,
}

/// Marks this thread if calls must mark their threads. The host must stay alive until [`unmark`].
#[inline(always)]
pub(crate) fn mark(host: &Host) -> Option<Mark> {
    if MARKING.load(Ordering::Relaxed) {
        Some(replace(host))
    } else {
        None
    }
}

#[cold]
#[inline(never)]
fn replace(host: &Host) -> Mark {
    // A thread whose thread-locals are gone already works for nobody in particular.
    let previous = AMBIENT.try_with(|cell| cell.replace(host.as_ptr()));
    Mark {
        previous: previous.unwrap_or(ptr::null()),
    }
}

#[inline(always)]
pub(crate) fn unmark(mark: Option<Mark>) {
    if let Some(mark) = mark {
        restore(&mark);
    }
}

#[cold]
#[inline(never)]
fn restore(mark: &Mark) {
    let _ = AMBIENT.try_with(|cell| cell.set(mark.previous));
}

/// Marks the thread while it lives, whether or not calls must mark their threads.
pub(crate) struct Scope {
    mark: Mark,
    // Keeps what the mark points to alive.
    _host: Host,
}

impl Scope {
    pub(crate) fn enter(host: Host) -> Scope {
        Scope {
            mark: replace(&host),
            _host: host,
        }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        restore(&self.mark);
    }
}

impl Host {
    /// Runs `work` with its `tracing` events attributed to this instance, on any thread.
    ///
    /// Handlers, and the runtime's threads of async handlers, don't need this. It's for threads that the plugin starts
    /// itself: if several instances are alive, their events on such threads can't be attributed otherwise.
    ///
    /// ```
    /// # let host = rustbridge::Host::detached();
    /// std::thread::spawn(move || host.in_scope(|| tracing::info!("the background work has begun")));
    /// ```
    pub fn in_scope<R>(&self, work: impl FnOnce() -> R) -> R {
        let _scope = Scope::enter(self.clone());
        work()
    }
}

/// Marks a thread that belongs to one instance, until [`unmark_thread`] on the same thread.
#[cfg(feature = "async")]
pub(crate) fn mark_thread(host: &Host) {
    OWNER.with(|owner| {
        let host = owner.borrow_mut().insert(host.clone()).clone();
        replace(&host);
    });
}

/// Removes the mark of [`mark_thread`].
#[cfg(feature = "async")]
pub(crate) fn unmark_thread() {
    let _ = AMBIENT.try_with(|cell| cell.set(ptr::null()));
    let _ = OWNER.try_with(std::cell::RefCell::take);
}

/// Returns the instance for which this thread is marked.
pub(crate) fn marked() -> Option<Host> {
    let shared = AMBIENT.try_with(Cell::get).unwrap_or(ptr::null());
    if shared.is_null() {
        None
    } else {
        // SAFETY: whoever marked the thread keeps the host alive, and takes the mark off on this same thread.
        Some(unsafe { Host::clone_from_ptr(shared) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_nest_and_end_in_order() {
        let (outer, inner) = (Host::detached(), Host::detached());
        assert!(marked().is_none());
        outer.in_scope(|| {
            assert!(marked().unwrap().same(&outer));
            inner.in_scope(|| assert!(marked().unwrap().same(&inner)));
            assert!(marked().unwrap().same(&outer));
        });
        assert!(marked().is_none());
    }

    #[test]
    fn a_scope_ends_when_its_work_panics() {
        let host = Host::detached();
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            host.in_scope(|| panic!("on purpose"));
        }));
        assert!(result.is_err());
        assert!(marked().is_none());
    }
}
