//! Closing: shut the slot, let what is inside come out, destroy, and say what keeps it from going on.

use std::collections::BTreeMap;
use std::hint;
use std::sync::PoisonError;
use std::sync::atomic::{self, Ordering};
use std::thread;
use std::time::Duration;

use rustbridge_abi::{Op, RB_CANCELLED, RB_FAILED_PRECONDITION, RB_UNAVAILABLE, Status};
use serde_json::json;

use super::names;
use super::refusal::Refusal;
use super::roster::{Instance, Lifecycle, find_instance, set_in_roster};
use super::services::call as services;
use super::services::gate;
use super::services::registered::release_services;
use super::target::{INSTANCES, Target, log_level};
use crate::async_call::call_state::CallState;
use crate::async_call::objects::{self, DROPPING};
use crate::async_call::{caller, pending_count};
use crate::error::Error;
use crate::log::logger::Stop;
use crate::registry::fence;
use crate::registry::guard::Place;
use crate::registry::table::{self, Handle};
use crate::registry::thread_slots::{self, RunningCall};
use crate::response::tell;
use crate::state::{Deadline, State};

/// Closes an instance. What is pending is asked to end early after `cancel_after`, if that's given.
pub(crate) fn close(
    handle: Handle,
    timeout: Duration,
    cancel_after: Option<Duration>,
) -> Result<(), Error> {
    let instance = find_instance(handle)?;
    let slot = INSTANCES.slot(handle);
    if thread_slots::is_own_marked(Place::of::<Target>(handle))
        || thread_slots::is_own_marked(gate::place(handle))
    {
        return Err(Error::new(
            Status::FailedPrecondition,
            "CloseInsideCall",
            format!(
                "instance `{}` can't be closed inside one of its own calls or services, which would wait for itself: close it after the call has returned, or from another thread",
                instance.name
            ),
        ));
    }
    let deadline = Deadline::after(timeout);
    let generation = table::generation(handle);
    if !slot.change_state(generation, Some(State::Active), State::Closing)
        && !slot.change_state(generation, Some(State::Poisoned), State::Closing)
    {
        check_closing(handle)?;
    }
    names::remember(handle, &instance.name);
    slot.shut(handle);
    fence::heavy();
    let place = Place::of::<Target>(handle);
    let is_empty = || {
        slot.is_empty(
            || thread_slots::is_marked(place),
            || pending_count::count(handle) != 0,
        )
    };
    // Whoever begins one looks again whether the instance is shut, with a full fence before; so has this to look, before it's
    // content to find none.
    atomic::fence(Ordering::SeqCst);
    if !is_empty() {
        // Their consumers would wait for what isn't made any more.
        caller::cancel_all(handle, RB_UNAVAILABLE, CallState::has_stream);
    }
    // One that comes after the end of this time has no turn.
    if let Some(after) = cancel_after.filter(|after| *after <= timeout) {
        let patience = Deadline::after(after);
        if wait_until(is_empty, &instance, patience, timeout).is_err() {
            // It may be closed by another closer meanwhile.
            check_closing(handle)?;
            caller::cancel_all(handle, RB_CANCELLED, |_| true);
        }
    }
    wait_until(is_empty, &instance, deadline, timeout)?;
    // What ran until now may have called services; what the plugin's own threads still do is refused from here on.
    let has_services = instance.lock_services().is_some();
    if has_services {
        services::end_services(handle);
        wait_until(|| gate::is_empty(handle), &instance, deadline, timeout)?;
    }
    destroy(&instance, deadline)?;
    stop_logging(&instance, deadline)?;

    let mut created = instance.lock_created();
    match std::mem::replace(&mut *created, Lifecycle::Gone) {
        Lifecycle::Destroyed { failure } => {
            // Before another closer is told so: whom `close` says that it's closed finds it closed.
            slot.set_status(generation, Some(State::Closed));
            drop(created);
            let services = instance.lock_services().take();
            release_services(services);
            set_in_roster(handle, None);
            INSTANCES.free(handle);
            failure.map_or(Ok(()), Err)
        }
        // Another closer was faster.
        _ => Err(Refusal::Closed.for_handle(handle)),
    }
}

/// Whether it is closing still: another closer may be through.
fn check_closing(handle: Handle) -> Result<(), Error> {
    if INSTANCES.state(handle) == Ok(State::Closing) {
        return Ok(());
    }
    Err(Refusal::of_handle(handle).for_handle(handle))
}

/// Ends an operation that was begun while its instance was being shut: whoever did that may have looked for operations before
/// there was this one.
#[cold]
pub(crate) fn end_begun_late(handle: Handle, op: Op, streams: bool) {
    let reason = match INSTANCES.state(handle) {
        Ok(State::Poisoned) => RB_FAILED_PRECONDITION,
        _ if streams => RB_UNAVAILABLE,
        _ => return,
    };
    // Refused if it has ended.
    let _ = caller::cancel(op, reason);
}

/// Waits until nobody is inside. What they came in by is shut and the fence run, so nothing can come in behind our back.
fn wait_until(
    is_empty: impl Fn() -> bool,
    instance: &Instance,
    deadline: Deadline,
    timeout: Duration,
) -> Result<(), Error> {
    let mut turn = 0_u32;
    while !is_empty() {
        // Another closer may be through, and what is inside by now be the calls of the slot's next instance.
        check_closing(instance.handle)?;
        if deadline.is_over() {
            if is_empty() {
                continue;
            }
            return Err(still_running(instance, timeout));
        }
        // Most calls are over in less time than it takes to go to sleep.
        turn = turn.saturating_add(1);
        match turn {
            0..=20 => hint::spin_loop(),
            21..=40 => thread::yield_now(),
            _ => thread::sleep(Duration::from_micros(u64::from(turn.min(1000)) * 2)),
        }
    }
    Ok(())
}

fn name_of(instance: &Instance, entry: u32) -> String {
    match entry {
        DROPPING => "dropping an object".to_owned(),
        entry => instance.plugin.name_of(entry),
    }
}

/// How many running calls the error names; the rest is counted, since there may be thousands.
const NAMED: usize = 16;

/// Says what runs: calls, and the services that they or the plugin's own threads are in.
fn still_running(instance: &Instance, timeout: Duration) -> Error {
    let handle = instance.handle;
    let calls = thread_slots::running(Place::of::<Target>(handle));
    let upcalls = thread_slots::running(gate::place(handle));
    let counted = INSTANCES.slot(handle).counted().load(Ordering::Acquire) + gate::counted(handle);
    let pending = caller::pending_entries(handle);
    let services = instance.lock_services();
    let running: Vec<(String, &RunningCall)> = calls
        .iter()
        .map(|call| (name_of(instance, call.entry), call))
        .chain(upcalls.iter().map(|upcall| {
            let name = services
                .as_ref()
                .map_or_else(String::new, |services| services.name_of(upcall.entry));
            (name, upcall)
        }))
        .collect();
    let thread = |running: &RunningCall| {
        running
            .thread
            .as_ref()
            .map_or_else(|| "unknown".to_owned(), ToString::to_string)
    };
    let mut by_method: BTreeMap<String, u64> = BTreeMap::new();
    for &entry in &pending {
        *by_method.entry(instance.plugin.name_of(entry)).or_default() += 1;
    }
    let mut items: Vec<String> = running
        .iter()
        .take(NAMED)
        .map(|(name, running)| format!("{name} on thread {}", thread(running)))
        .collect();
    if let Some(more) = running.len().checked_sub(NAMED).filter(|more| *more > 0) {
        items.push(format!("{more} more running"));
    }
    items.extend(by_method.iter().map(|(name, count)| match count {
        1 => format!("{name}, pending"),
        _ => format!("{count} of {name}, pending"),
    }));
    if counted > 0 {
        items.push(format!("{counted} more nested calls"));
    }
    let count = running.len() + pending.len() + counted as usize;
    let calls = if count == 1 { "call" } else { "calls" };
    Error::new(
        Status::DeadlineExceeded,
        "StillRunning",
        format!(
            "instance `{}` still runs {count} {calls} after {timeout:?}: {}; it accepts no new calls; close it again to continue waiting",
            instance.name,
            items.join(", ")
        ),
    )
    .with_details(json!({
        "running": running
            .iter()
            .take(NAMED)
            .map(|(name, running)| json!({"method": name, "thread": thread(running)}))
            .collect::<Vec<_>>(),
        "pending": by_method
            .iter()
            .map(|(name, count)| json!({"method": name, "count": count}))
            .collect::<Vec<_>>(),
        "unnamed": counted,
    }))
}

/// Ends the plugin's instance, or waits for the closer that does. No call is inside.
fn destroy(instance: &Instance, deadline: Deadline) -> Result<(), Error> {
    let mut created = instance.lock_created();
    loop {
        match *created {
            Lifecycle::Alive { address } => {
                // From here on nobody else touches the instance. The lock isn't held over `destroy`, which may log and
                // may take its time.
                *created = Lifecycle::Destroying;
                drop(created);
                // Before the rest of the instance goes, as if the host had released them.
                // SAFETY: no call is inside, none can come in, and it's destroyed below.
                unsafe { objects::end_of_instance(instance.handle) };
                // SAFETY: `address` is what `create` gave; no call is inside, none can come in, and it's the only time.
                let failure = unsafe {
                    tell(
                        || instance.plugin.whose("destroy"),
                        |error| (instance.plugin.destroy)(address, error),
                    )
                }
                .err();
                log_level(instance.handle).store(0, Ordering::Relaxed);
                instance.set_created(Lifecycle::Destroyed { failure });
                return Ok(());
            }
            Lifecycle::Destroying => {
                if deadline.is_over() {
                    return Err(Error::new(
                        Status::DeadlineExceeded,
                        "StillRunning",
                        format!(
                            "instance `{}` is being destroyed by another thread, and the plugin's destructor hasn't returned; close it again to continue waiting",
                            instance.name
                        ),
                    ));
                }
                let left = deadline.left().unwrap_or(Duration::from_secs(3600));
                created = instance
                    .created_changed
                    .wait_timeout(created, left)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
            Lifecycle::Destroyed { .. } => return Ok(()),
            Lifecycle::Awaited | Lifecycle::Gone => {
                return Err(Refusal::Closed.for_handle(instance.handle));
            }
        }
    }
}

/// The end of an instance: called once, by the closer that found it destroyed.
fn stop_logging(instance: &Instance, deadline: Deadline) -> Result<(), Error> {
    match instance.logger.stop(deadline) {
        Stop::Done | Stop::AfterThisRecord => Ok(()),
        Stop::TimedOut { waiting } => Err(Error::new(
            Status::DeadlineExceeded,
            "SinkBusy",
            format!(
                "instance `{}` was destroyed, but its log sink hasn't returned and {waiting} records are waiting for it; close it again to continue waiting",
                instance.name
            ),
        )
        .with_details(Error::detail("waiting_records", waiting))),
    }
}
