//! The host's part of operations: it notes what it's told, and looks at whether a plugin keeps to the rules.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rustbridge::Status;
use rustbridge_abi::{
    AsyncExtension, AsyncHost, Batch, CallContext, Op, RB_BATCH_ENDS, RB_CONTEXT_OFFLOAD,
    RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_EXTENSION_ASYNC, RB_NOT_FOUND, RB_OK, RB_PANICKED,
    RB_PENDING, RB_RESOURCE_EXHAUSTED, Reply, Response, StatusCode,
};

use super::{Answer, Loaded, answer};

/// How long a test waits for anything.
const LIMIT: Duration = Duration::from_secs(30);

/// What is known of one operation.
#[derive(Default)]
struct Noted {
    ends: Vec<Answer>,
    items: Vec<Vec<u8>>,
    batches: usize,
    /// What the caller takes, as the plugin was told.
    credit: (u64, i64),
    /// What the plugin takes.
    asked: (u64, u64),
    /// Why the consumer wants no more, if so.
    unwanted: Option<StatusCode>,
    /// What was emitted after the end, or beyond the credit.
    mistakes: Vec<&'static str>,
}

static OPS: Mutex<BTreeMap<Op, Noted>> = Mutex::new(BTreeMap::new());
static TOLD: Condvar = Condvar::new();
static NEXT: AtomicU64 = AtomicU64::new(1);

pub static TABLE: AsyncHost = AsyncHost {
    complete: Some(complete),
    emit: Some(emit),
    demand: Some(demand),
    ..AsyncHost::EMPTY
};

fn ops() -> MutexGuard<'static, BTreeMap<Op, Noted>> {
    OPS.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

unsafe extern "C" fn complete(
    op: Op,
    status: StatusCode,
    response: *mut Response,
    _reply: *mut Reply,
) -> StatusCode {
    // SAFETY: a plugin passes a response by the rules of that struct, which is released once, here.
    let bytes = unsafe {
        let response = &mut *response;
        let bytes = if response.len == 0 {
            Vec::new()
        } else {
            std::slice::from_raw_parts(response.data, response.len).to_vec()
        };
        if let Some(release) = response.release {
            release(response);
        }
        bytes
    };
    let mut ops = ops();
    let Some(noted) = ops.get_mut(&op) else {
        return RB_NOT_FOUND;
    };
    noted.ends.push(Answer {
        status: Status::from_code(status),
        panicked: status & RB_PANICKED != 0,
        bytes,
        handed_over: false,
    });
    TOLD.notify_all();
    RB_OK
}

unsafe extern "C" fn emit(op: Op, batch: *const Batch) -> StatusCode {
    // SAFETY: a plugin passes a batch by the rules of that struct.
    let items = unsafe { split(&*batch) };
    let mut ops = ops();
    let Some(noted) = ops.get_mut(&op) else {
        return RB_NOT_FOUND;
    };
    if !noted.ends.is_empty() {
        noted.mistakes.push("emitted after the end");
    }
    if let Some(reason) = noted.unwanted {
        return reason;
    }
    let bytes: usize = items.iter().map(Vec::len).sum();
    let last = items.last().map_or(0, Vec::len);
    let (credit_items, credit_bytes) = noted.credit;
    let within = items.len() as u64 <= credit_items && ((bytes - last) as i64) < credit_bytes;
    if !within {
        noted.mistakes.push("emitted beyond the credit");
        return RB_RESOURCE_EXHAUSTED;
    }
    noted.credit.0 -= items.len() as u64;
    noted.credit.1 -= bytes as i64;
    noted.items.extend(items);
    noted.batches += 1;
    TOLD.notify_all();
    RB_OK
}

unsafe extern "C" fn demand(op: Op, items: u64, bytes: u64) -> StatusCode {
    let mut ops = ops();
    let Some(noted) = ops.get_mut(&op) else {
        return RB_NOT_FOUND;
    };
    noted.asked.0 += items;
    noted.asked.1 += bytes;
    TOLD.notify_all();
    RB_OK
}

/// # Safety
/// The batch is by the rules of that struct.
unsafe fn split(batch: &Batch) -> Vec<Vec<u8>> {
    let count = batch.count as usize;
    let data = if batch.len == 0 {
        &[]
    } else {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(batch.data, batch.len) }
    };
    if batch.flags & RB_BATCH_ENDS == 0 {
        let length = data.len() / count;
        return (0..count)
            .map(|index| data[index * length..(index + 1) * length].to_vec())
            .collect();
    }
    let (items, ends) = data.split_at(data.len() - 4 * count);
    let mut at = 0;
    ends.chunks(4)
        .map(|end| {
            let end = u32::from_ne_bytes(end.try_into().unwrap()) as usize;
            let item = items[at..end].to_vec();
            at = end;
            item
        })
        .collect()
}

/// A number for an operation that a test starts by itself.
pub fn begin() -> Op {
    let op = NEXT.fetch_add(1, Ordering::Relaxed);
    ops().insert(op, Noted::default());
    op
}

/// Waits for the end of one of those.
#[allow(dead_code, reason = "only the tests of `memory` use it")]
pub fn wait(op: Op) -> Answer {
    let started = Instant::now();
    let mut ops = ops();
    loop {
        if let Some(end) = ops[&op].ends.first() {
            return end.clone();
        }
        assert!(started.elapsed() < LIMIT, "nothing came");
        ops = TOLD
            .wait_timeout(ops, Duration::from_millis(100))
            .unwrap()
            .0;
    }
}

/// How an entry is started.
#[derive(Clone, Copy)]
pub struct How {
    pub timeout: Option<Duration>,
    pub offload: bool,
    pub capacity: usize,
    /// A sampled trace, all of whose bytes are this.
    pub trace: Option<u8>,
}

impl Default for How {
    fn default() -> Self {
        How {
            timeout: None,
            offload: false,
            capacity: 256,
            trace: None,
        }
    }
}

/// What `start` answered.
pub enum Started {
    Over(Answer),
    Pending(Pending),
}

impl Started {
    #[must_use]
    pub fn pending(self) -> Pending {
        match self {
            Started::Pending(pending) => pending,
            Started::Over(answer) => panic!("over: {} {}", answer.status, answer.text()),
        }
    }

    #[must_use]
    pub fn over(self) -> Answer {
        match self {
            Started::Over(answer) => answer,
            Started::Pending(pending) => panic!("pending: {}", pending.wait().text()),
        }
    }
}

/// An operation that was begun. Whoever drops it has waited for its end, and releases it.
pub struct Pending {
    op: Op,
    table: &'static AsyncExtension,
    task: *mut c_void,
}

// SAFETY: a task's functions are for any thread.
unsafe impl Send for Pending {}
// SAFETY: as above; the tests keep to what may run side by side.
unsafe impl Sync for Pending {}

impl Loaded {
    pub fn start_entry(&self, entry: u32, request: &[u8], how: How) -> Started {
        let table = self.extension(RB_EXTENSION_ASYNC).cast::<AsyncExtension>();
        assert!(!table.is_null(), "the plugin offers no operations");
        // SAFETY: the table is as its name says.
        let table = unsafe { &*table };
        let op = begin();
        let mut task = ptr::null_mut();
        // The request and the header are gone when `start` has returned.
        let request = request.to_vec();
        let mut raw = 0;
        let answer = {
            let mut header = CallContext {
                op,
                ..CallContext::EMPTY
            };
            if let Some(timeout) = how.timeout {
                header.flags |= RB_CONTEXT_TIMEOUT;
                header.timeout_ns = timeout.as_nanos() as u64;
            }
            if let Some(trace) = how.trace {
                header.flags |= RB_CONTEXT_TRACE;
                header.trace_id = [trace; 16];
                header.span_id = [trace; 8];
                header.trace_flags = 1;
            }
            if how.offload {
                header.flags |= RB_CONTEXT_OFFLOAD;
            }
            answer(how.capacity, |response| {
                // SAFETY: the instance is alive, the rest is valid during the call.
                raw = unsafe {
                    table.start.unwrap()(
                        self.instance,
                        entry,
                        &raw const header,
                        request.as_ptr(),
                        request.len(),
                        response,
                        &raw mut task,
                    )
                };
                raw
            })
        };
        drop(request);
        if raw == RB_PENDING {
            assert!(answer.bytes.is_empty() && !task.is_null());
            Started::Pending(Pending { op, table, task })
        } else {
            let noted = ops().remove(&op).unwrap();
            assert!(noted.ends.is_empty(), "answered and completed");
            Started::Over(answer)
        }
    }

    pub fn start(&self, method: &str, encoding: rustbridge::Encoding, request: &[u8]) -> Started {
        self.start_entry(self.entry(method, encoding), request, How::default())
    }

    pub fn start_json(&self, method: &str, request: &str) -> Started {
        self.start(method, rustbridge::Encoding::Json, request.as_bytes())
    }

    pub fn start_with(&self, method: &str, request: &str, how: How) -> Started {
        let entry = self.entry(method, rustbridge::Encoding::Json);
        self.start_entry(entry, request.as_bytes(), how)
    }
}

impl Pending {
    pub fn cancel(&self, reason: StatusCode) {
        // SAFETY: the task isn't released.
        unsafe { self.table.cancel.unwrap()(self.task, reason) };
    }

    pub fn demand(&self, items: u64, bytes: u64) {
        {
            let mut ops = ops();
            let noted = ops.get_mut(&self.op).unwrap();
            noted.credit.0 += items;
            noted.credit.1 += bytes as i64;
        }
        // SAFETY: the task isn't released.
        unsafe { self.table.demand.unwrap()(self.task, items, bytes) };
    }

    /// From now on the host accepts no items, for this reason.
    pub fn refuse(&self, reason: StatusCode) {
        ops().get_mut(&self.op).unwrap().unwanted = Some(reason);
    }

    /// Sends items, each with its end.
    pub fn push(&self, items: &[&[u8]]) {
        let mut data = items.concat();
        let mut end = 0;
        for item in items {
            end += item.len() as u32;
            data.extend(end.to_ne_bytes());
        }
        let batch = Batch {
            flags: RB_BATCH_ENDS,
            data: data.as_ptr(),
            len: data.len(),
            count: items.len() as u32,
            ..Batch::EMPTY
        };
        // SAFETY: the task isn't released, the batch is readable during the call.
        unsafe { self.table.push.unwrap()(self.task, &raw const batch) };
    }

    pub fn push_end(&self, status: StatusCode, payload: &[u8]) {
        // SAFETY: the task isn't released, the payload is readable during the call.
        unsafe {
            self.table.push_end.unwrap()(self.task, status, payload.as_ptr(), payload.len());
        };
    }

    fn until<R>(&self, mut there: impl FnMut(&mut Noted) -> Option<R>) -> R {
        let started = Instant::now();
        let mut ops = ops();
        loop {
            if let Some(found) = there(ops.get_mut(&self.op).unwrap()) {
                return found;
            }
            assert!(started.elapsed() < LIMIT, "nothing came");
            ops = TOLD
                .wait_timeout(ops, Duration::from_millis(100))
                .unwrap()
                .0;
        }
    }

    /// Waits for the end.
    pub fn wait(&self) -> Answer {
        self.until(|noted| noted.ends.first().cloned())
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        !ops()[&self.op].ends.is_empty()
    }

    /// Waits until so many items have come altogether, and gives all that have.
    pub fn items(&self, count: usize) -> Vec<String> {
        self.until(|noted| (noted.items.len() >= count).then(|| noted.items.clone()))
            .into_iter()
            .map(|item| String::from_utf8(item).unwrap())
            .collect()
    }

    /// The items so far, as they came, and in how many batches.
    pub fn so_far(&self) -> (Vec<Vec<u8>>, usize) {
        let ops = ops();
        let noted = &ops[&self.op];
        (noted.items.clone(), noted.batches)
    }

    /// What the plugin takes by now.
    pub fn asked(&self) -> (u64, u64) {
        ops()[&self.op].asked
    }

    /// Waits until the plugin has asked for so many items altogether.
    pub fn until_asked(&self, items: u64) {
        self.until(|noted| (noted.asked.0 >= items).then_some(()));
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.wait();
        // SAFETY: it has ended, and nothing else is called any more.
        unsafe { self.table.release.unwrap()(self.task) };
        let noted = ops().remove(&self.op).unwrap();
        assert_eq!(noted.ends.len(), 1, "an operation ends once");
        assert!(noted.mistakes.is_empty(), "{:?}", noted.mistakes);
    }
}
