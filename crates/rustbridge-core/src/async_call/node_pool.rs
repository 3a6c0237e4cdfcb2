//! The nodes of all asynchronous calls.
//!
//! A node is used again when its call is over, and never freed, so that any ID can be looked up without a lock.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustbridge_abi::{Op, Status};

use super::call_state::{CallState, Node};
use super::free::Free;
use super::node::{INDEX_BITS, LockedState, NoSuchCall};
use super::pending_count;
use crate::error::Error;
use crate::registry::fork::{self, OverFork};
use crate::registry::tls;

const PER_CHUNK: usize = 256;
const CHUNKS: usize = (1 << INDEX_BITS) / PER_CHUNK;

type Chunk = [Node; PER_CHUNK];

/// The chunks of nodes. They are never freed.
static NODES: [AtomicPtr<Chunk>; CHUNKS] = [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS];

/// The free nodes of the process.
static FREE: Free = Free::new(AtomicU64::new(0));

/// How many nodes there are. Locked to allocate more.
static MADE: Nodes = Nodes(Mutex::new(0));

struct Nodes(Mutex<usize>);

impl Nodes {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OverFork for Nodes {
    type Held = MutexGuard<'static, usize>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    /// Pending calls belong to the parent, and so do the nodes: a thread that doesn't exist in the child may hold a node's lock.
    fn in_child(&'static self, made: &mut Self::Held) {
        for index in 0..**made {
            if let Some(node) = at(index) {
                node.fork();
            }
        }
        FREE.clear();
        pending_count::forget();
    }
}

fn at(index: usize) -> Option<&'static Node> {
    let chunk = NODES.get(index / PER_CHUNK)?.load(Ordering::Acquire);
    // SAFETY: null or a chunk, which is never freed.
    unsafe { chunk.as_ref() }.map(|chunk| &chunk[index % PER_CHUNK])
}

/// Takes a node for a call and returns the call's ID, by which others can find it once [`Node::open`] is called.
pub(super) fn take() -> Result<(&'static Node, Op), Error> {
    let node = match spare().or_else(pop) {
        Some(node) => node,
        None => make()?,
    };
    Ok((node, node.number_next()))
}

/// The free node that this thread keeps for its next call, so that calls that complete at once don't compete for the stack. After a
/// fork, the node belongs to the parent.
fn spare() -> Option<&'static Node> {
    let cell = tls::cell()?;
    // No other thread accesses this thread's slot.
    let kept = cell.spare.load(Ordering::Relaxed);
    if kept == 0 {
        return None;
    }
    cell.spare.store(0, Ordering::Relaxed);
    at(kept as usize).filter(|node| !node.is_forked())
}

fn pop() -> Option<&'static Node> {
    FREE.pop(|index| Some(&at(index as usize)?.next))
        .and_then(|index| at(index as usize))
}

/// Recycles a node whose call is closed: its ID finds nothing any more.
pub(super) fn recycle(node: &'static Node) {
    match tls::cell() {
        Some(cell) if cell.spare.load(Ordering::Relaxed) == 0 => {
            cell.spare.store(node.index, Ordering::Relaxed);
        }
        _ => put(node),
    }
}

fn put(node: &'static Node) {
    FREE.push(node.index, &node.next);
}

#[cold]
fn make() -> Result<&'static Node, Error> {
    fork::watch(&MADE);
    let mut made = MADE.lock();
    // Other threads may have recycled or allocated some meanwhile.
    if let Some(node) = pop() {
        return Ok(node);
    }
    let first = *made;
    let Some(place) = NODES.get(first / PER_CHUNK) else {
        return Err(Error::new(
            Status::ResourceExhausted,
            "TooManyCalls",
            format!(
                "{first} calls are pending in this process, which is the limit: wait for some of them before submitting more"
            ),
        ));
    };
    let chunk: Box<Chunk> = (first..first + PER_CHUNK)
        .map(Node::new)
        .collect::<Vec<_>>()
        .into_boxed_slice()
        .try_into()
        .map_err(|_| Error::new(Status::Internal, "TooManyCalls", "no chunk of nodes"))?;
    place.store(Box::into_raw(chunk), Ordering::Release);
    *made = first + PER_CHUNK;
    // Index 0 isn't used, so that no ID is 0. The first of the others is the caller's. It's taken under the lock: otherwise other
    // threads could take all new nodes, and the caller would allocate again and again.
    let ours = first.max(1);
    for index in (ours + 1..first + PER_CHUNK).rev() {
        if let Some(node) = at(index) {
            put(node);
        }
    }
    at(ours).ok_or_else(|| Error::new(Status::Internal, "TooManyCalls", "no node"))
}

/// How many nodes there are, including free ones.
pub(crate) fn count() -> usize {
    *MADE.lock()
}

/// Finds and locks the node of a call.
pub(crate) fn find_call(
    op: Op,
) -> Result<(&'static Node, LockedState<'static, CallState>), NoSuchCall> {
    let node = at((op & ((1 << INDEX_BITS) - 1)) as usize).ok_or(NoSuchCall::Unknown)?;
    Ok((node, node.find(op)?))
}

/// Whether there ever was a call with this ID.
pub(crate) fn was_issued(op: Op) -> bool {
    let uses = op >> INDEX_BITS;
    uses != 0 && at((op & ((1 << INDEX_BITS) - 1)) as usize).is_some_and(|node| node.was_used(uses))
}

/// Visits every call, locked one after the other. A thread that closes something and then calls this finds all calls that were started
/// by threads that haven't found it closed.
pub(super) fn for_each(mut look: impl FnMut(Op, &'static Node, LockedState<'static, CallState>)) {
    fence(Ordering::SeqCst);
    for index in 0..count() {
        let Some(node) = at(index) else { return };
        let op = node.op();
        if op != 0
            && let Ok((node, state)) = find_call(op)
        {
            look(op, node, state);
        }
    }
}
