//! Whether a bell rings, as far as that's known without asking the system.

use super::atomics::{AtomicU32, Ordering};

/// Counts of how often a bell was rung, around the moment in which it rings, and up to which one it has been silenced.
///
/// Whoever rings may be held up at any moment, with the loop awake already. So a bell that may ring counts as ringing from before it does
/// until it was silenced after: what's readable is silenced by whoever looks, at the price of asking in vain now and then.
#[derive(Debug)]
pub(crate) struct Rings {
    begun: AtomicU32,
    ended: AtomicU32,
    /// How many had ended when it was last silenced.
    heard: AtomicU32,
}

impl Rings {
    pub(crate) fn new() -> Rings {
        Rings {
            begun: AtomicU32::new(0),
            ended: AtomicU32::new(0),
            heard: AtomicU32::new(0),
        }
    }

    /// Rings by `ring`.
    pub(crate) fn around(&self, ring: impl FnOnce()) {
        self.begun.fetch_add(1, Ordering::AcqRel);
        ring();
        self.ended.fetch_add(1, Ordering::AcqRel);
    }

    /// Whether there may be something to silence.
    pub(crate) fn is_any(&self) -> bool {
        self.begun.load(Ordering::Acquire) != self.heard.load(Ordering::Relaxed)
    }

    /// Silences by `silence`; for one thread at a time.
    pub(crate) fn silence(&self, silence: impl FnOnce()) {
        let ended = self.ended.load(Ordering::Acquire);
        silence();
        self.heard.store(ended, Ordering::Relaxed);
    }
}
