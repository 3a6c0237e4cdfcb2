//! Queues: where a host with a loop of its own fetches what its operations tell of.

use core::cell::Cell;
use core::ptr;

use rustbridge_abi::{CallContext, Op, RB_OK, Reply, Response, StatusCode, Text};
use rustbridge_core::operations::{self, Asked, EventKind};

use crate::boundary::{self, Refusal};
use crate::lifecycle::duration;

/// A queue: a number that stands for it. 0 is none.
pub type Queue = u64;

/// An operation has ended: `status`, `response` and `reply` say how. Nothing is told of it any more.
pub const RB_EVENT_DONE: u32 = 1;
/// Items of an operation's stream have come: `count` of them, in `response`, as in an `rb_batch` with `flags`.
pub const RB_EVENT_ITEMS: u32 = 2;
/// An operation takes items of its caller's stream: `items` and `bytes` as it's fetched, so without what was sent before. Who
/// sends meanwhile finds that `rb_op_write` has `RB_RESOURCE_EXHAUSTED`, and waits for the next one.
pub const RB_EVENT_DEMAND: u32 = 3;
/// A plugin calls a service that goes to this queue (see `rb_service`): `op` is the call's number, by which `rb_service_reply`
/// answers it once. `user_data` is the service's, `instance` the one that calls, `response` the request, and `header` what
/// came with it. One whose time is over by now isn't told of.
pub const RB_EVENT_SERVICE: u32 = 4;
/// The answer of a service call, of which an event told before, isn't needed any more: the call was cancelled, its deadline has passed, or
/// its instance is closing. `op` is its number and `user_data` the service's. A reply after that is refused and does no harm.
pub const RB_EVENT_SERVICE_CANCEL: u32 = 5;

/// The operation's headers have come, before anything else of it: `response` is metadata, laid out as that of `rb_call_context`.
/// Told right before the first items or the end, to who has asked for them by `RB_CONTEXT_HEADERS`, if there are any.
pub const RB_EVENT_HEADERS: u32 = 6;

/// What is told of an operation, or of a service call.
#[repr(C)]
#[derive(Debug)]
pub struct Event {
    /// `sizeof(rb_event)`.
    pub size: u32,
    /// What has happened: one of the `RB_EVENT_` codes.
    pub kind: u32,
    /// The operation, or the service call's number.
    pub op: Op,
    /// What its submission said, or the service's `user_data`.
    pub user_data: u64,
    /// How it has ended.
    pub status: StatusCode,
    /// How many items there are.
    pub count: u32,
    /// `RB_BATCH_` bits of the items.
    pub flags: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// The answer, the error's payload, the items, the request, or the headers. In the arena if it has no release.
    pub response: Response,
    /// The trailers and objects of the answer, and the objects of items. Each object is to be released once.
    pub reply: Reply,
    /// How many items may be sent.
    pub items: u64,
    /// How many bytes may be sent; the last item may go beyond them.
    pub bytes: u64,
    /// What came with a service call: how much time is left, trace and metadata; null if nothing did. In the same memory as the
    /// request in `response`, and valid as long. Its `op` is the number that the host gave the call that the plugin works for, or 0.
    /// Has no `cancelled`, no objects and no `reply`.
    pub call_context: *const CallContext,
    /// The instance that calls a service; 0 for other events.
    pub instance: u64,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// How large an event was in version 1.0.
///
/// cbindgen:ignore
pub const EVENT_1_0: usize = 192;

const _: () = assert!(EVENT_1_0 <= size_of::<Event>());

/// Makes a queue; `*queue` is its number, or 0 on failure.
///
/// `RB_RESOURCE_EXHAUSTED`: too many are open.
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

/// Closes a queue. Its operations are detached (see `rb_op_detach`), its services' calls end with `RB_UNAVAILABLE`, also those to
/// come, and a thread that waits in `rb_queue_poll` returns with `RB_INVALID_ARGUMENT`.
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

/// Gives what an event loop can watch: a descriptor that is readable, on Windows the handle of an event that is set, when
/// something has come since `rb_queue_poll` has found nothing more. It stays the queue's: don't read it, don't close it.
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

/// Has the thread that waits in `rb_queue_poll`, or the next one that would, return once without an event.
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

/// Fetches up to `capacity` events; `*count` is how many there were. Waits for the first one up to `timeout_ms`, `UINT64_MAX`
/// for good, 0 not at all; no event in time is `RB_OK` with a count of 0.
///
/// Payloads are copied into the arena as long as there's room. The first one that doesn't fit ends the batch, and if it's the
/// first of all it's handed over, with a release; without an arena all are. So release each response and both parts of each
/// reply, or look whether there's a `release`. The arena is used anew by each call. Set `size` of the first event; all are that
/// far apart.
///
/// `RB_INVALID_ARGUMENT`: no such queue, also when it's closed meanwhile. `RB_ABORTED`: another thread is fetching from it.
///
/// Thread: any, one at a time for each queue. State: none needed.
///
/// # Safety
/// `events` has room for `capacity` structs of the size that the first one says; `arena` has `arena_len` writable bytes, or is
/// null with 0; `count` is writable; `error` is null or a response.
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

/// How large the caller's events are.
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
    /// What happened, with its payloads in the arena as far as they fit.
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
            instance: 0,
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
            EventKind::Service { instance, asked } => {
                out.kind = RB_EVENT_SERVICE;
                out.instance = instance;
                (out.response, out.call_context) = arena.put_asked(&asked);
            }
            EventKind::ServiceCancel => out.kind = RB_EVENT_SERVICE_CANCEL,
            // No other kind is made by a core of this version.
            _ => {}
        }
        out
    }

    /// Writes it for a reader whose events are so large.
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

/// Memory of the caller's for payloads.
pub(crate) struct Arena {
    start: *mut u8,
    len: usize,
    used: Cell<usize>,
    /// An event was told of.
    is_begun: Cell<bool>,
}

impl Arena {
    /// No memory: every payload is handed over.
    pub(crate) const fn none() -> Arena {
        Arena {
            start: ptr::null_mut(),
            len: 0,
            used: Cell::new(0),
            is_begun: Cell::new(false),
        }
    }

    /// How many bytes the next payload may have. The first is handed over if it doesn't fit, and without an arena each is.
    fn room(&self) -> usize {
        if self.is_begun.get() && self.len != 0 {
            self.len - self.next()
        } else {
            usize::MAX
        }
    }

    /// Where the next payload begins. Numbers in it are eight bytes wide.
    fn next(&self) -> usize {
        self.used.get().next_multiple_of(8).min(self.len)
    }

    fn put_objects(&self, objects: &[u64]) -> Response {
        let bytes = objects.iter().flat_map(|object| object.to_ne_bytes());
        self.put(operations::Answer::<0>::of_vec(bytes.collect()))
    }

    /// A request as a response, in here or handed over, and in the same memory what came with it.
    fn put_asked(&self, asked: &Asked) -> (Response, *const CallContext) {
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

    /// As a response in here, or handed over.
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
