//! A plugin whose calls end in every way and at every moment, some of them against the rules: what the hammer of operations beats on.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rustbridge_abi::*;

/// Tasks that aren't released, and answers that were handed over and aren't freed.
pub static TASKS: AtomicI64 = AtomicI64::new(0);
pub static ANSWERS: AtomicI64 = AtomicI64::new(0);

const DESCRIPTION: &str = r#"{"abi":"1.0","name":"storm","methods":[
    {"name":"any","entries":[{"index":0,"encoding":"raw","async":true}]},
    {"name":"count","entries":[{"index":1,"encoding":"raw","kind":"server_stream"}]}
]}"#;

/// How a call of `any` ends: the first byte of its request. The eight bytes at 8 are its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Way {
    AtOnce,
    Early,
    Later,
    LaterAndLarge,
    WhenCancelled,
    WhenWoken,
    Panics,
    /// Also completed by who cancels it, or a second time.
    Twice,
    /// Answers, and completes what there's none of.
    AtOnceAndLater,
}

impl Way {
    pub const ALL: [Way; 9] = [
        Way::AtOnce,
        Way::Early,
        Way::Later,
        Way::LaterAndLarge,
        Way::WhenCancelled,
        Way::WhenWoken,
        Way::Panics,
        Way::Twice,
        Way::AtOnceAndLater,
    ];

    /// Whether it ends without being cancelled.
    pub fn ends(self) -> bool {
        ![Way::WhenCancelled, Way::WhenWoken].contains(&self)
    }
}

pub const LARGE: usize = 1000;

struct Instance {
    host: *const AsyncHost,
    /// Tasks of this one that aren't released.
    tasks: Arc<AtomicI64>,
    work: Mutex<Sender<Arc<Task>>>,
    worker: JoinHandle<()>,
}

struct Task {
    way: Way,
    op: Op,
    host: &'static AsyncHost,
    answer: [u8; 8],
    work: Option<Sender<Arc<Task>>>,
    tasks: Arc<AtomicI64>,
    /// Whoever swaps it completes.
    over: AtomicBool,
    inside: AtomicU32,
    released: AtomicBool,
    // Of a stream.
    streams: bool,
    credit: AtomicU64,
    next: AtomicU64,
    last: u64,
}

fn violated(what: &str) -> ! {
    eprintln!("storm: {what}");
    std::process::abort();
}

impl Task {
    /// A function of it runs.
    fn used<R>(&self, work: impl FnOnce(&Task) -> R) -> R {
        if self.released.load(Ordering::SeqCst) {
            violated("a task is used that was released");
        }
        self.inside.fetch_add(1, Ordering::SeqCst);
        let result = work(self);
        self.inside.fetch_sub(1, Ordering::SeqCst);
        result
    }

    fn end(&self, status: StatusCode) {
        if !self.over.swap(true, Ordering::SeqCst) || self.way == Way::Twice {
            self.complete(status);
        }
    }

    fn complete(&self, status: StatusCode) {
        let mut response = Response {
            data: self.answer.as_ptr().cast_mut(),
            len: self.answer.len(),
            ..Response::empty()
        };
        if self.way == Way::LaterAndLarge {
            let bytes: Box<[u8; LARGE]> = Box::new(std::array::from_fn(|at| self.answer[at % 8]));
            ANSWERS.fetch_add(1, Ordering::SeqCst);
            response.data = Box::into_raw(bytes).cast();
            response.len = LARGE;
            response.release = Some(freed);
        }
        // SAFETY: borrowed until it returns, or handed over.
        unsafe { self.host.complete.unwrap()(self.op, status, &mut response, ptr::null_mut()) };
    }

    /// On the worker's thread.
    fn work(&self) {
        match self.way {
            _ if self.streams => self.emit(),
            Way::Panics => self.end(RB_INTERNAL | RB_PANICKED),
            Way::Twice => {
                self.end(RB_OK);
                self.end(RB_OK);
            }
            Way::AtOnceAndLater => self.complete(RB_OK),
            _ => self.end(RB_OK),
        }
    }

    fn emit(&self) {
        while !self.over.load(Ordering::SeqCst) {
            let next = self.next.load(Ordering::SeqCst);
            if next == self.last {
                self.end(RB_OK);
                return;
            }
            let count = self
                .credit
                .load(Ordering::SeqCst)
                .min(7)
                .min(self.last - next);
            if count == 0 {
                return;
            }
            let items: Vec<u8> = (next..next + count).flat_map(u64::to_ne_bytes).collect();
            let batch = Batch {
                data: items.as_ptr(),
                len: items.len(),
                count: count as u32,
                ..Batch::EMPTY
            };
            // SAFETY: borrowed until it returns.
            match unsafe { self.host.emit.unwrap()(self.op, &batch) } {
                RB_OK => {
                    self.credit.fetch_sub(count, Ordering::SeqCst);
                    self.next.store(next + count, Ordering::SeqCst);
                }
                RB_RESOURCE_EXHAUSTED => violated("credit that was given isn't there"),
                _ => return,
            }
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if self.inside.load(Ordering::SeqCst) != 0 {
            violated("a task is dropped while it's used");
        }
    }
}

unsafe extern "C" fn freed(response: *mut Response) {
    ANSWERS.fetch_sub(1, Ordering::SeqCst);
    // SAFETY: as `complete` handed it over.
    unsafe {
        drop(Box::from_raw((*response).data.cast::<[u8; LARGE]>()));
        *response = Response::empty();
    }
}

unsafe extern "C" fn nothing(_: *mut Response) {}

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    // SAFETY: the core's, or null.
    if let Some(response) = unsafe { response.as_mut() } {
        response.data = DESCRIPTION.as_ptr().cast_mut();
        response.len = DESCRIPTION.len();
        response.release = Some(nothing);
    }
    RB_OK
}

unsafe extern "C" fn create(
    _context: *mut c_void,
    host: *const Host,
    _: *const u8,
    _: usize,
    instance: *mut *mut c_void,
    _: *mut Response,
) -> StatusCode {
    let (work, works) = channel::<Arc<Task>>();
    let worker = thread::spawn(move || {
        while let Ok(task) = works.recv() {
            task.work();
        }
    });
    // SAFETY: the core's.
    unsafe {
        let extension = (*host).extension.unwrap();
        let host = extension((*host).context, RB_EXTENSION_ASYNC.as_ptr()).cast();
        instance.write(
            Box::into_raw(Box::new(Instance {
                host,
                tasks: Arc::new(AtomicI64::new(0)),
                work: Mutex::new(work),
                worker,
            }))
            .cast(),
        );
    }
    RB_OK
}

unsafe extern "C" fn destroy(instance: *mut c_void, _: *mut Response) -> StatusCode {
    // SAFETY: made by `create`.
    let instance = unsafe { Box::from_raw(instance.cast::<Instance>()) };
    if instance.tasks.load(Ordering::SeqCst) != 0 {
        violated("an instance is destroyed with tasks");
    }
    drop(instance.work);
    instance.worker.join().unwrap();
    RB_OK
}

unsafe extern "C" fn call(
    _: *mut c_void,
    _: u32,
    _: *const CallContext,
    _: *const u8,
    _: usize,
    _: *mut Response,
) -> StatusCode {
    RB_UNIMPLEMENTED
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
    assert_eq!(request_len, 16);
    // SAFETY: the core's, and 16 bytes long.
    let (instance, op, request) = unsafe {
        (
            &*instance.cast::<Instance>(),
            (*header).op,
            request.cast::<[u8; 16]>().read_unaligned(),
        )
    };
    let answer: [u8; 8] = request[8..].try_into().unwrap();
    let streams = entry == 1;
    let way = Way::ALL[usize::from(request[0])];
    let work = instance.work.lock().unwrap_or_else(PoisonError::into_inner);
    let task = Arc::new(Task {
        way,
        op,
        // SAFETY: lives as long as the process.
        host: unsafe { &*instance.host },
        answer,
        work: streams.then(|| work.clone()),
        tasks: Arc::clone(&instance.tasks),
        over: AtomicBool::new(false),
        inside: AtomicU32::new(0),
        released: AtomicBool::new(false),
        streams,
        credit: AtomicU64::new(0),
        next: AtomicU64::new(0),
        last: u64::from_ne_bytes(answer),
    });
    if matches!(way, Way::AtOnce | Way::AtOnceAndLater) && !streams {
        // SAFETY: the core's, or null; the bytes are in its storage.
        if let Some(response) = unsafe { response.as_mut() } {
            assert!(response.capacity >= 8);
            // SAFETY: there's room.
            unsafe { ptr::copy_nonoverlapping(answer.as_ptr(), response.data, 8) };
            response.len = 8;
        }
        if way == Way::AtOnceAndLater {
            work.send(task).unwrap();
        }
        return RB_OK;
    }
    TASKS.fetch_add(1, Ordering::SeqCst);
    instance.tasks.fetch_add(1, Ordering::SeqCst);
    // SAFETY: the core's.
    unsafe { place.write(Arc::into_raw(Arc::clone(&task)).cast_mut().cast()) };
    match way {
        _ if streams => {}
        Way::Early => {
            drop(work);
            task.end(RB_OK);
        }
        Way::WhenWoken => {
            // SAFETY: until the task is released.
            unsafe {
                let data = Arc::as_ptr(&task).cast_mut().cast();
                task.host.on_cancel.unwrap()(op, Some(wake), data);
            }
        }
        Way::WhenCancelled => {}
        _ => work.send(task).unwrap(),
    }
    RB_PENDING
}

fn task<'a>(task: *mut c_void) -> &'a Task {
    // SAFETY: made by `start`, and not released.
    unsafe { &*task.cast::<Task>() }
}

unsafe extern "C" fn wake(at: *mut c_void) {
    task(at).used(|task| {
        task.end(RB_CANCELLED);
        thread::yield_now();
    });
}

unsafe extern "C" fn cancel(at: *mut c_void, reason: StatusCode) {
    task(at).used(|task| {
        // The others end as if nothing was.
        if matches!(task.way, Way::WhenCancelled | Way::WhenWoken | Way::Twice) || task.streams {
            task.end(reason);
        }
    });
}

unsafe extern "C" fn demand(at: *mut c_void, items: u64, _: u64) {
    task(at).used(|task| {
        task.credit.fetch_add(items, Ordering::SeqCst);
        let work = task.work.as_ref().unwrap();
        // SAFETY: made by `start`, which the core keeps while we are inside.
        let task = unsafe {
            Arc::increment_strong_count(task);
            Arc::from_raw(task)
        };
        let _ = work.send(task);
    });
}

unsafe extern "C" fn release(at: *mut c_void) {
    // SAFETY: made by `start`, released once.
    let task = unsafe { Arc::from_raw(at.cast::<Task>().cast_const()) };
    if task.released.swap(true, Ordering::SeqCst) || task.inside.load(Ordering::SeqCst) != 0 {
        violated("a task is released twice, or while it's used");
    }
    TASKS.fetch_sub(1, Ordering::SeqCst);
    task.tasks.fetch_sub(1, Ordering::SeqCst);
}

unsafe extern "C" fn extension(_context: *mut c_void, name: *const c_char) -> *const c_void {
    static TABLE: AsyncExtension = AsyncExtension {
        start: Some(start),
        cancel: Some(cancel),
        demand: Some(demand),
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
