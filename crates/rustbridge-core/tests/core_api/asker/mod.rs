//! A plugin by hand that asks services of its host, and how tests load and ask it.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one note at the plugin's `call` holds for all of its pointers"
)]

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustbridge_abi::*;
use rustbridge_core::{Encoding, Error, Handle, Load, Plugin, ServiceCall, ServiceReply, handles};

pub const LIMIT: Duration = Duration::from_secs(30);

/// What `create` makes: the host's tables, and the status that the last background thread ended with.
struct Asker {
    context: *mut c_void,
    services: ServiceHost,
    ended: Arc<AtomicU32>,
}

const DESCRIPTION: &str = r#"{"abi":"1.0","name":"asker","methods":[
    {"name":"ask","entries":[{"index":0,"encoding":"raw"}]},
    {"name":"ask_in_leaf","entries":[{"index":1,"encoding":"raw","leaf":true}]},
    {"name":"start","entries":[{"index":2,"encoding":"raw"}]},
    {"name":"start_and_cancel","entries":[{"index":3,"encoding":"raw"}]},
    {"name":"ask_with_timeout","entries":[{"index":4,"encoding":"raw"}]},
    {"name":"background","entries":[{"index":5,"encoding":"raw"}]},
    {"name":"panic","entries":[{"index":6,"encoding":"raw"}]},
    {"name":"leave_pending","entries":[{"index":7,"encoding":"raw"}]},
    {"name":"ask_for_number","entries":[{"index":8,"encoding":"raw"}]},
    {"name":"find","entries":[{"index":9,"encoding":"raw"}]},
    {"name":"ask_for_operation","entries":[{"index":10,"encoding":"raw"}]},
    {"name":"ask_many_times","entries":[{"index":11,"encoding":"raw"}]},
    {"name":"cancel_in_leaf","entries":[{"index":12,"encoding":"raw","leaf":true}]}
]}"#;

const NEEDY: &str = r#"{"abi":"1.0","name":"needy","methods":[],"services":[
    {"name":"prices.get","encoding":"json"},
    {"name":"prices.all","encoding":"pod"},
    {"name":"extra","encoding":"json","optional":true},
    {"name":"of.later","encoding":"something_new","optional":true}
]}"#;

pub unsafe extern "C" fn release(response: *mut Response) {
    unsafe {
        let response = &*response;
        drop(Vec::from_raw_parts(
            response.data,
            response.len,
            response.capacity,
        ));
    }
}

unsafe fn answer(bytes: &[u8], response: *mut Response) {
    let mut copy = std::mem::ManuallyDrop::new(bytes.to_vec());
    unsafe {
        (*response).len = bytes.len();
        if !bytes.is_empty() {
            (*response).data = copy.as_mut_ptr();
            (*response).capacity = copy.capacity();
            (*response).release = Some(release);
        }
    }
}

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    unsafe { answer(DESCRIPTION.as_bytes(), response) };
    RB_OK
}

unsafe extern "C" fn describe_needy(_context: *mut c_void, response: *mut Response) -> StatusCode {
    unsafe { answer(NEEDY.as_bytes(), response) };
    RB_OK
}

pub static CREATED: AtomicU64 = AtomicU64::new(0);

unsafe extern "C" fn create(
    _context: *mut c_void,
    host: *const Host,
    config: *const u8,
    config_len: usize,
    instance: *mut *mut c_void,
    _error: *mut Response,
) -> StatusCode {
    CREATED.fetch_add(1, Ordering::Relaxed);
    unsafe {
        let host = *host;
        assert!(host.extension.unwrap()(host.context, c"no such/1".as_ptr()).is_null());
        let table = host.extension.unwrap()(host.context, RB_EXTENSION_SERVICES.as_ptr())
            .cast::<ServiceHost>();
        *SERVICES.lock().unwrap() = Some(read(table).unwrap());
        let asker = Asker {
            context: host.context,
            services: read(table).unwrap(),
            ended: Arc::default(),
        };
        if config_len > 0 {
            let config = std::slice::from_raw_parts(config, config_len);
            let mut response = Response::empty();
            let status = ask(&asker, config, &mut response);
            handles::release(&raw mut response);
            if status != RB_OK {
                return status;
            }
        }
        *instance = Box::into_raw(Box::new(asker)).cast();
    }
    RB_OK
}

unsafe fn find(asker: &Asker, name: &str) -> Result<u32, StatusCode> {
    let mut number = u32::MAX;
    let status = unsafe {
        asker.services.find.unwrap()(
            asker.context,
            Text::new(name),
            RB_ENCODING_RAW,
            &raw mut number,
        )
    };
    if status == RB_OK {
        Ok(number)
    } else {
        Err(status)
    }
}

fn split(request: &[u8]) -> (&str, &[u8]) {
    let text = std::str::from_utf8(request).unwrap();
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    (name, rest.as_bytes())
}

unsafe fn ask(asker: &Asker, request: &[u8], response: *mut Response) -> StatusCode {
    let (name, rest) = split(request);
    unsafe {
        match find(asker, name) {
            Ok(number) => ask_number(asker, number, ptr::null(), rest, response),
            Err(status) => status,
        }
    }
}

unsafe fn ask_number(
    asker: &Asker,
    number: u32,
    header: *const CallContext,
    request: &[u8],
    response: *mut Response,
) -> StatusCode {
    unsafe {
        asker.services.call.unwrap()(
            asker.context,
            number,
            header,
            request.as_ptr(),
            request.len(),
            response,
        )
    }
}

pub type Told = (StatusCode, Vec<u8>);

unsafe extern "C" fn done(data: *mut c_void, status: StatusCode, response: *mut Response) {
    unsafe {
        let sender = Box::from_raw(data.cast::<Sender<Told>>());
        let bytes = if (*response).len == 0 {
            Vec::new()
        } else {
            std::slice::from_raw_parts((*response).data, (*response).len).to_vec()
        };
        handles::release(response);
        let _ = sender.send((status, bytes));
    }
}

/// Starts a call; the end if it came at once.
unsafe fn start(
    asker: &Asker,
    request: &[u8],
    sender: Sender<Told>,
    call: *mut u64,
) -> Option<Told> {
    let (name, rest) = split(request);
    unsafe {
        let number = find(asker, name).unwrap();
        let mut response = Response::empty();
        let data = Box::into_raw(Box::new(sender));
        let status = asker.services.start.unwrap()(
            asker.context,
            number,
            ptr::null(),
            rest.as_ptr(),
            rest.len(),
            &raw mut response,
            Some(done),
            data.cast(),
            call,
        );
        if status == RB_PENDING {
            return None;
        }
        done(data.cast(), status, &raw mut response);
        Some((status, Vec::new()))
    }
}

unsafe extern "C" fn call(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: all of it by the ABI, for this function and what it calls.
    unsafe {
        let asker = &*instance.cast::<Asker>();
        let request = if request_len == 0 {
            &[][..]
        } else {
            std::slice::from_raw_parts(request, request_len)
        };
        match entry {
            0 | 1 => ask(asker, request, response),
            2 | 3 => {
                let (sender, end) = mpsc::channel();
                let mut number = 0;
                start(asker, request, sender, &raw mut number);
                if entry == 3 {
                    let cancel = asker.services.cancel.unwrap();
                    assert_eq!(cancel(asker.context, number), RB_OK);
                    assert_eq!(cancel(asker.context, number), RB_FAILED_PRECONDITION);
                    assert_eq!(cancel(asker.context, u64::MAX), RB_NOT_FOUND);
                }
                let (status, bytes) = end.recv_timeout(LIMIT).unwrap();
                assert!(end.recv_timeout(Duration::from_millis(1)).is_err());
                answer(&bytes, response);
                status
            }
            4 => {
                let (timeout, rest) = split(request);
                let (name, rest) = split(rest);
                let header = CallContext {
                    flags: RB_CONTEXT_TIMEOUT,
                    timeout_ns: timeout.parse().unwrap(),
                    ..CallContext::EMPTY
                };
                let number = find(asker, name).unwrap();
                ask_number(asker, number, &raw const header, rest, response)
            }
            5 => {
                let request = request.to_vec();
                let ended = Arc::clone(&asker.ended);
                answer(
                    &(Arc::into_raw(Arc::clone(&ended)) as usize).to_ne_bytes(),
                    response,
                );
                let (context, services) = (asker.context as usize, asker.services);
                thread::spawn(move || {
                    let asker = Asker {
                        context: context as *mut c_void,
                        services,
                        ended,
                    };
                    let number = find(&asker, split(&request).0).unwrap_or(0);
                    loop {
                        let mut response = Response::empty();
                        let status =
                            ask_number(&asker, number, ptr::null(), b"", &raw mut response);
                        handles::release(&raw mut response);
                        if status != RB_OK {
                            asker.ended.store(status as u32, Ordering::Release);
                            return;
                        }
                    }
                });
                RB_OK
            }
            6 => RB_INTERNAL | RB_PANICKED,
            7 => {
                let (sender, end) = mpsc::channel();
                assert_eq!(start(asker, request, sender, ptr::null_mut()), None);
                let end = Box::into_raw(Box::new(end));
                answer(&(end as usize).to_ne_bytes(), response);
                RB_OK
            }
            8 => {
                let number = std::str::from_utf8(request).unwrap().parse().unwrap();
                ask_number(asker, number, ptr::null(), b"", response)
            }
            10 => {
                let said = CallContext {
                    flags: RB_CONTEXT_TIMEOUT,
                    timeout_ns: 1_000_000_000_000,
                    op: (*header).op,
                    ..CallContext::EMPTY
                };
                let (name, rest) = split(request);
                let number = find(asker, name).unwrap();
                ask_number(asker, number, &raw const said, rest, response)
            }
            12 => {
                let number = std::str::from_utf8(request).unwrap().parse().unwrap();
                asker.services.cancel.unwrap()(asker.context, number)
            }
            11 => {
                let number = std::str::from_utf8(request).unwrap().parse().unwrap();
                many_times(asker.context, number);
                RB_OK
            }
            _ => find(asker, std::str::from_utf8(request).unwrap()).map_or_else(
                |status| status,
                |number| {
                    answer(&number.to_ne_bytes(), response);
                    RB_OK
                },
            ),
        }
    }
}

unsafe extern "C" fn destroy(instance: *mut c_void, _error: *mut Response) -> StatusCode {
    unsafe {
        let asker = Box::from_raw(instance.cast::<Asker>());
        let mut response = Response::empty();
        // Too late, and refused.
        let status = ask_number(&asker, 0, ptr::null(), b"", &raw mut response);
        handles::release(&raw mut response);
        assert!(
            status == RB_UNAVAILABLE || status == RB_NOT_FOUND,
            "{status}"
        );
    }
    RB_OK
}

unsafe extern "C" fn extension(_context: *mut c_void, _name: *const c_char) -> *const c_void {
    ptr::null()
}

static ASKER: PluginTable = PluginTable {
    describe: Some(describe),
    create: Some(create),
    call: Some(call),
    destroy: Some(destroy),
    extension: Some(extension),
    ..PluginTable::EMPTY
};

static NEEDY_TABLE: PluginTable = PluginTable {
    describe: Some(describe_needy),
    ..ASKER
};

unsafe extern "C" fn asker(_: u32) -> *const PluginTable {
    &ASKER
}

pub unsafe extern "C" fn needy(_: u32) -> *const PluginTable {
    &NEEDY_TABLE
}

pub fn load() -> Load<'static> {
    // SAFETY: a plugin of ours.
    unsafe { Load::linked(asker, "asker") }
}

pub fn with(
    name: &str,
    service: impl Fn(&[u8], &ServiceCall<'_>) -> Result<Vec<u8>, Error> + Send + Sync + 'static,
) -> Load<'static> {
    load().service(name, Encoding::Raw, service)
}

pub fn ask_of(plugin: &Plugin, method: &str, request: &str) -> Result<Vec<u8>, Error> {
    let method = plugin.method(method, Encoding::Raw)?;
    method.call(request.as_bytes()).map(|reply| reply.to_vec())
}

/// A call of an instance that is known by its number alone.
pub fn ask_by_handle(plugin: Handle, method: &str, request: &str) -> StatusCode {
    let Ok(method) = handles::prepare(plugin, method, Encoding::Raw) else {
        return RB_UNAVAILABLE;
    };
    let mut response = Response::empty();
    unsafe {
        let status = handles::call(
            plugin,
            method.entry,
            request.as_ptr(),
            request.len(),
            &raw mut response,
        );
        handles::release(&raw mut response);
        status
    }
}

/// A service that keeps what it's given to answer by.
pub fn keeps() -> (Load<'static>, mpsc::Receiver<ServiceReply>) {
    let (sender, calls) = mpsc::channel::<ServiceReply>();
    let sender = Mutex::new(sender);
    let load = load().service_async("kept", Encoding::Raw, move |_, _, later| {
        sender.lock().unwrap().send(later).unwrap();
    });
    (load, calls)
}

pub fn background(plugin: &Plugin, service: &str) -> Arc<AtomicU32> {
    let ended = ask_of(plugin, "background", service).unwrap();
    // SAFETY: what the plugin has leaked.
    unsafe { Arc::from_raw(usize::from_ne_bytes(ended.try_into().unwrap()) as *const AtomicU32) }
}

pub fn end_of(ended: &AtomicU32) -> StatusCode {
    let begin = Instant::now();
    while ended.load(Ordering::Acquire) == 0 {
        assert!(begin.elapsed() < LIMIT);
        thread::sleep(Duration::from_millis(1));
    }
    ended.load(Ordering::Acquire) as StatusCode
}

thread_local! {
    // Of the test that measures.
    pub static COST: std::cell::Cell<Option<(u32, u64)>> = const { std::cell::Cell::new(None) };
}

pub fn many_times(context: *mut c_void, number: u32) {
    let Some((_, turns)) = COST.get() else { return };
    let table = SERVICES.lock().unwrap().unwrap();
    let mut storage = [0_u8; 64];
    for _ in 0..turns {
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        let call = table.call.unwrap();
        // SAFETY: borrowed for the call.
        let status = unsafe {
            call(
                context,
                number,
                ptr::null(),
                storage.as_ptr(),
                8,
                &raw mut response,
            )
        };
        assert_eq!(status, RB_OK);
    }
}

/// The table that the last instance got.
pub static SERVICES: Mutex<Option<ServiceHost>> = Mutex::new(None);
