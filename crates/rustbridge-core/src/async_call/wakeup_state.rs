//! Whether a wakeup is signaled, as far as that's known without a system call.

use super::atomics::{AtomicU32, Ordering};

/// Counts the signals of a wakeup, before and after each, and which of them the last reset has consumed.
///
/// A thread that signals can be suspended at any moment, when the loop is already awake. So a wakeup counts as signaled from before
/// the signal until a reset that began after it. The price is a reset without effect now and then.
#[derive(Debug)]
pub(crate) struct Signals {
    begun: AtomicU32,
    ended: AtomicU32,
    /// The value of `ended` before the last reset.
    consumed: AtomicU32,
}

impl Signals {
    pub(crate) fn new() -> Signals {
        Signals {
            begun: AtomicU32::new(0),
            ended: AtomicU32::new(0),
            consumed: AtomicU32::new(0),
        }
    }

    /// Counts a signal, which `signal` sends.
    pub(crate) fn around(&self, signal: impl FnOnce()) {
        self.begun.fetch_add(1, Ordering::AcqRel);
        signal();
        self.ended.fetch_add(1, Ordering::AcqRel);
    }

    /// Whether a reset may be needed.
    pub(crate) fn is_any(&self) -> bool {
        self.begun.load(Ordering::Acquire) != self.consumed.load(Ordering::Relaxed)
    }

    /// Counts a reset, which `reset` does. Only one thread at a time may call this.
    pub(crate) fn reset(&self, reset: impl FnOnce()) {
        let ended = self.ended.load(Ordering::Acquire);
        reset();
        self.consumed.store(ended, Ordering::Relaxed);
    }
}
