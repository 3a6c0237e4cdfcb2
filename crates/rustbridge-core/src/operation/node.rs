//! The nodes of operations, and the numbers that name them.
//!
//! A node is used again when its operation is over, and never freed, so that any number may be looked up without a lock.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustbridge_abi::{Op, Status};

use super::life::Life;
use super::pending;
use crate::error::Error;
use crate::handle::fork::{self, OverFork};

/// The low bits of a number say which node, the rest which of its uses.
const INDEX_BITS: u32 = 20;
const PER_CHUNK: usize = 256;
const CHUNKS: usize = (1 << INDEX_BITS) / PER_CHUNK;

/// The number of a node whose operation is the parent's, in a forked child.
const FORKED: u64 = u64::MAX;

/// What an operation is kept in.
pub(crate) struct Node {
    /// The operation's number, 0 while there's none.
    number: AtomicU64,
    /// How often it was used.
    uses: AtomicU64,
    /// Which node is free behind this one, plus 1; 0 for none.
    next: AtomicU32,
    index: u32,
    /// What the plugin reads: not 0 as soon as the operation is to end early.
    pub(crate) cancelled: AtomicU32,
    life: Mutex<Life>,
}

type Chunk = [Node; PER_CHUNK];

/// Where the nodes are. Chunks live for good.
static NODES: [AtomicPtr<Chunk>; CHUNKS] = [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS];

/// The free nodes, a stack: the first one's index plus 1, and above it how often the stack has changed, so that a change which
/// was overtaken is noticed. One for all operations of the process; it holds no state of theirs.
static FREE: AtomicU64 = AtomicU64::new(0);

/// How many nodes there are. Locked to make more.
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

    /// What is pending stays the parent's, and so do the nodes: a lock of one may be held by a thread that isn't there.
    fn in_child(&'static self, made: &mut Self::Held) {
        for index in 0..**made {
            if let Some(node) = at(index) {
                node.number.store(FORKED, Ordering::Relaxed);
            }
        }
        FREE.store(0, Ordering::Relaxed);
        pending::forget();
    }
}

fn at(index: usize) -> Option<&'static Node> {
    let chunk = NODES.get(index / PER_CHUNK)?.load(Ordering::Acquire);
    // SAFETY: null or a chunk, which lives for good.
    unsafe { chunk.as_ref() }.map(|chunk| &chunk[index % PER_CHUNK])
}

/// Takes a node for an operation and gives its number, by which others can find it as soon as [`Node::open`] is called.
pub(crate) fn take() -> Result<(&'static Node, Op), Error> {
    let node = match pop() {
        Some(node) => node,
        None => make()?,
    };
    let uses = node.uses.load(Ordering::Relaxed) + 1;
    node.uses.store(uses, Ordering::Relaxed);
    node.cancelled.store(0, Ordering::Relaxed);
    Ok((node, (uses << INDEX_BITS) | Op::from(node.index)))
}

fn pop() -> Option<&'static Node> {
    let mut head = FREE.load(Ordering::Acquire);
    loop {
        let index = (head as u32).checked_sub(1)?;
        let node = at(index as usize)?;
        let next = u64::from(node.next.load(Ordering::Relaxed));
        let changed = ((head >> 32).wrapping_add(1) << 32) | next;
        match FREE.compare_exchange_weak(head, changed, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return Some(node),
            Err(other) => head = other,
        }
    }
}

fn push(node: &'static Node) {
    let mut head = FREE.load(Ordering::Relaxed);
    loop {
        node.next.store(head as u32, Ordering::Relaxed);
        let changed = ((head >> 32).wrapping_add(1) << 32) | u64::from(node.index + 1);
        match FREE.compare_exchange_weak(head, changed, Ordering::AcqRel, Ordering::Relaxed) {
            Ok(_) => return,
            Err(other) => head = other,
        }
    }
}

#[cold]
fn make() -> Result<&'static Node, Error> {
    fork::watch(&MADE);
    let mut made = MADE.lock();
    // Others may have given back, or made, some meanwhile.
    if let Some(node) = pop() {
        return Ok(node);
    }
    let first = *made;
    let Some(place) = NODES.get(first / PER_CHUNK) else {
        return Err(Error::new(
            Status::ResourceExhausted,
            "TooManyOperations",
            format!(
                "{first} operations are pending in this process, which is the limit: wait for some before beginning more"
            ),
        ));
    };
    let chunk: Box<Chunk> = (first..first + PER_CHUNK)
        .map(Node::new)
        .collect::<Vec<_>>()
        .into_boxed_slice()
        .try_into()
        .map_err(|_| Error::new(Status::Internal, "TooManyOperations", "no chunk of nodes"))?;
    place.store(Box::into_raw(chunk), Ordering::Release);
    *made = first + PER_CHUNK;
    drop(made);
    // Index 0 isn't used, so that no number is 0 but for its uses.
    for index in (first.max(1)..first + PER_CHUNK).rev() {
        if let Some(node) = at(index) {
            push(node);
        }
    }
    match pop() {
        Some(node) => Ok(node),
        None => make(),
    }
}

/// Why there's no operation of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It was never issued, or is over.
    Unknown,
    /// It has ended, and is there until its end was told and its task released.
    Ended,
    /// It is the parent's, and this is a forked child.
    Forked,
}

impl Missing {
    pub(crate) fn error(self, op: Op) -> Error {
        match self {
            Missing::Unknown => Error::new(
                Status::NotFound,
                "NoSuchOperation",
                format!(
                    "{op:#x} is not an operation that is pending: it's over, or was never begun"
                ),
            ),
            Missing::Ended => Error::new(
                Status::FailedPrecondition,
                "OperationOver",
                format!("operation {op:#x} has ended: what it answered is on its way, or taken"),
            ),
            Missing::Forked => Error::new(
                Status::FailedPrecondition,
                "Forked",
                format!(
                    "operation {op:#x} was begun before this process was forked and lives on in the parent only"
                ),
            ),
        }
    }
}

/// The node of an operation, locked.
pub(crate) fn find(op: Op) -> Result<(&'static Node, MutexGuard<'static, Life>), Missing> {
    let node = at((op & ((1 << INDEX_BITS) - 1)) as usize).ok_or(Missing::Unknown)?;
    match node.number.load(Ordering::Acquire) {
        number if number == op && op != 0 => {}
        FORKED => return Err(Missing::Forked),
        _ => return Err(Missing::Unknown),
    }
    let life = node.lock();
    // Looked at again, since it may have been given back before it was locked.
    if node.number.load(Ordering::Relaxed) == op {
        Ok((node, life))
    } else {
        Err(Missing::Unknown)
    }
}

/// Whether there ever was an operation of this number.
pub(crate) fn was_issued(op: Op) -> bool {
    let index = (op & ((1 << INDEX_BITS) - 1)) as usize;
    let uses = op >> INDEX_BITS;
    uses != 0 && at(index).is_some_and(|node| uses <= node.uses.load(Ordering::Relaxed))
}

/// Every operation that there is, locked one after the other.
pub(crate) fn for_each(mut look: impl FnMut(Op, &'static Node, MutexGuard<'static, Life>)) {
    let made = *MADE.lock();
    for index in 0..made {
        let Some(node) = at(index) else { return };
        let op = node.number.load(Ordering::Acquire);
        if op != 0
            && let Ok((node, life)) = find(op)
        {
            look(op, node, life);
        }
    }
}

impl Node {
    fn new(index: usize) -> Node {
        Node {
            number: AtomicU64::new(0),
            uses: AtomicU64::new(0),
            next: AtomicU32::new(0),
            index: index as u32,
            cancelled: AtomicU32::new(0),
            life: Mutex::new(Life::new()),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the operation be found. Its life is set.
    pub(crate) fn open(&self, op: Op) {
        self.number.store(op, Ordering::Release);
    }

    /// The operation's number; 0 when it's over.
    pub(crate) fn op(&self) -> Op {
        self.number.load(Ordering::Relaxed)
    }

    /// Gives the node back. The operation's number is stale from here on.
    pub(crate) fn give_back(&'static self, mut life: MutexGuard<'_, Life>) {
        if self.number.load(Ordering::Relaxed) == FORKED {
            return;
        }
        self.number.store(0, Ordering::Release);
        life.reset();
        drop(life);
        push(self);
    }
}
