//! Opens calls, runs what their state asks for, and closes them.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rustbridge_abi::{AsyncExtension, Op};

use super::atomics::{this_thread, yield_now};
use super::borrowed::BorrowedObjects;
use super::call_state::{Action, CallState, Completion, Locked, NewCall, Node, Task};
use super::cancellation::Hook;
use super::delivery::{Callback, Delivery};
use super::headers::Headers;
use super::node::LockedState;
use super::node_pool;
use super::pending_count;
use crate::error::{Error, forget_panic};

/// Opens a call and returns its ID. The calling thread is inside the instance, and stays so until the call was
/// [closed](close_unstarted) or has [started](start). It counts as pending once it has started.
pub(crate) fn open_call(new: NewCall) -> Result<(&'static Node, Op), Error> {
    let (node, op) = node_pool::take()?;
    // SAFETY: taken just now.
    unsafe {
        node.open(op, |state| {
            state.info = new.info;
            state.delivery = new.delivery;
            state.input.exists = new.input;
            if new.headers {
                state.output.headers = Headers::new(true);
            }
            if let Some((items, bytes)) = new.output {
                state.output.open(items, bytes);
            }
            if new.is_synchronous {
                state.task = Task::Synchronous;
            }
        });
    }
    Ok((node, op))
}

/// Closes a call that didn't start: its result is what `start`, or the call, returned. If the plugin has completed it nevertheless,
/// that result is discarded. Returns the headers.
pub(crate) fn close_unstarted(node: &'static Node) -> Vec<u8> {
    let Some(mut state) = node.lock_again() else {
        return Vec::new();
    };
    // Waits for a hook that runs, because its data may be on the stack of the function that is about to return. Also waits for a
    // plugin that completes the call or sends items although it mustn't: the node can't be used for another call before.
    while state.active > 0 || matches!(state.completion, Completion::InProgress) {
        drop(state);
        yield_now();
        let Some(again) = node.lock_again() else {
            return Vec::new();
        };
        state = again;
    }
    let headers = state.output.headers.take();
    close_call(node, state);
    headers
}

/// Starts a call for which the plugin has returned `RB_PENDING` with this task. It counts as pending in its instance from now on.
pub(crate) fn start(node: &'static Node, task: *mut c_void, borrowed: BorrowedObjects) {
    let Some(mut state) = node.lock_again() else {
        return;
    };
    pending_count::add(state.info.instance);
    state.borrowed = borrowed;
    state.task = Task::Running(task);
    run(node, state);
}

/// Does everything that the state of a call asks for, and closes the call if it's over.
pub(super) fn run(node: &'static Node, mut state: Locked) {
    let op = node.op();
    loop {
        let Some(action) = state.next_action() else {
            if state.is_over() {
                close_call(node, state);
            }
            return;
        };
        let next = match action {
            Action::Cancel(task, reason) => call_plugin(node, state, |plugin| {
                if let Some(cancel) = plugin.cancel {
                    // SAFETY: the task is the plugin's. It isn't released while this runs, because that counts as active.
                    unsafe { cancel(task, reason) };
                }
            }),
            Action::Demand(task, (items, bytes)) => {
                let next = call_plugin(node, state, |plugin| {
                    if let Some(demand) = plugin.demand {
                        // SAFETY: as above.
                        unsafe { demand(task, items, bytes) };
                    }
                });
                next.map(|mut state| {
                    state.output.is_demanding = false;
                    state
                })
            }
            Action::Release(task) => release(node, state, task),
            Action::Callback(callback) => run_callback(node, state, op, callback),
            // After these two, the host may have received the result and the node may belong to another call.
            Action::Enqueue(queue, number) => {
                drop(state);
                queue.push(number, op);
                node_pool::find_call(op).ok().map(|(_, state)| state)
            }
            Action::Wake(waker) => {
                drop(state);
                catch_panic(|| waker.wake());
                node_pool::find_call(op).ok().map(|(_, state)| state)
            }
        };
        let Some(next) = next else { return };
        state = next;
    }
}

/// Runs foreign code without the lock. Meanwhile it counts as active in the call, so that the task isn't released and the node isn't
/// used for another call. Returns `None` if the foreign code has forked and this is the child.
#[inline]
pub(super) fn unlocked<T>(
    node: &'static Node,
    mut state: Locked,
    work: impl FnOnce() -> T,
) -> Option<(Locked, T)> {
    state.active += 1;
    drop(state);
    let result = work();
    let mut state = node.lock_again()?;
    state.active -= 1;
    Some((state, result))
}

/// Calls functions of the plugin's table.
#[inline]
fn call_plugin(
    node: &'static Node,
    state: Locked,
    work: impl FnOnce(&AsyncExtension),
) -> Option<Locked> {
    let plugin = state.info.plugin;
    let (state, ()) = unlocked(node, state, || {
        if let Some(plugin) = plugin {
            work(plugin);
        }
    })?;
    Some(state)
}

/// Releases the task, and the objects that the call has borrowed. The call counts as pending until both are done.
fn release(node: &'static Node, mut state: Locked, task: *mut c_void) -> Option<Locked> {
    let borrowed = std::mem::take(&mut state.borrowed);
    let instance = state.info.instance;
    let state = call_plugin(node, state, |plugin| {
        if let Some(release) = plugin.release {
            // SAFETY: the task is the plugin's, and nothing is active in it.
            unsafe { release(task) };
        }
    });
    let Some(state) = state else {
        // In a forked child, objects are the parent's.
        std::mem::forget(borrowed);
        return None;
    };
    let mut state = if borrowed.len() == 0 {
        state
    } else {
        unlocked(node, state, || drop(borrowed))?.0
    };
    // Before the node can be used for another call, and not in a child, where nothing is pending.
    pending_count::remove(instance);
    state.task = Task::Released;
    Some(state)
}

/// Calls the host's function with the next event.
fn run_callback(
    node: &'static Node,
    mut state: Locked,
    op: Op,
    callback: Callback,
) -> Option<Locked> {
    let (instance, entry) = (state.info.instance, state.info.entry);
    let mut event = state.take_event(op);
    let (mut state, ()) = unlocked(node, state, || {
        (callback.within)(instance, entry, &mut || {
            if let Some(event) = event.take() {
                // SAFETY: the host has registered the function, and promised that it may be called on any thread.
                catch_panic(|| unsafe { (callback.function)(callback.data, event) });
            }
        });
    })?;
    // Meanwhile the host may have abandoned the call.
    if let Delivery::Callback { is_running, .. } = &mut state.delivery {
        *is_running = false;
    }
    Some(state)
}

/// Closes a call: its ID is stale from now on, and its node is used for another call.
fn close_call(node: &'static Node, state: LockedState<'_, CallState>) {
    let remains = node.close(state);
    node_pool::recycle(node);
    // They may belong to the host, as a waker does.
    drop(remains);
}

/// Runs code of the host and discards its panic: the caller may be the plugin, and there's work left to do.
pub(crate) fn catch_panic(work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        forget_panic(panic);
    }
}

/// Calls the hook that the plugin has registered for a cancellation, if any, and then [runs](run) the call.
pub(super) fn call_hook_and_run(node: &'static Node, mut state: Locked) {
    if let Some(Hook { function, data }) = state.cancellation.hook.take() {
        state.cancellation.hook_thread = Some(this_thread());
        // SAFETY: `on_cancel` promises that it may be called, and waits while it runs.
        let again = unlocked(node, state, || unsafe { function(data) });
        let Some((again, ())) = again else { return };
        state = again;
        state.cancellation.hook_thread = None;
    }
    run(node, state);
}
