//! The atomics the guard is made of, named once so that the loom model can compile the very same files over loom's.
//!
//! `tests/loom.rs` includes `guard.rs` and `slot.rs` by path and has a module of this name over `loom::sync`; so does
//! `tests/loom_operations.rs` with most of `operation`.

pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
pub(crate) use std::thread::{ThreadId, yield_now};

use super::fence as asymmetric;

/// The light side of the asymmetric fence: see `fence.rs`.
#[inline(always)]
pub(crate) fn light_fence() {
    asymmetric::light();
}

pub(crate) fn this_thread() -> ThreadId {
    std::thread::current().id()
}

/// A constructor that is `const` here and can't be over loom's atomics.
macro_rules! constructor {
    ($(#[$attribute:meta])* $visibility:vis fn $name:ident() -> $type:ty $body:block) => {
        $(#[$attribute])*
        $visibility const fn $name() -> $type $body
    };
}
pub(crate) use constructor;

/// `std`'s `UnsafeCell` with the closure interface of loom's, which lets loom see every access.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    pub(crate) const fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    #[inline(always)]
    pub(crate) fn with<R>(&self, read: impl FnOnce(*const T) -> R) -> R {
        read(self.0.get())
    }

    pub(crate) fn with_mut<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0.get())
    }
}
