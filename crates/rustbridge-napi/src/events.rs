//! What a queue tells of, and what other threads have left, told to JavaScript on the loop's own thread.

use core::cell::RefCell;
use core::ffi::c_void;
use core::ptr;
use std::collections::VecDeque;
use std::time::Duration;

use napi_sys::*;
use rustbridge_abi::{RB_BATCH_ENDS, RB_OK, RB_RESOURCE_EXHAUSTED};
use rustbridge_core::operations::{self, Event, EventKind};
use rustbridge_host_abi as abi;

use crate::call::inside;
use crate::environment::{Environment, Handler};
use crate::error::TOO_LARGE;
use crate::header::{self, beside, bytes_or_none, release};
use crate::memory::bytes;
use crate::post::Letter;
use crate::text;
use crate::value::{self, big, small, thrown};

/// How many events are fetched at once, and how often before the loop gets on with other things.
const EVENTS: usize = 64;
const ROUNDS: usize = 16;

/// Called by the event loop when the wakeup was signaled.
pub(crate) unsafe extern "C" fn on_wakeup(
    env: napi_env,
    _: napi_value,
    context: *mut c_void,
    _: *mut c_void,
) {
    if env.is_null() {
        // The environment is ending.
        return;
    }
    // SAFETY: the context is the environment, which the wakeup doesn't outlive.
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
    let mut letters = environment.post.take();
    environment.letters.borrow_mut().append(&mut letters);
    while let Some(letter) = first(&environment.letters) {
        // SAFETY: the caller's promise.
        unsafe { scoped(environment.env, || tell_letter(environment, letter)) };
    }
    for _ in 0..ROUNDS {
        let fetched = fetch(environment);
        while let Some(event) = first(&environment.events) {
            // SAFETY: the caller's promise.
            unsafe { scoped(environment.env, || tell(environment, event)) };
        }
        if fetched < EVENTS {
            return;
        }
    }
    environment.post.ring();
}

/// The first of what isn't told yet, which isn't borrowed while it's told.
fn first<T>(untold: &RefCell<VecDeque<T>>) -> Option<T> {
    untold.borrow_mut().pop_front()
}

/// Fetches events, behind those that aren't told yet; how many.
fn fetch(environment: &Environment) -> usize {
    let queue = environment.queue_now();
    if queue == 0 {
        return 0;
    }
    let mut events = environment.events.borrow_mut();
    let fetched = operations::next(
        queue,
        EVENTS,
        Duration::ZERO,
        || usize::MAX,
        |event| {
            events.push_back(event);
        },
    );
    fetched.unwrap_or(0)
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
        let error = thrown(env);
        if !error.is_null() {
            napi_fatal_exception(env, error);
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
                let payload = text::shown(env, &payload);
                environment.call(
                    Handler::Over,
                    &[small(env, number), value::status(env, status), payload],
                );
            }
            Letter::Loaded(number, handle) => {
                environment.add_instance(handle);
                let handle = text::shown(env, handle.to_string().as_bytes());
                let ok = value::status(env, RB_OK);
                environment.call(Handler::Over, &[small(env, number), ok, handle]);
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
                let removed = environment.begun.borrow_mut().remove_if(token, event.op);
                let Some(one) = removed else {
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
                if arguments.contains(&ptr::null_mut()) {
                    release(&objects);
                    return settle(environment, token);
                }
                environment.call(Handler::Done, &arguments);
            }
            EventKind::Headers { headers }
                if environment.begun.borrow().get(token).op == event.op =>
            {
                let arguments = [small(env, token), bytes(env, headers.bytes())];
                // What can't be made is told of as uncaught, and the answer comes all the same.
                if !arguments.contains(&ptr::null_mut()) {
                    environment.call(Handler::Headers, &arguments);
                }
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
                if arguments.contains(&ptr::null_mut()) {
                    release(&objects);
                    environment.begun.borrow_mut().remove(token);
                    environment.let_go();
                    inside(ptr::null(), || abi::rb_op_detach(event.op, ptr::null_mut()));
                    return settle(environment, token);
                }
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
                let registered = crate::service::ServiceHandle::of(event.user_data);
                let request = registered.request(env, asked.request());
                let arguments = [
                    big(env, event.op),
                    small(env, registered.number),
                    beside(env, asked.header().as_ref()),
                    request,
                ];
                if arguments.contains(&ptr::null_mut()) {
                    thrown(env);
                    let (data, len) = (TOO_LARGE.as_ptr(), TOO_LARGE.len());
                    let status = RB_RESOURCE_EXHAUSTED;
                    inside(ptr::null(), || {
                        abi::rb_service_reply(event.op, status, data, len, ptr::null_mut())
                    });
                    return;
                }
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

/// Tells of an end that's an error: what has come is more than a value of JavaScript's may be.
///
/// # Safety
/// As for [`tell`].
#[cold]
unsafe fn settle(environment: &Environment, token: u32) {
    let env = environment.env;
    // SAFETY: the caller's promise.
    unsafe {
        thrown(env);
        let arguments = [
            small(env, token),
            value::status(env, RB_RESOURCE_EXHAUSTED),
            text::string(env, TOO_LARGE.as_bytes()),
        ];
        environment.call(Handler::Done, &arguments);
    }
}

/// Items as an array, null if they can't be made: strings of what's JSON, else `Uint8Array`s over one memory; and how many bytes they have.
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
                return (ptr::null_mut(), size);
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
            if item.is_null() {
                return (ptr::null_mut(), size);
            }
            start = end;
        }
        (array, size)
    }
}
