//! What becomes of instances when the process forks: they stay the parent's.
//!
//! A child has one thread and none of the plugin's, so an instance there would be half of one. The child shuts every slot,
//! which costs the call path nothing, and gives the same refusal everywhere. Our locks are held over the fork, so that
//! the child finds them free and can load anew.

/// Watches for forks from now on.
pub(crate) fn watch() {
    #[cfg(unix)]
    unix::watch();
}

#[cfg(unix)]
mod unix {
    use std::cell::UnsafeCell;
    use std::sync::MutexGuard;
    use std::sync::Once;
    use std::sync::atomic::Ordering;

    use crate::cells::{self, Place};
    use crate::loader;
    use crate::mapping::{self, ForkLocks};
    use crate::slot::Condition;
    use crate::table::{self, Free, Handle};

    /// The locks, from before a fork to after it, in the order in which they are taken everywhere.
    struct Held {
        _mappings: ForkLocks,
        free: MutexGuard<'static, Free>,
        places: MutexGuard<'static, Vec<Place>>,
    }

    /// Invariant: only the thread that holds the locks touches the place, and it puts in what it holds.
    struct HeldPlace(UnsafeCell<Option<Held>>);

    // SAFETY: the locks themselves keep all threads but one away from it.
    unsafe impl Sync for HeldPlace {}

    /// A process forks as a whole, so there's one such moment at a time, for all instances.
    static HELD: HeldPlace = HeldPlace(UnsafeCell::new(None));

    pub(super) fn watch() {
        // The handlers are the process's and look after all instances.
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            loader::pin_this_library();
            // SAFETY: the handlers are functions of this library, which was pinned just now.
            unsafe { libc::pthread_atfork(Some(prepare), Some(parent), Some(child)) };
        });
    }

    extern "C" fn prepare() {
        let held = Held {
            _mappings: mapping::lock_for_fork(),
            free: table::lock(),
            places: cells::lock(),
        };
        // SAFETY: we hold the locks.
        unsafe { *HELD.0.get() = Some(held) };
    }

    fn take() -> Option<Held> {
        // SAFETY: called on the thread that forked, which holds the locks.
        unsafe { (*HELD.0.get()).take() }
    }

    extern "C" fn parent() {
        drop(take());
    }

    extern "C" fn child() {
        let Some(mut held) = take() else { return };
        for index in held.free.used() {
            let slot = table::slot(Handle::from(index));
            let (generation, condition) = slot.status();
            if !matches!(condition, Condition::Unused | Condition::Closed) {
                slot.shut((generation << 16) | Handle::from(index));
                slot.log_level().store(0, Ordering::Relaxed);
                slot.set_status(generation, Condition::Forked);
            }
        }
        held.free.forget();
        cells::forget_other_threads(&mut held.places);
    }
}
