//! What an operation's life asks for is done here, by whoever has changed it, without its lock.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rustbridge_abi::Op;

use super::atomics::{this_thread, yield_now};
use super::borrowed::BorrowedObjects;
use super::call_state::{Act, CallState, Done, NewCall, Node, Stage, Wake};
use super::headers::Headers;
use super::message_resolution::MessageResolution;
use super::node::LockedState;
use super::node_pool;
use super::pending_count;
use crate::error::{Error, forget_panic};

/// Begins an operation: it has a number. The calling thread is inside the instance, and stays so until the operation has
/// [ended at once](ended_at_once), or counts as running in the instance, since it has [started].
pub(crate) fn open_call(begin: NewCall) -> Result<(&'static Node, Op), Error> {
    let (node, op) = node_pool::take()?;
    // SAFETY: taken just now.
    unsafe {
        node.open(op, |life| {
            life.instance = begin.instance;
            life.entry = begin.entry;
            life.user_data = begin.user_data;
            life.deadline = begin.deadline;
            life.host_number = begin.host_number;
            life.plugin = begin.plugin;
            life.resolving = begin.resolved.map(MessageResolution::by);
            life.delivery = begin.delivery;
            life.gives = begin.gives;
            life.takes = begin.takes;
            if begin.headers {
                life.headers = Headers::new(true);
            }
            if begin.gives {
                life.more = begin.demand;
                life.credit.add(begin.demand.0, begin.demand.1);
            }
            life.stage = if begin.blocking {
                Stage::Blocking
            } else {
                Stage::Begun
            };
        });
    }
    Ok((node, op))
}

/// The operation has ended with what `start`, or the call, answered. What the plugin may have completed it with is given up. Gives the
/// headers.
pub(crate) fn ended_at_once(node: &'static Node) -> Vec<u8> {
    let Some(mut life) = node.again() else {
        return Vec::new();
    };
    // Whoever wakes is waited for: what it's given may be on the stack of who is about to return. So is whoever ends it, or sends its
    // items, against the rules: when they look again the node must not be another's.
    while life.inside > 0 || (life.completing && !life.completed) {
        drop(life);
        yield_now();
        let Some(again) = node.again() else {
            return Vec::new();
        };
        life = again;
    }
    let headers = life.headers.take();
    close_call(node, life);
    headers
}

/// `start` has answered that it's pending, with this task. From here on it counts as running in its instance.
pub(crate) fn started(node: &'static Node, task: *mut c_void, lent: BorrowedObjects) {
    let Some(mut life) = node.again() else { return };
    pending_count::add(life.instance);
    life.lent = lent;
    life.task = task;
    life.stage = Stage::Pending;
    run(node, life);
}

/// Does what a life asks for, until it asks for nothing.
pub(super) fn run(node: &'static Node, mut life: LockedState<'static, CallState>) {
    let op = node.op();
    loop {
        let Some(act) = life.next_act() else {
            if life.is_over() {
                close_call(node, life);
            }
            return;
        };
        let (plugin, task) = (life.plugin, life.task);
        let (instance, entry) = (life.instance, life.entry);
        let mut event = match &act {
            Act::Tell(_) => life.take_event(op),
            _ => None,
        };
        drop(life);
        // SAFETY: the table is the plugin's, and the task one that it gave and that isn't released: a release waits for what is
        // inside, by `next_act`.
        unsafe {
            match &act {
                Act::Cancel(reason) => {
                    if let Some(cancel) = plugin.and_then(|plugin| plugin.cancel) {
                        cancel(task, *reason);
                    }
                }
                Act::Demand(items, bytes) => {
                    if let Some(demand) = plugin.and_then(|plugin| plugin.demand) {
                        demand(task, *items, *bytes);
                    }
                }
                Act::Release => {
                    if let Some(release) = plugin.and_then(|plugin| plugin.release) {
                        release(task);
                    }
                }
                _ => {}
            }
        }
        let done = match act {
            Act::Cancel(_) => Done::Cancel,
            Act::Demand(..) => Done::Demand,
            Act::Release => Done::Release,
            Act::Tell(callback) => {
                (callback.within)(instance, entry, &mut || {
                    if let Some(event) = event.take() {
                        // SAFETY: whoever registered the function promised so.
                        unguarded(|| unsafe { (callback.tell)(callback.data, event) });
                    }
                });
                Done::Tell
            }
            Act::Ring(queue, number) => {
                queue.push(number, op);
                Done::Nothing
            }
            Act::Wake(waker) => {
                unguarded(|| waker.wake());
                Done::Nothing
            }
        };
        if matches!(done, Done::Release) {
            // The node is still ours: only who finds it released and told gives it back. What was lent is given back while the
            // operation counts as running.
            let Some(mut life) = node.again() else { return };
            let lent = std::mem::replace(&mut life.lent, BorrowedObjects::none());
            drop(life);
            drop(lent);
        }
        // What was told of an operation that is over may have had it fetched, and its node be another's by now.
        if matches!(done, Done::Nothing) {
            match node_pool::find_call(op) {
                Ok((_, found)) => life = found,
                Err(_) => return,
            }
        } else {
            let Some(again) = node.again() else { return };
            life = again;
            if matches!(done, Done::Release) {
                // Before the node can be given back, and not in a child, where nothing is pending.
                pending_count::remove(instance);
            }
            life.has_done(&done);
        }
    }
}

/// The operation is over: its number is stale from here on, and its node another's.
fn close_call(node: &'static Node, life: LockedState<'_, CallState>) {
    let before = node.close(life);
    node_pool::recycle(node);
    // It may have what is the host's, a waker for one.
    drop(before);
}

/// Runs the host's code. What it panics with has nowhere to go: above us may be the plugin, and below things are to be done still.
pub(crate) fn unguarded(work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        forget_panic(panic);
    }
}

/// Calls what is to be woken, if anything is, and then does what the life asks for. Meanwhile the plugin is inside the operation, so
/// that it isn't released and its node not used again.
pub(super) fn wake_and_run(node: &'static Node, mut life: LockedState<'static, CallState>) {
    if let Some(Wake { wake, data }) = life.wake.take() {
        life.waking = Some(this_thread());
        life.inside += 1;
        drop(life);
        // SAFETY: by the promise of `on_cancel`, which waits while this is said to run.
        unsafe { wake(data) };
        let Some(again) = node.again() else { return };
        life = again;
        life.waking = None;
        life.inside -= 1;
    }
    run(node, life);
}
