//! Closing: shut the slot, let what is inside come out, destroy, and say what keeps it from going on.

use std::hint;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use rustbridge_abi::{RB_OK, Response, Status};
use serde_json::json;

use crate::cells::{self, Running};
use crate::describe::INDEX_BITS;
use crate::error::Error;
use crate::instance::{self, Instance, Phase};
use crate::negotiate::bytes_of;
use crate::slot::Condition;
use crate::table::{self, Handle};
use crate::{fence, raw};

/// When a timeout is over; `None` for never.
pub(crate) fn deadline(timeout: Duration) -> Option<Instant> {
    Instant::now().checked_add(timeout)
}

fn is_over(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

pub(crate) fn close(handle: Handle, timeout: Duration) -> Result<(), Error> {
    let instance = instance::find(handle)?;
    let slot = table::slot(handle);
    let index = table::index(handle);
    if cells::is_own_marked(index) {
        return Err(Error::new(
            Status::FailedPrecondition,
            "CloseInsideCall",
            format!(
                "instance `{}` can't be closed from inside one of its own calls, which would wait for itself: close it when the call has returned, or from another thread",
                instance.name
            ),
        ));
    }
    let deadline = deadline(timeout);
    let generation = table::generation(handle);
    if !slot.change_condition(generation, Condition::Active, Condition::Closing)
        && !slot.change_condition(generation, Condition::Poisoned, Condition::Closing)
    {
        let condition = table::condition(handle);
        if condition != Condition::Closing {
            return Err(table::refusal(handle, condition));
        }
    }
    slot.shut(handle);
    fence::heavy();
    wait_until_empty(&instance, deadline, timeout)?;
    destroy(&instance, deadline)?;
    instance::stop_logging(&instance, deadline)?;

    let mut phase = instance.lock_phase();
    match std::mem::replace(&mut *phase, Phase::Gone) {
        Phase::Destroyed { failure } => {
            // Before another closer is told so: whom `close` says that it's closed finds it closed.
            slot.set_status(generation, Condition::Closed);
            drop(phase);
            instance::set_in_roster(handle, None);
            table::free(handle);
            failure.map_or(Ok(()), Err)
        }
        // Another closer was faster.
        _ => Err(table::refusal(handle, Condition::Closed)),
    }
}

/// Waits until no call is inside. The slot is shut and the fence run, so nothing can come in behind our back.
fn wait_until_empty(
    instance: &Instance,
    deadline: Option<Instant>,
    timeout: Duration,
) -> Result<(), Error> {
    let slot = table::slot(instance.handle);
    let index = table::index(instance.handle);
    let mut turn = 0_u32;
    while slot.counted().load(Ordering::Acquire) != 0 || cells::is_marked(index) {
        // Another closer may be through, and what is inside by now be the calls of the slot's next instance.
        let condition = table::condition(instance.handle);
        if condition != Condition::Closing {
            return Err(table::refusal(instance.handle, condition));
        }
        if is_over(deadline) {
            let running = cells::running(index);
            let counted = slot.counted().load(Ordering::Acquire);
            if running.is_empty() && counted == 0 {
                continue;
            }
            return Err(still_running(instance, &running, counted, timeout));
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

fn still_running(
    instance: &Instance,
    running: &[Running],
    counted: u32,
    timeout: Duration,
) -> Error {
    let name = |running: &Running| {
        instance
            .plugin
            .description
            .name_of((running.entry & INDEX_BITS) as u16)
            .unwrap_or_else(|| format!("entry {}", running.entry & INDEX_BITS))
    };
    let thread = |running: &Running| {
        running
            .thread
            .as_ref()
            .map_or_else(|| "unknown".to_owned(), ToString::to_string)
    };
    let mut items: Vec<String> = running
        .iter()
        .map(|running| format!("{} on thread {}", name(running), thread(running)))
        .collect();
    if counted > 0 {
        items.push(format!("{counted} nested too deep to be named"));
    }
    Error::new(
        Status::DeadlineExceeded,
        "StillRunning",
        format!(
            "instance `{}` still runs {} calls after {timeout:?}: {}; it takes no new ones, close again to go on waiting",
            instance.name,
            running.len() + counted as usize,
            items.join(", ")
        ),
    )
    .with_details(json!({
        "running": running
            .iter()
            .map(|running| json!({"method": name(running), "thread": thread(running)}))
            .collect::<Vec<_>>(),
        "unnamed": counted,
    }))
}

/// Ends the plugin's instance, or waits for the closer that does. No call is inside.
fn destroy(instance: &Instance, deadline: Option<Instant>) -> Result<(), Error> {
    let mut phase = instance.lock_phase();
    loop {
        match *phase {
            Phase::Alive { object } => {
                // From here on nobody else touches the instance. The lock isn't held over `destroy`, which may log and
                // may take its time.
                *phase = Phase::Destroying;
                drop(phase);
                let mut response = Response::empty();
                // SAFETY: `object` is what `create` gave; no call is inside, none can come in, and it's the only time.
                let status = unsafe { (instance.plugin.destroy)(object, &mut response) };
                // SAFETY: the plugin filled the response in.
                let failure = (status != RB_OK)
                    .then(|| Error::from_payload(status, unsafe { bytes_of(&response) }));
                // SAFETY: filled in by the plugin, released once.
                unsafe { raw::release(&mut response) };
                table::slot(instance.handle)
                    .log_level()
                    .store(0, Ordering::Relaxed);
                instance.set_phase(Phase::Destroyed { failure });
                return Ok(());
            }
            Phase::Destroying => {
                if is_over(deadline) {
                    return Err(Error::new(
                        Status::DeadlineExceeded,
                        "StillRunning",
                        format!(
                            "instance `{}` is being destroyed by another thread, and the plugin's destructor hasn't returned; close again to go on waiting",
                            instance.name
                        ),
                    ));
                }
                let left = deadline.map_or(Duration::from_secs(3600), |deadline| {
                    deadline.saturating_duration_since(Instant::now())
                });
                phase = instance
                    .phase_changed
                    .wait_timeout(phase, left)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
            Phase::Destroyed { .. } => return Ok(()),
            Phase::Creating | Phase::Gone => {
                return Err(table::refusal(instance.handle, Condition::Closed));
            }
        }
    }
}
