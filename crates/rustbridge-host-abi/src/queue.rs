//! Completion queues: how a host with an event loop of its own receives the events of its calls.

use core::cell::Cell;
use core::ptr;

use rustbridge_abi::{CallContext, Op, RB_OK, Reply, Response, StatusCode, Text};
use rustbridge_core::operations::{self, EventKind, ServiceRequest};

use crate::boundary::{self, Refusal};
use crate::lifecycle::duration;

/// The number of a completion queue. 0 is none.
pub type Queue = u64;

/// A call has completed, with `status`, `response` and `reply`. This is its last event.
pub const RB_EVENT_DONE: u32 = 1;
/// Items of a call's output stream have arrived: `count` items in `response`, laid out as an `rb_batch` with `flags`.
pub const RB_EVENT_ITEMS: u32 = 2;
/// A call accepts more items on its input stream: `items` and `bytes` are the credit at the moment the event is received, less
/// everything sent before. If you send concurrently, `rb_op_write` may return `RB_RESOURCE_EXHAUSTED`; then wait for the next
/// event of this kind.
pub const RB_EVENT_DEMAND: u32 = 3;
/// A plugin calls a service that is registered with this queue (see `rb_service`). `op` is the number of the service call; answer
/// it once by `rb_service_reply`. `user_data` is that of the service, `instance` the calling instance, `response` the request,
/// `call_context` its call context. A service call whose deadline has passed is not reported.
pub const RB_EVENT_SERVICE: u32 = 4;
/// The answer to a service call that was reported earlier is no longer needed, because the call was cancelled, its deadline has passed,
/// or its instance is closing. `op` is the number of the service call, `user_data` that of the service. A later reply is refused
/// and does no harm.
pub const RB_EVENT_SERVICE_CANCEL: u32 = 5;

/// The initial metadata of a call has arrived: `response` has the same layout as the metadata of `rb_call_context`. Delivered
/// right before the first items or the completion, if the call context had `RB_CONTEXT_HEADERS` and there is any.
pub const RB_EVENT_HEADERS: u32 = 6;

/// An event of an asynchronous call, or of a service call.
#[repr(C)]
#[derive(Debug)]
pub struct Event {
    /// `sizeof(rb_event)`.
    pub size: u32,
    /// The kind of event: one of the `RB_EVENT_` codes.
    pub kind: u32,
    /// The ID of the call, or the number of the service call.
    pub op: Op,
    /// `user_data` of the submission, or of the service.
    pub user_data: u64,
    /// The status with which the call has completed.
    pub status: StatusCode,
    /// Number of items.
    pub count: u32,
    /// `RB_BATCH_` bits of the items.
    pub flags: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// The response, the error payload, the items, the request, or the initial metadata. It is in the arena if its `release` is
    /// null.
    pub response: Response,
    /// The trailers and objects of the response, and the objects of items. Each object must be released once.
    pub reply: Reply,
    /// Credit in items.
    pub items: u64,
    /// Credit in bytes; the last item may exceed it.
    pub bytes: u64,
    /// The call context of a service call (remaining time, trace, metadata), or null. It is in the same memory as the request in
    /// `response`, and valid as long as that. Its `op` is the number that the host gave to the call for which the plugin works, or 0.
    /// It has no `cancelled`, no objects and no `reply`.
    pub call_context: *const CallContext,
    /// The instance that was called. For the two kinds about services: the instance that calls the service.
    pub instance: u64,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Size of an event in version 1.0.
///
/// cbindgen:ignore
pub const EVENT_1_0: usize = 192;

const _: () = assert!(EVENT_1_0 <= size_of::<Event>());

/// Creates a queue and writes its number to `*queue`, or 0 on failure.
///
/// `RB_RESOURCE_EXHAUSTED`: too many queues are open.
///
/// Thread: any. State: none needed.
///
/// # Safety
/// `queue` is writable, `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_queue_new(queue: *mut Queue, error: *mut Response) -> StatusCode {
    // SAFETY: the caller vouches for both.
    unsafe {
        boundary::enter(error, || {
            if queue.is_null() {
                return Err(Refusal::null("queue").into());
            }
            queue.write(0);
            queue.write(operations::new_queue()?);
            Ok(())
        })
    }
}

/// Closes a queue. Its pending calls are abandoned (see `rb_op_detach`). Present and future calls of its services fail with
/// `RB_UNAVAILABLE`. A thread that waits in `rb_queue_poll` returns with `RB_INVALID_ARGUMENT`.
///
/// Thread: any. State: none needed.
///
/// # Safety
/// `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_queue_close(queue: Queue, error: *mut Response) -> StatusCode {
    // SAFETY: the caller vouches for `error`.
    unsafe { boundary::enter(error, || Ok(operations::close_queue(queue)?)) }
}

/// Returns the wakeup of a queue, for an event loop to watch: a descriptor that becomes readable or, on Windows, the handle of an
/// event that is set. It is signalled when an event arrives after `rb_queue_poll` has found the queue empty. The queue owns it:
/// do not read from it and do not close it.
///
/// Thread: any. State: none needed.
///
/// # Safety
/// `descriptor` is writable, `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_queue_fd(
    queue: Queue,
    descriptor: *mut isize,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for both.
    unsafe {
        boundary::enter(error, || {
            if descriptor.is_null() {
                return Err(Refusal::null("descriptor").into());
            }
            descriptor.write(-1);
            descriptor.write(operations::queue_descriptor(queue)?);
            Ok(())
        })
    }
}

/// Makes the thread that waits in `rb_queue_poll`, or the next one that would wait, return once without an event.
///
/// Thread: any. State: none needed.
///
/// # Safety
/// `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_queue_wake(queue: Queue, error: *mut Response) -> StatusCode {
    // SAFETY: the caller vouches for `error`.
    unsafe { boundary::enter(error, || Ok(operations::wake_queue(queue)?)) }
}

/// Receives up to `capacity` events and writes their number to `*count`. If there are none, waits up to `timeout_ms` for the
/// first one: `UINT64_MAX` waits without a limit, 0 does not wait. Timing out is not an error: the status is `RB_OK` and the count 0.
///
/// Payloads are copied into the arena while there is room. The first payload that does not fit ends the batch. If it is the very
/// first one, or if there is no arena, it is returned as a callee-allocated response with a `release`. So release each response
/// and both parts of each reply, or check their `release`. Every call overwrites the arena. Set `size` of the first event; the
/// events are that far apart.
///
/// `RB_INVALID_ARGUMENT`: there is no such queue, or it was closed in the meantime. `RB_ABORTED`: another thread is polling it.
///
/// Thread: any, one at a time for each queue. State: none needed.
///
/// # Safety
/// `events` has room for `capacity` structs of the size that the first one specifies. `arena` has `arena_len` writable bytes,
/// or is null with 0. `count` is writable. `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_queue_poll(
    queue: Queue,
    events: *mut Event,
    capacity: usize,
    arena: *mut u8,
    arena_len: usize,
    timeout_ms: u64,
    count: *mut usize,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        boundary::enter(error, || {
            if count.is_null() {
                return Err(Refusal::null("count").into());
            }
            count.write(0);
            let stride = if capacity == 0 { 0 } else { check(events)? };
            if arena.is_null() && arena_len != 0 {
                return Err(Refusal::null("arena").into());
            }
            if arena_len > isize::MAX as usize {
                return Err(Refusal::new(format!(
                    "the length of arena is {arena_len}, expected PTRDIFF_MAX at most"
                ))
                .into());
            }
            let arena = Arena {
                start: arena,
                len: arena_len,
                used: Cell::new(0),
                is_begun: Cell::new(false),
            };
            let mut written = 0;
            operations::next(
                queue,
                capacity,
                duration(timeout_ms),
                || arena.room(),
                |event| {
                    Event::of(event, &arena).put(events.byte_add(written * stride), stride);
                    written += 1;
                    count.write(written);
                },
            )?;
            Ok(())
        })
    }
}

/// Returns the size of the caller's events.
///
/// # Safety
/// `events` is null or readable.
unsafe fn check(events: *const Event) -> Result<usize, Refusal> {
    if events.is_null() {
        return Err(Refusal::null("events"));
    }
    if !events.is_aligned() {
        return Err(Refusal::new("events isn't aligned to 8 bytes"));
    }
    // SAFETY: not null, aligned, and the caller's promise.
    let size = unsafe { (*events).size } as usize;
    if size < EVENT_1_0 || !size.is_multiple_of(align_of::<Event>()) {
        return Err(Refusal::new(format!(
            "events[0].size is {size}, expected sizeof(rb_event), {EVENT_1_0} at least"
        )));
    }
    Ok(size)
}

impl Event {
    /// Converts an event; its payloads go into the arena while they fit.
    pub(crate) fn of(event: operations::Event, arena: &Arena) -> Event {
        let mut out = Event {
            size: size_of::<Event>() as u32,
            kind: 0,
            op: event.op,
            user_data: event.user_data,
            status: RB_OK,
            count: 0,
            flags: 0,
            reserved: 0,
            response: Response::empty(),
            reply: Reply::empty(),
            items: 0,
            bytes: 0,
            call_context: ptr::null(),
            instance: event.instance,
            #[cfg(feature = "grown")]
            grown: rustbridge_abi::GROWN,
        };
        arena.is_begun.set(true);
        match event.kind {
            EventKind::Items {
                count,
                flags,
                bytes,
                objects,
            } => {
                out.kind = RB_EVENT_ITEMS;
                out.count = count;
                out.flags = flags;
                out.response = arena.put(operations::Answer::<0>::of_vec(bytes));
                out.reply.objects = arena.put_objects(&objects);
            }
            EventKind::Headers { headers } => {
                out.kind = RB_EVENT_HEADERS;
                out.response = arena.put(headers);
            }
            EventKind::Demand { items, bytes } => {
                out.kind = RB_EVENT_DEMAND;
                out.items = items;
                out.bytes = bytes;
            }
            EventKind::Done {
                status,
                response,
                trailers,
                objects,
            } => {
                out.kind = RB_EVENT_DONE;
                out.status = status;
                out.response = arena.put(response);
                out.reply.trailers = arena.put(trailers);
                out.reply.objects = arena.put_objects(&objects);
            }
            EventKind::Service { asked } => {
                out.kind = RB_EVENT_SERVICE;
                (out.response, out.call_context) = arena.put_asked(&asked);
            }
            EventKind::ServiceCancel => out.kind = RB_EVENT_SERVICE_CANCEL,
            // No other kind is made by a core of this version.
            _ => {}
        }
        out
    }

    /// Writes the event for a reader whose events have `size` bytes.
    ///
    /// # Safety
    /// `to` has `size` writable bytes and is aligned.
    unsafe fn put(mut self, to: *mut Event, size: usize) {
        self.size = size as u32;
        let known = size.min(size_of::<Event>());
        // SAFETY: the caller's promise; what we know nothing of is zero. It has no destructor.
        unsafe {
            ptr::copy_nonoverlapping(ptr::from_ref(&self).cast::<u8>(), to.cast(), known);
            ptr::write_bytes(to.cast::<u8>().add(known), 0, size - known);
        }
    }
}

/// The caller's memory for payloads.
pub(crate) struct Arena {
    start: *mut u8,
    len: usize,
    used: Cell<usize>,
    /// An event was written.
    is_begun: Cell<bool>,
}

impl Arena {
    /// Without memory: every payload is callee-allocated.
    pub(crate) const fn none() -> Arena {
        Arena {
            start: ptr::null_mut(),
            len: 0,
            used: Cell::new(0),
            is_begun: Cell::new(false),
        }
    }

    /// Returns how many bytes the next payload may have. The first is callee-allocated if it doesn't fit, and without an arena each is.
    fn room(&self) -> usize {
        if self.is_begun.get() && self.len != 0 {
            self.len - self.next()
        } else {
            usize::MAX
        }
    }

    /// Returns where the next payload begins. Numbers in it are eight bytes wide.
    fn next(&self) -> usize {
        self.used.get().next_multiple_of(8).min(self.len)
    }

    fn put_objects(&self, objects: &[u64]) -> Response {
        let bytes = objects.iter().flat_map(|object| object.to_ne_bytes());
        self.put(operations::Answer::<0>::of_vec(bytes.collect()))
    }

    /// Writes a service call's request into the arena or new memory, together with its call context.
    fn put_asked(&self, asked: &ServiceRequest) -> (Response, *const CallContext) {
        let request = asked.request();
        let Some(mut call_context) = asked.header() else {
            let copy = operations::Answer::<0>::of_vec(request.to_vec());
            return (self.put(copy), ptr::null());
        };
        let (state, metadata) = asked.beside();
        let size = size_of::<CallContext>() + state.len() + metadata.len() + request.len();
        let at = self.next();
        let at = at
            + self
                .start
                .wrapping_add(at)
                .align_offset(align_of::<CallContext>());
        let (block, owner) = if !self.start.is_null() && at <= self.len && size <= self.len - at {
            self.used.set(at + size);
            (self.start.wrapping_add(at), ptr::null_mut())
        } else {
            let block = Box::new(vec![0_u64; size.div_ceil(size_of::<u64>())]);
            let block = Box::into_raw(block);
            // SAFETY: made just now.
            (unsafe { (*block).as_mut_ptr().cast::<u8>() }, block)
        };
        let state_at = block.wrapping_add(size_of::<CallContext>());
        let metadata_at = state_at.wrapping_add(state.len());
        let request_at = metadata_at.wrapping_add(metadata.len());
        call_context.trace_state = Text {
            data: state_at.cast(),
            len: state.len(),
        };
        if !metadata.is_empty() {
            call_context.metadata = metadata_at;
        }
        // SAFETY: the block has `size` writable bytes, which nobody uses yet, and is aligned for the header.
        unsafe {
            block.cast::<CallContext>().write(call_context);
            for (part, to) in [
                (state, state_at),
                (metadata, metadata_at),
                (request, request_at),
            ] {
                ptr::copy_nonoverlapping(part.as_ptr(), to, part.len());
            }
        }
        let mut response = Response::empty();
        response.data = request_at;
        response.len = request.len();
        response.capacity = request.len();
        if !owner.is_null() {
            response.owner = owner.cast();
            response.release = Some(release_block);
        }
        (response, block.cast())
    }

    /// Writes an answer into the arena, or returns it as a callee-allocated response.
    fn put<const ROOM: usize>(&self, answer: operations::Answer<ROOM>) -> Response {
        let len = answer.bytes().len();
        let at = self.next();
        // SAFETY: what's behind `at` is the caller's, and nobody uses it yet.
        let response = unsafe { answer.into_response(self.start.wrapping_add(at), self.len - at) };
        if response.release.is_none() {
            self.used.set(at + len);
        }
        response
    }
}

unsafe extern "C" fn release_block(response: *mut Response) {
    // SAFETY: called once, with a copy of what `put_asked` has made.
    unsafe {
        let owner = (*response).owner.cast::<Vec<u64>>();
        drop(Box::from_raw(owner));
    }
}
