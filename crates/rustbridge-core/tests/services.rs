//! Services: what a plugin gets that calls its host, however and whenever it does.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "a plugin by hand: one note at its `call` holds for all of its pointers"
)]

mod common;

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use common::rounds;
use rustbridge_abi::*;
use rustbridge_core::{
    Encoding, Error, Handle, Later, Load, OnPanic, Plugin, ServiceCall, State, handles, service_fn,
};

const LIMIT: Duration = Duration::from_secs(30);

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
    {"name":"find","entries":[{"index":9,"encoding":"raw"}]}
]}"#;

const NEEDY: &str = r#"{"abi":"1.0","name":"needy","methods":[],"services":[
    {"name":"prices.get","encoding":"json"},
    {"name":"prices.all","encoding":"pod"},
    {"name":"extra","encoding":"json","optional":true},
    {"name":"of.later","encoding":"something_new","optional":true}
]}"#;

unsafe extern "C" fn release(response: *mut Response) {
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

unsafe extern "C" fn describe(response: *mut Response) -> StatusCode {
    unsafe { answer(DESCRIPTION.as_bytes(), response) };
    RB_OK
}

unsafe extern "C" fn describe_needy(response: *mut Response) -> StatusCode {
    unsafe { answer(NEEDY.as_bytes(), response) };
    RB_OK
}

static CREATED: AtomicU64 = AtomicU64::new(0);

unsafe extern "C" fn create(
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
    header: *const CallHeader,
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

type Told = (StatusCode, Vec<u8>);

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
    _header: *const CallHeader,
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
                let header = CallHeader {
                    flags: RB_HEADER_TIMEOUT,
                    timeout_ns: timeout.parse().unwrap(),
                    ..CallHeader::EMPTY
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

unsafe extern "C" fn extension(_name: *const c_char) -> *const c_void {
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

unsafe extern "C" fn needy(_: u32) -> *const PluginTable {
    &NEEDY_TABLE
}

fn load() -> Load<'static> {
    // SAFETY: a plugin of ours.
    unsafe { Load::linked(asker, "asker") }
}

fn with(
    name: &str,
    service: impl Fn(&[u8], &ServiceCall<'_>) -> Result<Vec<u8>, Error> + Send + Sync + 'static,
) -> Load<'static> {
    load().service(name, Encoding::Raw, service)
}

fn ask_of(plugin: &Plugin, method: &str, request: &str) -> Result<Vec<u8>, Error> {
    let method = plugin.method(method, Encoding::Raw)?;
    method.call(request.as_bytes()).map(|reply| reply.to_vec())
}

/// A call of an instance that is known by its number alone.
fn ask_by_handle(plugin: Handle, method: &str, request: &str) -> StatusCode {
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

#[test]
fn a_service_answers_bytes_however_many() {
    let plugin = with("twice", |request, call| {
        assert_eq!((call.name(), call.encoding()), ("twice", Encoding::Raw));
        assert_eq!((call.timeout(), call.is_cancelled()), (None, false));
        Ok(request.repeat(2))
    })
    .open()
    .unwrap();
    for request in ["", "a", &"long".repeat(10_000)] {
        let answer = ask_of(&plugin, "ask", &format!("twice {request}")).unwrap();
        assert_eq!(answer, request.repeat(2).as_bytes());
        let answer = ask_of(&plugin, "start", &format!("twice {request}")).unwrap();
        assert_eq!(answer, request.repeat(2).as_bytes());
    }
    let ledger: serde_json::Value = serde_json::from_str(&rustbridge_core::inspect()).unwrap();
    let instances = ledger["instances"].as_array().unwrap();
    let own = instances
        .iter()
        .find(|instance| instance["handle"] == plugin.handle());
    assert_eq!(own.unwrap()["services"][0]["name"], "twice");
    plugin.close(LIMIT).unwrap();
}

#[test]
fn an_error_keeps_status_message_type_and_details() {
    let plugin = with("fail", |_, _| {
        Err(Error::failure(Status::NotFound, "no \"price\"")
            .with_type("PriceError.Unknown")
            .with_details(serde_json::json!({"id": 7})))
    })
    .open()
    .unwrap();
    let error = ask_of(&plugin, "ask", "fail").unwrap_err();
    assert_eq!(
        (error.status(), error.message(), error.type_name()),
        (Status::NotFound, "no \"price\"", "PriceError.Unknown")
    );
    assert_eq!(error.details().unwrap()["id"], 7);
}

#[test]
fn a_panic_of_a_service_is_the_plugins_internal() {
    let plugin = with("panics", |_, _| panic!("boom in the host"))
        .open()
        .unwrap();
    let error = ask_of(&plugin, "ask", "panics").unwrap_err();
    assert_eq!(
        (error.status(), error.message(), error.type_name()),
        (Status::Internal, "boom in the host", "panic")
    );
    assert_eq!(plugin.state(), State::Active);
}

#[test]
fn a_typed_service_speaks_json() {
    let price = service_fn(|id: u64, _: &ServiceCall<'_>| match id {
        1 => Ok(serde_json::json!({"price": 2.5})),
        _ => Err(Error::failure(Status::NotFound, format!("no {id}"))),
    });
    let plugin = load()
        .service("price", Encoding::Raw, price)
        .open()
        .unwrap();
    assert_eq!(
        ask_of(&plugin, "ask", "price 1").unwrap(),
        br#"{"price":2.5}"#
    );
    let error = ask_of(&plugin, "ask", "price 2").unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::NotFound, "no 2")
    );
    let error = ask_of(&plugin, "ask", "price x").unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert!(error.message().contains("`price`"), "{error}");
}

#[test]
fn what_is_not_there_is_not_found() {
    let plugin = with("there", |_, _| Ok(Vec::new()))
        .service(
            "there.too",
            Encoding::Json,
            |_: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> { Ok(Vec::new()) },
        )
        .open()
        .unwrap();
    let status = |name: &str| ask_of(&plugin, "find", name).unwrap_err().status();
    assert_eq!(
        ask_of(&plugin, "find", "there").unwrap(),
        0_u32.to_ne_bytes()
    );
    assert_eq!(status("not.there"), Status::NotFound);
    assert_eq!(status("there.too"), Status::Unimplemented);
    let error = ask_of(&plugin, "ask_for_number", "2").unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.NoSuchService");
    let error = ask_of(&plugin, "ask_for_number", "4294967295").unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.NoSuchService");

    let without = load().open().unwrap();
    let error = ask_of(&without, "ask_for_number", "0").unwrap_err();
    assert_eq!(error.status(), Status::NotFound);
    assert!(
        error.message().contains("no services were registered"),
        "{error}"
    );
}

#[test]
fn a_plugin_that_lacks_services_is_refused_before_it_is_created() {
    fn nothing(_: &[u8], _: &ServiceCall<'_>) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }
    // SAFETY: a plugin of ours.
    let load = || unsafe { Load::linked(needy, "needy") };
    let created = CREATED.load(Ordering::Relaxed);
    let error = load()
        .service("prices.all", Encoding::Json, nothing)
        .open()
        .unwrap_err();
    assert_eq!(
        (error.status(), error.type_name()),
        (Status::FailedPrecondition, "rustbridge.MissingService")
    );
    for said in [
        "`needy`",
        "`prices.get` (json)",
        "`prices.all` (pod)",
        "`prices.all` (json)",
    ] {
        assert!(error.message().contains(said), "{error}");
    }
    assert!(!error.message().contains("extra"), "{error}");
    assert_eq!(
        error.details().unwrap()["missing"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let error = load()
        .service("prices.get", Encoding::Json, nothing)
        .service("prices.all", Encoding::Pod, nothing)
        .service("prices.get", Encoding::Json, nothing)
        .open()
        .unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.DuplicateService");
    let error = load()
        .service("", Encoding::Json, nothing)
        .open()
        .unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.InvalidService");
    load()
        .service("prices.get", Encoding::Json, nothing)
        .service("prices.all", Encoding::Pod, nothing)
        .service("prices.all", Encoding::Json, nothing)
        .open()
        .unwrap();
    assert!(CREATED.load(Ordering::Relaxed) > created);
}

#[test]
fn a_leaf_method_calls_no_services() {
    let plugin = with("any", |_, _| Ok(Vec::new())).open().unwrap();
    for leaf in [0, handles::ENTRY_LEAF, handles::ENTRY_SHARED] {
        let entry = handles::prepare(plugin.handle(), "ask_in_leaf", Encoding::Raw).unwrap();
        let mut response = Response::empty();
        unsafe {
            let entry = entry.entry | leaf;
            let status = handles::call(
                plugin.handle(),
                entry,
                b"any".as_ptr(),
                3,
                &raw mut response,
            );
            let payload = std::slice::from_raw_parts(response.data, response.len);
            let error = Error::from_payload(status, payload);
            handles::release(&raw mut response);
            assert_eq!(error.type_name(), "rustbridge.ServiceInLeaf");
            assert!(error.message().contains("`ask_in_leaf (raw)`"), "{error}");
        }
    }
    ask_of(&plugin, "ask", "any").unwrap();
}

#[test]
fn sixty_four_service_calls_go_one_inside_the_other() {
    static HANDLE: AtomicU64 = AtomicU64::new(0);
    static DEEPEST: AtomicU32 = AtomicU32::new(0);
    let plugin = with("deeper", |request, _| {
        let depth: u32 = std::str::from_utf8(request).unwrap().parse().unwrap();
        DEEPEST.fetch_max(depth, Ordering::Relaxed);
        let handle = HANDLE.load(Ordering::Relaxed);
        // A leaf is told so however deep it is.
        assert_eq!(
            ask_by_handle(handle, "ask_in_leaf", "deeper 0"),
            if depth < 64 {
                RB_FAILED_PRECONDITION
            } else {
                RB_RESOURCE_EXHAUSTED
            }
        );
        let error = handles::close(handle, Duration::ZERO).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.CloseInsideCall");
        match ask_by_handle(handle, "ask", &format!("deeper {}", depth + 1)) {
            RB_OK => Ok(Vec::new()),
            status => Err(Error::failure(Status::from_code(status), "deeper")),
        }
    })
    .open()
    .unwrap();
    HANDLE.store(plugin.handle(), Ordering::Relaxed);
    for _ in 0..2 {
        let error = ask_of(&plugin, "ask", "deeper 1").unwrap_err();
        assert_eq!(error.status(), Status::ResourceExhausted);
        assert_eq!(DEEPEST.load(Ordering::Relaxed), 64);
    }
    plugin.close(LIMIT).unwrap();
}

#[test]
fn a_service_that_answers_later_answers_once() {
    let (sender, calls) = mpsc::channel::<(Vec<u8>, Later)>();
    let sender = Mutex::new(sender);
    let plugin = load()
        .service_later("later", Encoding::Raw, move |request, _, later| {
            sender
                .lock()
                .unwrap()
                .send((request.to_vec(), later))
                .unwrap();
        })
        .service_later("at_once", Encoding::Raw, |_, _, later| {
            later.answer(Ok("at once")).unwrap();
        })
        .service_later("dropped", Encoding::Raw, |_, _, later| drop(later))
        .service_later("panics", Encoding::Raw, |_, _, _| panic!("boom"))
        .open()
        .unwrap();
    let answerer = thread::spawn(move || {
        for (request, later) in calls {
            let answer = match &request[..] {
                b"fail" => Err(Error::failure(Status::Aborted, "later")),
                _ => Ok(request.repeat(2)),
            };
            thread::sleep(Duration::from_millis(5));
            later.answer(answer).unwrap();
        }
    });
    for how in ["ask", "start"] {
        assert_eq!(ask_of(&plugin, how, "later ab").unwrap(), b"abab");
        let error = ask_of(&plugin, how, "later fail").unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::Aborted, "later")
        );
        assert_eq!(ask_of(&plugin, how, "at_once").unwrap(), b"at once");
        let error = ask_of(&plugin, how, "dropped").unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.Unanswered");
        let error = ask_of(&plugin, how, "panics").unwrap_err();
        assert_eq!((error.type_name(), error.message()), ("panic", "boom"));
    }
    plugin.close(LIMIT).unwrap();
    answerer.join().unwrap();
}

/// A service that keeps what it's given to answer by.
fn keeps() -> (Load<'static>, mpsc::Receiver<Later>) {
    let (sender, calls) = mpsc::channel::<Later>();
    let sender = Mutex::new(sender);
    let load = load().service_later("kept", Encoding::Raw, move |_, _, later| {
        sender.lock().unwrap().send(later).unwrap();
    });
    (load, calls)
}

#[test]
fn numbers_that_are_over_or_never_were_get_a_status() {
    let (load, kept) = keeps();
    let plugin = load.open().unwrap();
    let error = ask_of(&plugin, "start_and_cancel", "kept").unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.Cancelled");
    let late = kept.recv_timeout(LIMIT).unwrap().answer(Ok("late"));
    assert_eq!(late.unwrap_err().type_name(), "rustbridge.ServiceCallOver");
    for number in [0, u64::MAX] {
        let error = handles::service_reply(number, RB_OK, Vec::new()).unwrap_err();
        assert_eq!(error.status(), Status::NotFound);
    }
    let error = handles::service_reply(1, RB_OK, Vec::new()).unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition);
}

#[test]
fn a_call_whose_time_is_over_is_not_begun_and_one_that_waits_is_given_up() {
    let (load, kept) = keeps();
    let plugin = load
        .service(
            "left",
            Encoding::Raw,
            |_: &[u8], call: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
                Ok(call.timeout().unwrap().as_nanos().to_string().into())
            },
        )
        .open()
        .unwrap();
    assert_eq!(
        ask_of(&plugin, "ask_with_timeout", "70 left").unwrap(),
        b"70"
    );
    let error = ask_of(&plugin, "ask_with_timeout", "0 left").unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
    let error = ask_of(&plugin, "ask_with_timeout", "5000000 kept").unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
    assert!(error.message().contains("`kept`"), "{error}");
    assert!(kept.recv().unwrap().answer(Ok("late")).is_err());
}

#[test]
fn closing_ends_what_is_pending_and_what_the_plugins_threads_do() {
    let (load, kept) = keeps();
    let plugin = load
        .service(
            "any",
            Encoding::Raw,
            |_: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> { Ok(Vec::new()) },
        )
        .open()
        .unwrap();
    let pending = ask_of(&plugin, "leave_pending", "kept").unwrap();
    // SAFETY: what the plugin has leaked.
    let pending = unsafe {
        Box::from_raw(usize::from_ne_bytes(pending.try_into().unwrap()) as *mut mpsc::Receiver<Told>)
    };
    let ended = background(&plugin, "any");
    plugin.close(LIMIT).unwrap();
    assert_eq!(pending.recv_timeout(LIMIT).unwrap().0, RB_UNAVAILABLE);
    assert_eq!(end_of(&ended), RB_UNAVAILABLE);
    assert!(kept.recv().unwrap().answer(Ok("late")).is_err());
}

fn background(plugin: &Plugin, service: &str) -> Arc<AtomicU32> {
    let ended = ask_of(plugin, "background", service).unwrap();
    // SAFETY: what the plugin has leaked.
    unsafe { Arc::from_raw(usize::from_ne_bytes(ended.try_into().unwrap()) as *const AtomicU32) }
}

fn end_of(ended: &AtomicU32) -> StatusCode {
    let begin = Instant::now();
    while ended.load(Ordering::Acquire) == 0 {
        assert!(begin.elapsed() < LIMIT);
        thread::sleep(Duration::from_millis(1));
    }
    ended.load(Ordering::Acquire) as StatusCode
}

#[test]
fn a_call_that_is_drained_still_calls_and_the_report_names_the_service() {
    let (entered, is_inside) = mpsc::channel();
    let (go, may_go) = mpsc::channel::<()>();
    let (entered, may_go) = (Mutex::new(entered), Mutex::new(may_go));
    let plugin = with("slow", move |_, _| {
        entered.lock().unwrap().send(()).unwrap();
        may_go.lock().unwrap().recv_timeout(LIMIT).unwrap();
        Ok(b"done".to_vec())
    })
    .open()
    .unwrap();
    let handle = plugin.handle();
    thread::scope(|scope| {
        let caller = scope.spawn(|| ask_of(&plugin, "ask", "slow"));
        is_inside.recv_timeout(LIMIT).unwrap();
        let error = handles::close(handle, Duration::from_millis(5)).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.StillRunning");
        assert!(
            error.message().contains("service slow on thread"),
            "{error}"
        );
        assert!(error.message().contains("ask (raw) on thread"), "{error}");
        go.send(()).unwrap();
        assert_eq!(caller.join().unwrap().unwrap(), b"done");
    });
    handles::close(handle, LIMIT).unwrap();
}

#[test]
fn a_poisoned_instance_calls_no_services() {
    let (load, kept) = keeps();
    let plugin = load.on_panic(OnPanic::Poison).open().unwrap();
    let pending = ask_of(&plugin, "leave_pending", "kept").unwrap();
    // SAFETY: what the plugin has leaked.
    let pending = unsafe {
        Box::from_raw(usize::from_ne_bytes(pending.try_into().unwrap()) as *mut mpsc::Receiver<Told>)
    };
    assert!(ask_of(&plugin, "panic", "").is_err());
    assert_eq!(plugin.state(), State::Poisoned);
    assert_eq!(pending.recv_timeout(LIMIT).unwrap().0, RB_UNAVAILABLE);
    assert!(kept.recv().unwrap().answer(Ok("late")).is_err());
    plugin.close(LIMIT).unwrap();
}

#[test]
fn create_may_call_services_and_one_that_fails_gives_them_back() {
    struct Dropped(Arc<AtomicU32>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let drops = Arc::new(AtomicU32::new(0));
    let make = |fails: bool| {
        let dropped = Dropped(Arc::clone(&drops));
        with("\"ready\"", move |_, _| {
            let _ = &dropped;
            if fails {
                Err(Error::failure(Status::Aborted, "not ready"))
            } else {
                Ok(Vec::new())
            }
        })
    };
    let plugin = make(false).config("\"ready\"").open().unwrap();
    assert_eq!(drops.load(Ordering::Relaxed), 0);
    plugin.close(LIMIT).unwrap();
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    let error = make(true).config("\"ready\"").open().unwrap_err();
    assert_eq!(error.status(), Status::Aborted);
    assert_eq!(drops.load(Ordering::Relaxed), 2);
}

/// Answers that can't be true, as a binding could give them.
struct Lies;

impl handles::Told for Lies {}

// SAFETY: none of what it says is believed.
unsafe impl handles::RawService for Lies {
    fn call(&self, call: &ServiceCall<'_>, response: *mut Response) -> StatusCode {
        unsafe {
            match call.request() {
                b"long" => (*response).len = 1 << 40,
                b"null" => {
                    (*response).data = ptr::null_mut();
                    (*response).len = 5;
                    (*response).release = Some(release);
                }
                b"pending" => return RB_PENDING,
                b"status" => return 99,
                b"both" => {
                    call.later().unwrap();
                }
                _ => {}
            }
        }
        RB_OK
    }
}

#[test]
fn what_can_not_be_true_of_an_answer_is_internal() {
    let plugin = load()
        .service_raw("lies", Encoding::Raw, Arc::new(Lies))
        .open()
        .unwrap();
    for lie in ["long", "null", "pending"] {
        let error = ask_of(&plugin, "ask", &format!("lies {lie}")).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.InvalidResponse", "{lie}");
        assert!(error.message().contains("service `lies`"), "{error}");
    }
    let error = ask_of(&plugin, "ask", "lies status").unwrap_err();
    assert_eq!(error.status(), Status::Unknown);
    for how in ["ask", "start"] {
        assert_eq!(ask_of(&plugin, how, "lies both").unwrap(), b"");
    }
}

#[test]
fn threads_that_call_services_while_their_instance_closes_come_out() {
    for _ in 0..rounds(200) {
        let plugin = with("any", |request, _| Ok(request.to_vec()))
            .open()
            .unwrap();
        let ended = [background(&plugin, "any"), background(&plugin, "any")];
        let handle = plugin.handle();
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        match ask_by_handle(handle, "ask", "any") {
                            RB_OK => {}
                            RB_UNAVAILABLE => return,
                            status => panic!("{status}"),
                        }
                    }
                });
            }
            plugin.close(LIMIT).unwrap();
        });
        for ended in ended {
            assert_eq!(end_of(&ended), RB_UNAVAILABLE);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_forked_child_calls_and_answers_nothing() {
    if !common::in_subprocess("a_forked_child_calls_and_answers_nothing") {
        return;
    }
    let (load, kept) = keeps();
    let plugin = load
        .service(
            "any",
            Encoding::Raw,
            |_: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
                // A fork from inside.
                child_process::Forked::start(|| {}).ends_well(LIMIT);
                Ok(Vec::new())
            },
        )
        .open()
        .unwrap();
    ask_of(&plugin, "leave_pending", "kept").unwrap();
    let later = Mutex::new(Some(kept.recv().unwrap()));
    // What the plugin was given, as a child's code may still have it.
    let context = plugin.handle() as *mut c_void;
    let table = SERVICES.lock().unwrap().unwrap();
    child_process::Forked::start(|| {
        let mut number = 0;
        let mut response = Response::empty();
        unsafe {
            let found =
                table.find.unwrap()(context, Text::new("any"), RB_ENCODING_RAW, &raw mut number);
            assert_eq!(found, RB_FAILED_PRECONDITION);
            let status =
                table.call.unwrap()(context, 1, ptr::null(), ptr::null(), 0, &raw mut response);
            assert_eq!(status, RB_FAILED_PRECONDITION);
            assert_eq!(table.cancel.unwrap()(context, 1), RB_FAILED_PRECONDITION);
        }
        let late = later.lock().unwrap().take().unwrap().answer(Ok(""));
        assert_eq!(late.unwrap_err().type_name(), "rustbridge.Forked");
        // What the child loads itself is its own.
        let Ok(plugin) = with("own", |_, _| Ok(Vec::new())).open() else {
            return;
        };
        ask_of(&plugin, "ask", "own").unwrap();
    })
    .ends_well(LIMIT);
    ask_of(&plugin, "ask", "any").unwrap();
    plugin.close(LIMIT).unwrap();
}

/// The table that the last instance got.
static SERVICES: Mutex<Option<ServiceHost>> = Mutex::new(None);
