//! A node: the memory of one asynchronous call at a time, found by the call's ID.

use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;

use rustbridge_abi::{Op, Status};

use super::atomics::{AtomicU32, AtomicU64, Mutex, MutexGuard, Ordering, UnsafeCell};
use crate::error::Error;

/// The low bits of an ID are the node's index, the others count how often the node was used.
pub(super) const INDEX_BITS: u32 = 20;

/// The ID of a node whose call belongs to the parent, in a forked child.
const FORKED: u64 = u64::MAX;

/// The memory of one call at a time; `S` is the call's state.
///
/// Invariant: the state is accessed by a thread that holds the lock and has checked, under it, that the ID is still the call's; or
/// without the lock by the thread that has taken the node, until it stores the ID by which others find the call.
pub(crate) struct Node<S> {
    /// The call's ID, or 0 if there's no call.
    number: AtomicU64,
    /// How often the node was used.
    uses: AtomicU64,
    /// The next free node: see [`Free`](super::free::Free).
    pub(super) next: AtomicU32,
    pub(super) index: u32,
    /// Read by the plugin: not 0 once the call is cancelled.
    pub(crate) cancelled: AtomicU32,
    lock: Mutex<()>,
    state: UnsafeCell<S>,
}

// SAFETY: one thread at a time accesses the state, by the invariant, and the rest are atomics and a lock.
unsafe impl<S: Send> Sync for Node<S> {}

/// A state whose lock is held.
pub(crate) struct LockedState<'a, S> {
    state: &'a UnsafeCell<S>,
    _lock: MutexGuard<'a, ()>,
}

impl<S> Deref for LockedState<'_, S> {
    type Target = S;

    fn deref(&self) -> &S {
        // SAFETY: no other thread accesses it, by the invariant of `Node`, and the borrow ends with this.
        self.state.with(|state| unsafe { &*state })
    }
}

impl<S> DerefMut for LockedState<'_, S> {
    fn deref_mut(&mut self) -> &mut S {
        // SAFETY: as above.
        self.state.with_mut(|state| unsafe { &mut *state })
    }
}

/// Why no call was found by an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoSuchCall {
    /// The ID was never issued, or the call is over.
    Unknown,
    /// The call has completed, but its result wasn't delivered, or its task wasn't released yet.
    Ended,
    /// The call belongs to the parent, and this is a forked child.
    Forked,
}

impl NoSuchCall {
    pub(crate) fn status(self) -> Status {
        match self {
            NoSuchCall::Unknown => Status::NotFound,
            NoSuchCall::Ended | NoSuchCall::Forked => Status::FailedPrecondition,
        }
    }

    pub(crate) fn error(self, op: Op) -> Error {
        match self {
            NoSuchCall::Unknown => Error::new(
                Status::NotFound,
                "NoSuchOperation",
                format!("{op:#x} is not a pending call: it is over, or was never submitted"),
            ),
            NoSuchCall::Ended => Error::new(
                Status::FailedPrecondition,
                "CallOver",
                format!("call {op:#x} has already completed"),
            ),
            NoSuchCall::Forked => Error::new(
                Status::FailedPrecondition,
                "Forked",
                format!(
                    "call {op:#x} was submitted before this process was forked, and only the parent can use it"
                ),
            ),
        }
    }
}

/// A state that a node can be used for.
pub(crate) trait Recycle: Default {
    /// What has to be dropped without the lock.
    type Remains;

    /// Resets the state.
    fn clear(&mut self) -> Self::Remains;
}

impl<S: Recycle> Node<S> {
    pub(crate) fn new(index: usize) -> Node<S> {
        Node {
            number: AtomicU64::new(0),
            uses: AtomicU64::new(0),
            next: AtomicU32::new(0),
            index: index as u32,
            cancelled: AtomicU32::new(0),
            lock: Mutex::new(()),
            state: UnsafeCell::new(S::default()),
        }
    }

    /// The ID of the next call. The caller has just taken the node, and no other thread can find the call yet.
    pub(super) fn number_next(&self) -> Op {
        let uses = self.uses.load(Ordering::Relaxed) + 1;
        self.uses.store(uses, Ordering::Relaxed);
        self.cancelled.store(0, Ordering::Relaxed);
        (uses << INDEX_BITS) | Op::from(self.index)
    }

    /// Locks the node if it has this call.
    pub(super) fn find(&self, op: Op) -> Result<LockedState<'_, S>, NoSuchCall> {
        match self.number.load(Ordering::Acquire) {
            // Before the lock, which a thread that doesn't exist in the child may hold.
            FORKED => return Err(NoSuchCall::Forked),
            number if number == op && op != 0 => {}
            _ => return Err(NoSuchCall::Unknown),
        }
        let state = self.lock();
        // Checked again, because the call may have ended before the node was locked.
        if self.number.load(Ordering::Relaxed) == op {
            Ok(state)
        } else {
            Err(NoSuchCall::Unknown)
        }
    }

    fn lock(&self) -> LockedState<'_, S> {
        LockedState {
            _lock: self.lock.lock().unwrap_or_else(PoisonError::into_inner),
            state: &self.state,
        }
    }

    /// Sets the state of a call, and then makes it findable by its ID.
    ///
    /// Without the lock: a thread that still looks for the previous call takes the lock, finds another ID, and accesses nothing.
    ///
    /// # Safety
    /// The node was [taken](super::node_pool::take) by the caller with this ID, and not opened since.
    pub(super) unsafe fn open(&self, op: Op, set: impl FnOnce(&mut S)) {
        // SAFETY: the caller's promise: no other thread can access it yet.
        self.state.with_mut(|state| set(unsafe { &mut *state }));
        self.number.store(op, Ordering::Release);
    }

    /// Locks the node again, for a caller that knows that the call isn't over: it hasn't started, is being completed, or counts as
    /// active. Returns `None` if foreign code has forked meanwhile, and this is the child.
    pub(super) fn lock_again(&self) -> Option<LockedState<'_, S>> {
        (!self.is_forked()).then(|| self.lock())
    }

    /// Whether the node was used at least this often.
    pub(super) fn was_used(&self, uses: u64) -> bool {
        uses <= self.uses.load(Ordering::Relaxed)
    }

    /// Whether its call belongs to the parent.
    pub(super) fn is_forked(&self) -> bool {
        self.number.load(Ordering::Relaxed) == FORKED
    }

    /// Marks its call, if any, as the parent's.
    pub(super) fn fork(&self) {
        self.number.store(FORKED, Ordering::Relaxed);
    }

    /// The call's ID, or 0 if there's no call.
    pub(crate) fn op(&self) -> Op {
        self.number.load(Ordering::Acquire)
    }

    /// Ends the call and resets its state. Its ID is stale from now on. The caller then recycles the node.
    pub(super) fn close(&self, mut state: LockedState<'_, S>) -> S::Remains {
        self.number.store(0, Ordering::Release);
        state.clear()
    }
}
