//! What a queue tells of, and what other threads have left, told to JavaScript on the loop's own thread.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use std::time::Duration;

use napi_sys::*;
use rustbridge_abi::{RB_BATCH_ENDS, RB_OK};
use rustbridge_core::operations::{self, Event, EventKind};

use crate::environment::{Environment, Handler};
use crate::header::{self, beside, bytes_or_none};
use crate::memory::bytes;
use crate::post::Letter;
use crate::text;
use crate::value::{self, big, small};

/// How many events are fetched at once, and how often before the loop gets on with other things.
const EVENTS: usize = 64;
const ROUNDS: usize = 16;

thread_local! {
    /// Room for events, which a drain that isn't inside another one takes.
    static ROOM: Cell<Vec<Event>> = const { Cell::new(Vec::new()) };
}

/// Called by the loop when the bell was rung.
pub(crate) unsafe extern "C" fn rung(
    env: napi_env,
    _: napi_value,
    context: *mut c_void,
    _: *mut c_void,
) {
    if env.is_null() {
        // The environment is ending.
        return;
    }
    // SAFETY: the context is the environment, which the bell doesn't outlive.
    unsafe { look(&*context.cast::<Environment>()) };
}

/// `look()`: tells of what has come.
pub(crate) unsafe extern "C" fn look_now(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([], environment) = value::arguments::<0, Environment>(env, info);
        look(&*environment);
    }
    ptr::null_mut()
}

/// # Safety
/// On the environment's thread, in a callback.
unsafe fn look(environment: &Environment) {
    let letters = environment.post.take();
    // SAFETY: the caller's promise.
    unsafe {
        for letter in letters {
            scoped(environment.env, || tell_letter(environment, letter));
        }
    }
    let mut room = ROOM.take();
    for _ in 0..ROUNDS {
        let queue = environment.queue_now();
        if queue == 0 {
            break;
        }
        room.clear();
        let fetched = operations::next(
            queue,
            EVENTS,
            Duration::ZERO,
            || usize::MAX,
            |event| {
                room.push(event);
            },
        );
        for event in room.drain(..) {
            // SAFETY: the caller's promise.
            unsafe { scoped(environment.env, || tell(environment, event)) };
        }
        if fetched.unwrap_or(0) < EVENTS {
            ROOM.set(room);
            return;
        }
    }
    ROOM.set(room);
    environment.post.ring();
}

/// Runs what makes values, which are let go of at the end. What's thrown inside is told as uncaught.
///
/// # Safety
/// On the environment's thread, in a callback.
unsafe fn scoped(env: napi_env, run: impl FnOnce()) {
    // SAFETY: the scope is closed where it was opened.
    unsafe {
        let mut scope = ptr::null_mut();
        napi_open_handle_scope(env, &mut scope);
        run();
        let mut is_pending = false;
        napi_is_exception_pending(env, &mut is_pending);
        if is_pending {
            let mut error = ptr::null_mut();
            if napi_get_and_clear_last_exception(env, &mut error) == Status::napi_ok {
                napi_fatal_exception(env, error);
            }
        }
        napi_close_handle_scope(env, scope);
    }
}

/// # Safety
/// On the environment's thread, in a callback, with a scope open.
unsafe fn tell_letter(environment: &Environment, letter: Letter) {
    let env = environment.env;
    // SAFETY: the caller's promise.
    unsafe {
        match letter {
            Letter::Record(sink, record) => {
                let record = record.told(env);
                environment.call(Handler::Record, &[small(env, sink), record]);
            }
            Letter::Over(number, status, payload) => {
                let payload = text::string(env, &payload);
                environment.call(
                    Handler::Over,
                    &[small(env, number), value::status(env, status), payload],
                );
            }
        }
    }
}

/// # Safety
/// On the environment's thread, in a callback, with a scope open.
unsafe fn tell(environment: &Environment, event: Event) {
    let env = environment.env;
    let token = event.user_data as u32;
    // SAFETY: the caller's promise.
    unsafe {
        match event.kind {
            EventKind::Done {
                status,
                response,
                trailers,
                objects,
            } => {
                let Some(one) = environment.begun.borrow_mut().remove(token) else {
                    return release(&objects);
                };
                environment.let_go();
                let content = response.bytes();
                let is_text = one.json || (status != RB_OK && content.first() != Some(&1));
                let payload = if is_text {
                    text::string(env, content)
                } else {
                    bytes(env, content)
                };
                let arguments = [
                    small(env, token),
                    value::status(env, status),
                    payload,
                    bytes_or_none(env, trailers.bytes()),
                    header::objects(env, &objects),
                ];
                environment.call(Handler::Done, &arguments);
            }
            EventKind::Items {
                count,
                flags,
                bytes,
                objects,
            } => {
                let one = environment.begun.borrow().get(token);
                if one.op != event.op {
                    return release(&objects);
                }
                let (items, size) = items(env, one.json, count, flags, &bytes);
                let arguments = [
                    small(env, token),
                    items,
                    value::number(env, size as f64),
                    header::objects(env, &objects),
                ];
                environment.call(Handler::Items, &arguments);
            }
            EventKind::Demand { items, bytes }
                if environment.begun.borrow().get(token).op == event.op =>
            {
                let arguments = [
                    small(env, token),
                    value::number(env, items as f64),
                    value::number(env, bytes as f64),
                ];
                environment.call(Handler::Demand, &arguments);
            }
            EventKind::Service { asked, .. } => {
                let registered = crate::service::Registered::of(event.user_data);
                let request = registered.request(env, asked.request());
                let arguments = [
                    big(env, event.op),
                    small(env, registered.number),
                    beside(env, asked.header().as_ref()),
                    request,
                ];
                environment.call(Handler::Ask, &arguments);
            }
            EventKind::ServiceCancel => {
                environment.call(Handler::Forget, &[big(env, event.op)]);
            }
            // No other kind is made by a core of this version.
            _ => {}
        }
    }
}

fn release(objects: &[u64]) {
    for object in objects {
        // One whose instance is gone is gone with it.
        let _ = rustbridge_core::handles::release_object(*object);
    }
}

/// Items as an array: strings of what's JSON, else `Uint8Array`s over one memory; and how many bytes they have.
///
/// # Safety
/// In a callback of the environment.
unsafe fn items(
    env: napi_env,
    json: bool,
    count: u32,
    flags: u32,
    content: &[u8],
) -> (napi_value, usize) {
    let count = count as usize;
    let has_ends = flags & RB_BATCH_ENDS != 0;
    let size = content.len() - if has_ends { count * 4 } else { 0 };
    let (content, ends) = content.split_at(size);
    let end = |index: usize| {
        if has_ends {
            let at = ends.as_chunks().0;
            u32::from_ne_bytes(at[index]) as usize
        } else {
            size / count * (index + 1)
        }
    };
    // SAFETY: the caller's promise.
    unsafe {
        let mut array = ptr::null_mut();
        napi_create_array_with_length(env, count, &mut array);
        let mut buffer = ptr::null_mut();
        if !json {
            let mut data = ptr::null_mut();
            if napi_create_arraybuffer(env, size, &mut data, &mut buffer) != Status::napi_ok {
                return (array, size);
            }
            if size != 0 {
                ptr::copy_nonoverlapping(content.as_ptr(), data.cast::<u8>(), size);
            }
        }
        let mut start = 0;
        for index in 0..count {
            let mut scope = ptr::null_mut();
            napi_open_handle_scope(env, &mut scope);
            let end = end(index);
            let item = if json {
                text::string(env, &content[start..end])
            } else {
                value::made!(
                    napi_create_typedarray,
                    env,
                    TypedarrayType::uint8_array,
                    end - start,
                    buffer,
                    start
                )
            };
            napi_set_element(env, array, index as u32, item);
            napi_close_handle_scope(env, scope);
            start = end;
        }
        (array, size)
    }
}
