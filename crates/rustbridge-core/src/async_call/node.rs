//! A node: what an operation is kept in, found by the operation's number as long as that is its own.

use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;

use rustbridge_abi::{Op, Status};

use super::atomics::{AtomicU32, AtomicU64, Mutex, MutexGuard, Ordering, UnsafeCell};
use crate::error::Error;

/// The low bits of a number say which node, the rest which of its uses.
pub(super) const INDEX_BITS: u32 = 20;

/// The number of a node whose operation is the parent's, in a forked child.
const FORKED: u64 = u64::MAX;

/// What an operation is kept in; `L` is its life.
///
/// Invariant: the life is touched by who has the lock and has found, with it, that the number is still the operation's; and
/// without the lock by who has taken the node, until the number is there by which others find it.
pub(crate) struct Node<L> {
    /// The operation's number, 0 while there's none.
    number: AtomicU64,
    /// How often it was used.
    uses: AtomicU64,
    /// Which node is free behind this one: see [`Free`](super::free::Free).
    pub(super) next: AtomicU32,
    pub(super) index: u32,
    /// What the plugin reads: not 0 as soon as the operation is to end early.
    pub(crate) cancelled: AtomicU32,
    lock: Mutex<()>,
    life: UnsafeCell<L>,
}

// SAFETY: the life is used by one thread at a time, by the invariant, and the rest are atomics and a lock.
unsafe impl<L: Send> Sync for Node<L> {}

/// A life whose lock is held.
pub(crate) struct LockedState<'a, L> {
    life: &'a UnsafeCell<L>,
    _lock: MutexGuard<'a, ()>,
}

impl<L> Deref for LockedState<'_, L> {
    type Target = L;

    fn deref(&self) -> &L {
        // SAFETY: nobody else has it, by the invariant of `Node`, and it's borrowed as long as this.
        self.life.with(|life| unsafe { &*life })
    }
}

impl<L> DerefMut for LockedState<'_, L> {
    fn deref_mut(&mut self) -> &mut L {
        // SAFETY: as above.
        self.life.with_mut(|life| unsafe { &mut *life })
    }
}

/// Why there's no operation of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoSuchCall {
    /// It was never issued, or is over.
    Unknown,
    /// It has ended, and is there until its end was told and its task released.
    Ended,
    /// It is the parent's, and this is a forked child.
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

/// What a node holds.
pub(crate) trait Recycle: Default {
    /// What is left of it that has to be dropped without the lock.
    type Remains;

    /// Makes it what it was at first.
    fn clear(&mut self) -> Self::Remains;
}

impl<L: Recycle> Node<L> {
    pub(crate) fn new(index: usize) -> Node<L> {
        Node {
            number: AtomicU64::new(0),
            uses: AtomicU64::new(0),
            next: AtomicU32::new(0),
            index: index as u32,
            cancelled: AtomicU32::new(0),
            lock: Mutex::new(()),
            life: UnsafeCell::new(L::default()),
        }
    }

    /// The number of an operation that nobody can find yet, for who has just taken the node.
    pub(super) fn number_next(&self) -> Op {
        let uses = self.uses.load(Ordering::Relaxed) + 1;
        self.uses.store(uses, Ordering::Relaxed);
        self.cancelled.store(0, Ordering::Relaxed);
        (uses << INDEX_BITS) | Op::from(self.index)
    }

    /// The node, locked, if the operation is its.
    pub(super) fn find(&self, op: Op) -> Result<LockedState<'_, L>, NoSuchCall> {
        match self.number.load(Ordering::Acquire) {
            // Before any lock is taken, which in a child nobody may hold for good.
            FORKED => return Err(NoSuchCall::Forked),
            number if number == op && op != 0 => {}
            _ => return Err(NoSuchCall::Unknown),
        }
        let life = self.lock();
        // Looked at again, since it may have been given back before it was locked.
        if self.number.load(Ordering::Relaxed) == op {
            Ok(life)
        } else {
            Err(NoSuchCall::Unknown)
        }
    }

    fn lock(&self) -> LockedState<'_, L> {
        LockedState {
            _lock: self.lock.lock().unwrap_or_else(PoisonError::into_inner),
            life: &self.life,
        }
    }

    /// Sets the life of an operation, and then lets it be found by its number.
    ///
    /// Without the lock: who still looks for the operation before this one takes that, finds another number and touches nothing.
    ///
    /// # Safety
    /// The node was [taken](super::node_pool::take) by the caller with this number, and not opened since.
    pub(super) unsafe fn open(&self, op: Op, set: impl FnOnce(&mut L)) {
        // SAFETY: the caller's promise: it's nobody else's yet.
        self.life.with_mut(|life| set(unsafe { &mut *life }));
        self.number.store(op, Ordering::Release);
    }

    /// Locked again, for who knows that the operation isn't over, since what they have done isn't noted yet. `None` where
    /// foreign code has forked meanwhile, and this is the child.
    pub(super) fn again(&self) -> Option<LockedState<'_, L>> {
        (!self.is_forked()).then(|| self.lock())
    }

    /// Whether it was used so often.
    pub(super) fn was_used(&self, uses: u64) -> bool {
        uses <= self.uses.load(Ordering::Relaxed)
    }

    /// Whether its operation is the parent's.
    pub(super) fn is_forked(&self) -> bool {
        self.number.load(Ordering::Relaxed) == FORKED
    }

    /// Makes the operation, if any, the parent's.
    pub(super) fn fork(&self) {
        self.number.store(FORKED, Ordering::Relaxed);
    }

    /// The operation's number; 0 when it's over.
    pub(crate) fn op(&self) -> Op {
        self.number.load(Ordering::Acquire)
    }

    /// Ends the operation and gives its life, for who then gives the node back. The operation's number is stale from here on.
    pub(super) fn close(&self, mut life: LockedState<'_, L>) -> L::Remains {
        self.number.store(0, Ordering::Release);
        life.clear()
    }
}
