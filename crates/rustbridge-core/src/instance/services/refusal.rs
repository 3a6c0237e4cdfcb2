//! Why a service isn't called, and what is said to whoever asked.

use std::cell::Cell;
use std::hint;
use std::time::Duration;

use rustbridge_abi::Status;

use super::gate::{MOST_NESTED, Outside};
use super::registered::{RegisteredService, Services};
use crate::error::Error;
use crate::instance::refusal::Refusal;
use crate::instance::target::INSTANCES;
use crate::registry::table::{Handle, Stateless};
use crate::state::State;

/// Why nobody is let in.
#[cold]
pub(super) fn refused(handle: Handle, outside: Outside) -> Error {
    if outside == Outside::TooDeep {
        return too_deep();
    }
    match INSTANCES.state(handle) {
        Ok(State::Active) | Err(Stateless::Starting) => Error::new(
            Status::NotFound,
            "NoSuchService",
            "no services were registered for this instance: register them when loading",
        ),
        Ok(State::Poisoned) => Error::new(
            Status::Unavailable,
            "Poisoned",
            "the instance can't call services, because a panic has poisoned it: close it",
        ),
        _ => {
            let error = Refusal::of_handle(handle).for_handle(handle);
            if error.status() == Status::InvalidArgument {
                Refusal::Closed.for_handle(handle)
            } else {
                error
            }
        }
    }
}

#[cold]
pub(super) fn too_deep() -> Error {
    Error::new(
        Status::ResourceExhausted,
        "NestedTooDeep",
        format!(
            "there are {MOST_NESTED} nested service calls on this thread, which is the limit: check for a recursion between plugin and service"
        ),
    )
}

/// The function has promised an answer that can't come.
#[cold]
pub(super) fn no_number(service: &RegisteredService) -> Error {
    Error::new(
        Status::Internal,
        "InvalidResponse",
        format!(
            "service `{}` returned RB_PENDING without a call of rb_service_defer",
            service.name
        ),
    )
}

#[cold]
pub(super) fn no_such(services: &Services, number: u32) -> Error {
    Error::new(
        Status::NotFound,
        "NoSuchService",
        format!(
            "there is no service {number}, but {}: pass the number that `find` returned to this instance",
            services.list.len()
        ),
    )
}

#[cold]
pub(super) fn in_leaf(services: &Services, service: &RegisteredService, entry: u32) -> Error {
    Error::new(
        Status::FailedPrecondition,
        "ServiceInLeaf",
        format!(
            "`{}` is declared leaf, so it can't call service `{}`: remove `leaf` from the method",
            services.plugin.name_of(entry),
            service.name
        ),
    )
}

#[cold]
pub(super) fn unreadable(service: &RegisteredService, len: usize) -> Error {
    Error::new(
        Status::InvalidArgument,
        "InvalidRequest",
        format!(
            "the request of service `{}` is null or above PTRDIFF_MAX bytes ({len} bytes): pass its address and its length",
            service.name
        ),
    )
}

#[cold]
pub(super) fn no_done() -> Error {
    Error::new(
        Status::InvalidArgument,
        "InvalidArgument",
        "`done` is null, expected the function to call at completion",
    )
}

#[cold]
pub(super) fn given_up(service: &RegisteredService, is_cancelled: bool, limit: Duration) -> Error {
    if is_cancelled {
        cancelled(&format!("service `{}`", service.name))
    } else {
        Error::new(
            Status::DeadlineExceeded,
            "DeadlineExceeded",
            format!(
                "service `{}` hasn't answered within {limit:?}",
                service.name
            ),
        )
    }
}

#[cold]
pub(super) fn cancelled(service: &str) -> Error {
    Error::new(
        Status::Cancelled,
        "Cancelled",
        format!("the call for which {service} was called was cancelled before it answered"),
    )
}

/// What a host's function must find of its caller's stack. A JVM ends the process where a call from native code finds less than
/// some 120 KB, since then there's nowhere to throw; on small stacks a quarter has to do.
const ROOM: usize = 160 << 10;

thread_local! {
    /// From where on there's enough, and how many bytes that are, once somebody has asked. Of the thread and of nothing else.
    static ENOUGH: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Whether the calling thread has the stack to go into a function of the host's.
#[inline(always)]
pub(super) fn has_stack() -> bool {
    let mark = 0_u8;
    let here = hint::black_box(&raw const mark).addr();
    let (from, bytes) = ENOUGH.get();
    here.wrapping_sub(from) < bytes || has_stack_when_asked(here)
}

#[cold]
#[inline(never)]
fn has_stack_when_asked(here: usize) -> bool {
    let Some(stack) = rustbridge_stack::stack() else {
        return true;
    };
    let room = ROOM.min(stack.size / 4);
    // A frame's difference doesn't matter.
    let low = here.saturating_sub(stack.left);
    ENOUGH.set((low + room, stack.size - room));
    stack.left >= room
}

#[cold]
pub(super) fn no_stack(service: &RegisteredService) -> Error {
    Error::new(
        Status::ResourceExhausted,
        "StackExhausted",
        format!(
            "service `{}` can't be called: the thread's stack is nearly used up by nested calls or a recursion",
            service.name
        ),
    )
}
