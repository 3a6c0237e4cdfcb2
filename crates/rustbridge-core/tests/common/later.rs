// A plugin whose calls end later, written against the plugin ABI alone: linked into tests.

use std::collections::VecDeque;
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustbridge_abi::*;

/// How many tasks there are that aren't released; of all instances, since a task is told of none.
pub static TASKS: AtomicI64 = AtomicI64::new(0);

const DESCRIPTION: &str = r#"{"abi":"1.0","name":"later","methods":[
    {"name":"ready","entries":[{"index":0,"encoding":"raw","async":true}]},
    {"name":"after","entries":[{"index":1,"encoding":"raw","async":true}]},
    {"name":"never","entries":[{"index":2,"encoding":"raw","async":true}]},
    {"name":"count","entries":[{"index":3,"encoding":"raw","kind":"server_stream"}]},
    {"name":"sum","entries":[{"index":4,"encoding":"raw","kind":"client_stream"}]},
    {"name":"twice","entries":[{"index":5,"encoding":"raw","async":true}]},
    {"name":"greedy","entries":[{"index":6,"encoding":"raw","kind":"server_stream"}]},
    {"name":"deaf","entries":[{"index":7,"encoding":"raw","async":true}]},
    {"name":"early","entries":[{"index":8,"encoding":"raw","async":true}]},
    {"name":"panics","entries":[{"index":9,"encoding":"raw","async":true}]},
    {"name":"plain","entries":[{"index":10,"encoding":"raw"}]},
    {"name":"double","entries":[{"index":11,"encoding":"json","async":true}]},
    {"name":"plus","entries":[{"index":12,"encoding":"pod","async":true,
        "request":{"layout":{"type":"T","size":16,"align":8,"fields":[]}},
        "response":{"layout":{"type":"T","size":8,"align":8,"fields":[]}}}]},
    {"name":"echo","entries":[{"index":13,"encoding":"raw","kind":"bidi_stream"}]},
    {"name":"timed","entries":[{"index":14,"encoding":"raw","async":true}]},
    {"name":"carried","entries":[{"index":15,"encoding":"raw","async":true}]},
    {"name":"breaks","entries":[{"index":16,"encoding":"raw","kind":"server_stream"}]},
    {"name":"slow","entries":[{"index":17,"encoding":"raw","kind":"server_stream"}]},
    {"name":"sized","entries":[{"index":18,"encoding":"raw","kind":"server_stream"}]},
    {"name":"lazy","entries":[{"index":19,"encoding":"raw","kind":"client_stream"}]},
    {"name":"flood","entries":[{"index":20,"encoding":"raw","kind":"server_stream"}]},
    {"name":"kept","entries":[{"index":21,"encoding":"raw","async":true}]},
    {"name":"woken","entries":[{"index":22,"encoding":"raw","async":true}]},
    {"name":"asks_back","entries":[{"index":23,"encoding":"raw","async":true}]}
]}"#;

struct Instance {
    host: *const AsyncHost,
    calls: *const CallHost,
}

/// What is pending.
struct Task {
    entry: u32,
    op: Op,
    host: &'static AsyncHost,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Of a stream: what is emitted next, and behind which it ends.
    next: u64,
    last: u64,
    sum: u64,
    over: bool,
    /// Of one that answers with what it's sent: what waits until more is asked for, and whether somebody is about it.
    waits: VecDeque<Vec<u8>>,
    credit: (u64, i64),
    is_flushing: bool,
    has_all: bool,
}

/// The task of the method `kept`, until somebody ends it by [`end_kept`].
static KEPT: Mutex<Option<Arc<Task>>> = Mutex::new(None);

/// Ends what the method `kept` was last begun for, on this thread and without allocating.
pub fn end_kept() {
    if let Some(task) = KEPT.lock().unwrap().take() {
        finish(&task, RB_OK, b"kept");
    }
}

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    lent(DESCRIPTION.as_bytes(), response);
    RB_OK
}

unsafe extern "C" fn nothing(_: *mut Response) {}

fn lent(bytes: &'static [u8], response: *mut Response) {
    // SAFETY: the core's, or null.
    if let Some(response) = unsafe { response.as_mut() } {
        response.data = bytes.as_ptr().cast_mut();
        response.len = bytes.len();
        response.release = Some(nothing);
    }
}

unsafe extern "C" fn create(
    _context: *mut c_void,
    host: *const Host,
    _: *const u8,
    _: usize,
    instance: *mut *mut c_void,
    _: *mut Response,
) -> StatusCode {
    // SAFETY: the core's.
    unsafe {
        let extension = (*host).extension.unwrap();
        let calls = extension((*host).context, RB_EXTENSION_CALL.as_ptr()).cast();
        let host = extension((*host).context, RB_EXTENSION_ASYNC.as_ptr()).cast();
        instance.write(Box::into_raw(Box::new(Instance { host, calls })).cast());
    }
    RB_OK
}

unsafe extern "C" fn destroy(instance: *mut c_void, _: *mut Response) -> StatusCode {
    assert!(!instance.is_null());
    // SAFETY: made by `create`.
    drop(unsafe { Box::from_raw(instance.cast::<Instance>()) });
    RB_OK
}

unsafe extern "C" fn call(
    instance: *mut c_void,
    entry: u32,
    _: *const CallContext,
    _: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // `panic` and `inside` mean something, and are told by their lengths; the latter asks whether calls inside have a time.
    let (status, text): (_, &[u8]) = match (entry, request_len) {
        (10, 5) => (RB_INTERNAL | RB_PANICKED, b"{}"),
        (10, 6) => {
            let mut header = CallContext::EMPTY;
            // SAFETY: the core's table, and a header of ours.
            let status = unsafe {
                let calls = (*instance.cast::<Instance>()).calls;
                (*calls).current.unwrap()(&raw mut header)
            };
            let has_time = status == RB_OK && header.flags & RB_CONTEXT_TIMEOUT != 0;
            (RB_OK, if has_time { b"timed" } else { b"none" })
        }
        (10, _) => (RB_OK, b"plain"),
        _ => (RB_UNIMPLEMENTED, b""),
    };
    lent(text, response);
    status
}

fn complete(task: &Task, status: StatusCode, bytes: &[u8]) -> StatusCode {
    complete_with(task, status, bytes, b"")
}

fn complete_with(task: &Task, status: StatusCode, bytes: &[u8], trailers: &[u8]) -> StatusCode {
    let borrowed = |bytes: &[u8]| Response {
        data: bytes.as_ptr().cast_mut(),
        len: bytes.len(),
        ..Response::empty()
    };
    let mut response = borrowed(bytes);
    let mut reply = Reply {
        trailers: borrowed(trailers),
        ..Reply::empty()
    };
    // SAFETY: borrowed until it returns.
    unsafe { task.host.complete.unwrap()(task.op, status, &mut response, &mut reply) }
}

fn emit(task: &Task, items: &[u8], count: u32) -> StatusCode {
    let batch = Batch {
        data: items.as_ptr(),
        len: items.len(),
        count,
        ..Batch::EMPTY
    };
    // SAFETY: borrowed until it returns.
    unsafe { task.host.emit.unwrap()(task.op, &batch) }
}

/// Emits an item each millisecond, as long as somebody takes it.
fn drip(task: &Task) {
    loop {
        thread::sleep(Duration::from_millis(1));
        let (next, last, has_credit, over) = {
            let state = task.state.lock().unwrap();
            (state.next + 1, state.last, state.credit.0 > 0, state.over)
        };
        if over {
            return;
        }
        if next > last {
            finish(task, RB_OK, b"");
            return;
        }
        if has_credit && emit(task, next.to_string().as_bytes(), 1) == RB_OK {
            let mut state = task.state.lock().unwrap();
            state.next += 1;
            state.credit.0 -= 1;
        }
    }
}

/// Emits what waits, as far as it's asked for. No lock is held meanwhile, and whoever comes while another is about it leaves it
/// to them.
fn flush(task: &Task) {
    loop {
        let item = {
            let mut state = task.state.lock().unwrap();
            if state.is_flushing {
                return;
            }
            if state.waits.is_empty() && state.has_all {
                drop(state);
                finish(task, RB_OK, b"");
                return;
            }
            if state.credit.0 == 0 || state.credit.1 <= 0 {
                return;
            }
            let Some(item) = state.waits.pop_front() else {
                return;
            };
            state.is_flushing = true;
            state.credit.0 -= 1;
            state.credit.1 -= item.len() as i64;
            item
        };
        emit(task, &item, 1);
        task.state.lock().unwrap().is_flushing = false;
    }
}

unsafe extern "C" fn start(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
    place: *mut *mut c_void,
) -> StatusCode {
    // SAFETY: the core's.
    let (instance, op, request) = unsafe {
        let request = if request_len == 0 {
            &[][..]
        } else {
            std::slice::from_raw_parts(request, request_len)
        };
        (
            &*instance.cast::<Instance>(),
            (*header).op,
            // A plain struct is no text.
            if entry == 12 {
                let numbers: [i64; 2] = bytemuck::pod_read_unaligned(request);
                numbers.iter().sum::<i64>().to_string()
            } else {
                std::str::from_utf8(request).unwrap().to_owned()
            },
        )
    };
    if entry == 10 {
        // It has no threads of its own.
        return RB_UNIMPLEMENTED;
    }
    if entry == 0 {
        lent(b"ready", response);
        return RB_OK;
    }
    // SAFETY: the core's.
    let (timeout, metadata) = unsafe {
        let header = &*header;
        let metadata = if header.metadata_len == 0 {
            Vec::new()
        } else {
            std::slice::from_raw_parts(header.metadata, header.metadata_len).to_vec()
        };
        let has_timeout = header.flags & RB_CONTEXT_TIMEOUT != 0;
        (
            has_timeout.then(|| Duration::from_nanos(header.timeout_ns)),
            metadata,
        )
    };
    TASKS.fetch_add(1, Ordering::SeqCst);
    let task = Arc::new(Task {
        entry,
        op,
        // SAFETY: lives as long as the process.
        host: unsafe { &*instance.host },
        state: Mutex::new(State {
            last: request.parse().unwrap_or(0),
            ..State::default()
        }),
    });
    match entry {
        1 | 5 | 7 => {
            let task = Arc::clone(&task);
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(request.parse().unwrap_or(1)));
                finish(&task, RB_OK, format!("after {request}").as_bytes());
                if task.entry == 5 {
                    let data = Arc::as_ptr(&task).cast_mut().cast();
                    // SAFETY: the core's, which refuses what would be called when the task is gone.
                    let late = unsafe { task.host.on_cancel.unwrap()(op, Some(wake), data) };
                    LATE_ON_CANCEL.store(late, Ordering::SeqCst);
                    AGAIN.store(complete(&task, RB_OK, b"again"), Ordering::SeqCst);
                }
            });
        }
        4 | 13 => {
            // SAFETY: the core's.
            unsafe { task.host.demand.unwrap()(op, 4, 1000) };
        }
        11 | 12 => {
            let task = Arc::clone(&task);
            thread::spawn(move || {
                let number: i64 = request.parse().unwrap_or(0);
                if task.entry == 11 {
                    finish(&task, RB_OK, (number * 2).to_string().as_bytes());
                } else {
                    finish(&task, RB_OK, &number.to_ne_bytes());
                }
            });
        }
        14 => {
            let task = Arc::clone(&task);
            thread::spawn(move || {
                if let Some(timeout) = timeout {
                    thread::sleep(timeout);
                    let why = br#"{"message":"its time is over"}"#;
                    finish(&task, RB_DEADLINE_EXCEEDED, why);
                }
            });
        }
        15 => {
            let task = Arc::clone(&task);
            thread::spawn(move || finish_with(&task, RB_OK, b"carried", &metadata));
        }
        17 => {
            let task = Arc::clone(&task);
            thread::spawn(move || drip(&task));
        }
        19 if request != "never" => {
            let task = Arc::clone(&task);
            thread::spawn(move || {
                // One item at a time, and not at once.
                while !task.state.lock().unwrap().over {
                    thread::sleep(Duration::from_millis(1));
                    // SAFETY: the core's; one that is over is no harm.
                    unsafe { task.host.demand.unwrap()(op, 1, 1) };
                }
            });
        }
        21 => *KEPT.lock().unwrap() = Some(Arc::clone(&task)),
        22 => {
            let data = Arc::as_ptr(&task).cast_mut().cast();
            // SAFETY: the core's; the task is there until it's released.
            let status = unsafe { task.host.on_cancel.unwrap()(op, Some(wake), data) };
            assert_eq!(status, RB_OK);
        }
        23 => {
            let task = Arc::clone(&task);
            thread::spawn(move || complete_and_ask_back(&task));
        }
        8 if request == "fails" => finish(&task, RB_UNIMPLEMENTED, b""),
        8 => finish(&task, RB_OK, &vec![8; request.parse().unwrap_or(0)]),
        9 => finish(
            &task,
            RB_INTERNAL | RB_PANICKED,
            br#"{"message":"on purpose","type":"panic"}"#,
        ),
        _ => {}
    }
    // SAFETY: the core's.
    unsafe { place.write(Arc::into_raw(task).cast_mut().cast()) };
    RB_PENDING
}

fn finish(task: &Task, status: StatusCode, bytes: &[u8]) {
    finish_with(task, status, bytes, b"");
}

fn finish_with(task: &Task, status: StatusCode, bytes: &[u8], trailers: &[u8]) {
    if !std::mem::replace(&mut task.state.lock().unwrap().over, true) || task.entry == 5 {
        let answered = complete_with(task, status, bytes, trailers);
        assert!(
            [RB_OK, RB_NOT_FOUND, RB_FAILED_PRECONDITION].contains(&answered),
            "{answered}"
        );
    }
}

/// Hands an answer over whose release asks the core for something of the same operation, beside trailers that are none.
fn complete_and_ask_back(task: &Task) {
    unsafe extern "C" fn release(response: *mut Response) {
        // SAFETY: the task, which isn't released before its end was told.
        unsafe {
            let task = &*(*response).owner.cast::<Task>();
            task.host.on_cancel.unwrap()(task.op, None, ptr::null_mut());
        }
        ASKED_BACK.fetch_add(1, Ordering::SeqCst);
    }
    static ANSWER: [u8; 1000] = [b'x'; 1000];
    let mut response = Response {
        data: ANSWER.as_ptr().cast_mut(),
        len: ANSWER.len(),
        owner: ptr::from_ref(task).cast_mut().cast(),
        release: Some(release),
        ..Response::empty()
    };
    let mut reply = Reply {
        trailers: Response {
            data: ANSWER.as_ptr().cast_mut(),
            len: 11,
            ..Response::empty()
        },
        ..Reply::empty()
    };
    // SAFETY: handed over, and borrowed until it returns.
    unsafe { task.host.complete.unwrap()(task.op, RB_OK, &mut response, &mut reply) };
}

/// How many answers were released that ask back.
pub static ASKED_BACK: AtomicI64 = AtomicI64::new(0);

fn task<'a>(task: *mut c_void) -> &'a Task {
    // SAFETY: made by `start`, and not released.
    unsafe { &*task.cast::<Task>() }
}

/// What a second end was answered.
pub static AGAIN: AtomicI32 = AtomicI32::new(0);
/// What was answered to who wanted to be woken after the end.
pub static LATE_ON_CANCEL: AtomicI32 = AtomicI32::new(0);
/// What a wake was answered that took itself back.
pub static ON_CANCEL_IN_WAKE: AtomicI32 = AtomicI32::new(0);
/// Whether a task was released while it was being woken.
pub static RELEASED_IN_WAKE: AtomicBool = AtomicBool::new(false);

unsafe extern "C" fn wake(at: *mut c_void) {
    let task = task(at);
    let (op, host) = (task.op, task.host);
    // SAFETY: the core's.
    let answered = unsafe { host.on_cancel.unwrap()(op, None, ptr::null_mut()) };
    ON_CANCEL_IN_WAKE.store(answered, Ordering::SeqCst);
    let before = TASKS.load(Ordering::SeqCst);
    finish(task, RB_CANCELLED, b"woken");
    RELEASED_IN_WAKE.store(TASKS.load(Ordering::SeqCst) != before, Ordering::SeqCst);
}

unsafe extern "C" fn cancel(at: *mut c_void, reason: StatusCode) {
    let task = task(at);
    if ![7, 22].contains(&task.entry) {
        finish(task, reason, br#"{"message":"ended early"}"#);
    }
}

unsafe extern "C" fn demand(at: *mut c_void, items: u64, bytes: u64) {
    let task = task(at);
    match task.entry {
        13 | 17 => {
            let mut state = task.state.lock().unwrap();
            state.credit.0 += items;
            state.credit.1 += bytes as i64;
            drop(state);
            if task.entry == 13 {
                flush(task);
            }
            return;
        }
        20 => {
            // All that is asked for in one batch, sixteen bytes each.
            let (first, count) = {
                let mut state = task.state.lock().unwrap();
                let count = items.min(state.last - state.next);
                state.next += count;
                (state.next - count, count)
            };
            let numbers: Vec<[u64; 2]> = (first..first + count).map(|n| [n, n]).collect();
            emit(task, bytemuck::cast_slice(&numbers), count as u32);
            if first + count == task.state.lock().unwrap().last {
                finish(task, RB_OK, b"");
            }
            return;
        }
        _ => {}
    }
    let is_greedy = task.entry == 6;
    {
        let mut state = task.state.lock().unwrap();
        state.credit.0 += items + u64::from(is_greedy);
        state.credit.1 += bytes as i64;
    }
    loop {
        let (next, last) = {
            let mut state = task.state.lock().unwrap();
            if state.credit.0 == 0 || (state.credit.1 <= 0 && !is_greedy) {
                return;
            }
            state.credit.0 -= 1;
            state.next += 1;
            (state.next, state.last)
        };
        if next > last {
            if task.entry == 16 {
                finish(task, RB_NOT_FOUND, br#"{"message":"broken off"}"#);
            } else {
                finish(task, RB_OK, b"");
            }
            return;
        }
        let item = if task.entry == 18 {
            vec![next as u8; (next % 100) as usize]
        } else {
            next.to_string().into_bytes()
        };
        task.state.lock().unwrap().credit.1 -= item.len() as i64;
        let status = emit(task, &item, 1);
        if status == RB_RESOURCE_EXHAUSTED {
            task.state.lock().unwrap().next -= 1;
            EXHAUSTED.fetch_add(1, Ordering::SeqCst);
        } else if status != RB_OK {
            return;
        }
    }
}

/// How often an item went beyond its credit.
pub static EXHAUSTED: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn push(at: *mut c_void, batch: *const Batch) {
    let task = task(at);
    // SAFETY: the core's; fixed stride, one byte each.
    let items = unsafe {
        if (*batch).len == 0 {
            &[][..]
        } else {
            std::slice::from_raw_parts((*batch).data, (*batch).len)
        }
    };
    if task.entry == 13 {
        // SAFETY: as above.
        let count = unsafe { (*batch).count } as usize;
        let mut state = task.state.lock().unwrap();
        for index in 0..count {
            let stride = items.len() / count;
            state
                .waits
                .push_back(items[index * stride..][..stride].to_vec());
        }
        drop(state);
        flush(task);
        // SAFETY: the core's.
        unsafe { task.host.demand.unwrap()(task.op, count as u64, items.len() as u64) };
        return;
    }
    task.state.lock().unwrap().sum += items.iter().map(|item| u64::from(*item)).sum::<u64>();
    if task.entry != 19 {
        // SAFETY: as above.
        unsafe { task.host.demand.unwrap()(task.op, items.len() as u64, items.len() as u64) };
    }
}

unsafe extern "C" fn push_end(
    at: *mut c_void,
    status: StatusCode,
    payload: *const u8,
    payload_len: usize,
) {
    let task = task(at);
    if status != RB_OK {
        // SAFETY: the core's.
        let payload = unsafe { std::slice::from_raw_parts(payload, payload_len) };
        finish(task, status, payload);
        return;
    }
    if task.entry == 13 {
        task.state.lock().unwrap().has_all = true;
        flush(task);
        return;
    }
    let sum = task.state.lock().unwrap().sum.to_string();
    finish(task, status, sum.as_bytes());
}

unsafe extern "C" fn release(at: *mut c_void) {
    TASKS.fetch_sub(1, Ordering::SeqCst);
    // SAFETY: made by `start`, released once.
    drop(unsafe { Arc::from_raw(at.cast::<Task>()) });
}

unsafe extern "C" fn extension(_context: *mut c_void, name: *const c_char) -> *const c_void {
    static TABLE: AsyncExtension = AsyncExtension {
        start: Some(start),
        cancel: Some(cancel),
        demand: Some(demand),
        push: Some(push),
        push_end: Some(push_end),
        release: Some(release),
        ..AsyncExtension::EMPTY
    };
    // SAFETY: terminated, by the ABI.
    if unsafe { std::ffi::CStr::from_ptr(name) } == RB_EXTENSION_ASYNC {
        ptr::from_ref(&TABLE).cast()
    } else {
        ptr::null()
    }
}

pub unsafe extern "C" fn entry_point(_: u32) -> *const PluginTable {
    static TABLE: PluginTable = PluginTable {
        describe: Some(describe),
        create: Some(create),
        call: Some(call),
        destroy: Some(destroy),
        extension: Some(extension),
        ..PluginTable::EMPTY
    };
    &TABLE
}
