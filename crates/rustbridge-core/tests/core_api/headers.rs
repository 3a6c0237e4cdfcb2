//! Headers from a plugin that's written against the ABI alone, as a host in Rust and a queue get them.
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "requests, responses and headers are locals that outlive the calls, everywhere here"
)]

use std::ffi::{CStr, c_char, c_void};
use std::future::Future as _;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;
use std::{ptr, slice, thread};

use rustbridge_abi::*;
use rustbridge_core::operations::{self, EventKind, Submission};
use rustbridge_core::{Encoding, Load, Plugin, handles};

const LONG: Duration = Duration::from_secs(30);

const DESCRIPTION: &str = r#"{"abi":"1.0","name":"headed","methods":[
    {"name":"plain","entries":[{"index":0,"encoding":"raw"}]},
    {"name":"now","entries":[{"index":1,"encoding":"raw","async":true}]},
    {"name":"later","entries":[{"index":2,"encoding":"raw","async":true}]},
    {"name":"items","entries":[{"index":3,"encoding":"raw","kind":"server_stream"}]},
    {"name":"fails","entries":[{"index":4,"encoding":"raw","async":true}]}
]}"#;

#[derive(Clone, Copy)]
struct Instance {
    calls: &'static CallHost,
    operations: &'static AsyncHost,
}

impl Instance {
    /// Says the request as headers, and how that went as a letter.
    fn say(self, op: Op, pairs: &[u8]) -> u8 {
        let headers = self.calls.headers.unwrap();
        match unsafe { headers(op, pairs.as_ptr(), pairs.len()) } {
            RB_OK => b'y',
            RB_FAILED_PRECONDITION => b'l',
            RB_INVALID_ARGUMENT => b'w',
            RB_RESOURCE_EXHAUSTED => b'm',
            RB_NOT_FOUND => b'n',
            _ => b'?',
        }
    }

    fn complete(self, op: Op, status: StatusCode, bytes: &[u8]) {
        let mut response = borrowed(bytes);
        unsafe { self.operations.complete.unwrap()(op, status, &mut response, ptr::null_mut()) };
    }
}

fn borrowed(bytes: &[u8]) -> Response {
    Response {
        data: bytes.as_ptr().cast_mut(),
        len: bytes.len(),
        ..Response::empty()
    }
}

unsafe extern "C" fn nothing(_: *mut Response) {}

unsafe fn answer(bytes: Vec<u8>, response: *mut Response) {
    unsafe {
        *response = borrowed(bytes.leak());
        (*response).release = Some(nothing);
    }
}

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    unsafe { answer(DESCRIPTION.as_bytes().to_vec(), response) };
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
    unsafe {
        let find = |name: &CStr| (*host).extension.unwrap()((*host).context, name.as_ptr());
        let made = Instance {
            calls: &*find(RB_EXTENSION_CALL).cast(),
            operations: &*find(RB_EXTENSION_ASYNC).cast(),
        };
        instance.write(Box::into_raw(Box::new(made)).cast());
    }
    RB_OK
}

unsafe extern "C" fn destroy(instance: *mut c_void, _: *mut Response) -> StatusCode {
    drop(unsafe { Box::from_raw(instance.cast::<Instance>()) });
    RB_OK
}

unsafe extern "C" fn call(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    len: usize,
    response: *mut Response,
) -> StatusCode {
    if entry != 0 {
        return RB_UNIMPLEMENTED;
    }
    unsafe {
        let instance = *instance.cast::<Instance>();
        let request = if len == 0 {
            &[]
        } else {
            slice::from_raw_parts(request, len)
        };
        let op = if header.is_null() { 0 } else { (*header).op };
        let said = vec![instance.say(op, request), instance.say(op, &[])];
        answer(said, response);
    }
    RB_OK
}

unsafe extern "C" fn start(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    len: usize,
    response: *mut Response,
    task: *mut *mut c_void,
) -> StatusCode {
    let (instance, op, request) = unsafe {
        let request = if len == 0 {
            Vec::new()
        } else {
            slice::from_raw_parts(request, len).to_vec()
        };
        (*instance.cast::<Instance>(), (*header).op, request)
    };
    match entry {
        0 => return RB_UNIMPLEMENTED,
        1 => {
            unsafe { answer(vec![instance.say(op, &request)], response) };
            return RB_OK;
        }
        _ => unsafe { task.write(ptr::null_mut()) },
    }
    let mut said = vec![instance.say(op, &request)];
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(1));
        said.push(instance.say(op, &request));
        if entry == 3 {
            let batch = Batch {
                data: b"item".as_ptr(),
                len: 4,
                count: 1,
                ..Batch::EMPTY
            };
            while unsafe { instance.operations.emit.unwrap()(op, &batch) } == RB_RESOURCE_EXHAUSTED
            {
                thread::sleep(Duration::from_millis(1));
            }
            said.push(instance.say(op, &request));
        }
        let status = if entry == 4 { RB_ABORTED } else { RB_OK };
        instance.complete(op, status, &said);
        // It may be another's by now, or nobody's, or its end not told yet.
        assert!(matches!(instance.say(op, &request), b'l' | b'n'));
    });
    RB_PENDING
}

unsafe extern "C" fn cancel(_: *mut c_void, _: StatusCode) {}

unsafe extern "C" fn demand(_: *mut c_void, _: u64, _: u64) {}

unsafe extern "C" fn release(_: *mut c_void) {}

unsafe extern "C" fn extension(_context: *mut c_void, name: *const c_char) -> *const c_void {
    static ASYNC: AsyncExtension = AsyncExtension {
        start: Some(start),
        cancel: Some(cancel),
        demand: Some(demand),
        release: Some(release),
        ..AsyncExtension::EMPTY
    };
    if unsafe { CStr::from_ptr(name) } == RB_EXTENSION_ASYNC {
        (&raw const ASYNC).cast()
    } else {
        ptr::null()
    }
}

unsafe extern "C" fn entry_point(_: u32) -> *const PluginTable {
    static TABLE: PluginTable = PluginTable {
        describe: Some(describe),
        create: Some(create),
        call: Some(call),
        destroy: Some(destroy),
        extension: Some(extension),
        ..PluginTable::EMPTY
    };
    &raw const TABLE
}

fn headed() -> Plugin {
    unsafe { Load::linked(entry_point, "headed") }
        .open()
        .unwrap()
}

fn pair(key: &str, value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in [1, key.len() as u32, value.len() as u32] {
        bytes.extend(number.to_ne_bytes());
    }
    bytes.extend(key.as_bytes());
    bytes.extend(value);
    bytes
}

fn found(headers: &rustbridge_core::Metadata) -> Vec<(&str, &[u8])> {
    headers.iter().collect()
}

#[test]
fn they_come_with_an_answer_to_who_takes_them() {
    let plugin = headed();
    for (name, times, said) in [("plain", 1, "yy"), ("now", 1, "y"), ("later", 2, "yy")] {
        let method = plugin.method(name, Encoding::Raw).unwrap();
        let request = pair("a", b"1");
        let answer = method.with().headers().call_async(&request).wait().unwrap();
        assert_eq!(&*answer.reply, said.as_bytes());
        assert_eq!(
            found(&answer.headers),
            vec![("a", &b"1"[..]); times],
            "{name}"
        );
        let none = method.with().call_async(&request).wait().unwrap();
        assert_eq!(
            (none.reply.len(), found(&none.headers).len()),
            (said.len(), 0)
        );
    }
    let plain = plugin.method("plain", Encoding::Raw).unwrap();
    let answer = plain.with().headers().call(&pair("a", b"1")).unwrap();
    assert_eq!(found(&answer.headers), [("a", &b"1"[..])]);
    assert!(answer.trailers.is_empty());
    // A call without a number has nothing that they could find.
    assert_eq!(
        &*plain.with().metadata("k", "v").call(b"").unwrap().reply,
        b"nn"
    );
}

#[test]
fn they_come_with_an_error() {
    let plugin = headed();
    let fails = plugin.method("fails", Encoding::Raw).unwrap();
    let error = fails
        .with()
        .headers()
        .call_async(&pair("a", b"1"))
        .wait()
        .unwrap_err();
    assert_eq!(found(error.headers()).len(), 2);
}

#[test]
fn they_come_before_the_first_item_and_not_after_it() {
    let plugin = headed();
    let items = plugin.method("items", Encoding::Raw).unwrap();
    let mut stream = items.with().headers().stream(&pair("a", b"1")).iterate();
    assert!(stream.headers().is_empty());
    assert_eq!(&*stream.next().unwrap().unwrap(), b"item");
    assert_eq!(found(stream.headers()).len(), 2);
    assert!(stream.next().is_none());
    assert_eq!(found(stream.headers()).len(), 2);
}

#[test]
fn what_is_no_metadata_or_too_much_is_refused_and_what_was_there_stays() {
    let plugin = headed();
    let later = plugin.method("later", Encoding::Raw).unwrap();
    let half = pair("half", &vec![0; RB_METADATA_LIMIT / 2]);
    let said = |request: &[u8]| {
        let answer = later.with().headers().call_async(request).wait().unwrap();
        (answer.reply.to_vec(), found(&answer.headers).len())
    };
    assert_eq!(said(&half), (b"ym".to_vec(), 1));
    assert_eq!(said(&pair("Key", b"")), (b"ww".to_vec(), 0));
    assert_eq!(said(&vec![0; RB_METADATA_LIMIT + 1]), (b"ww".to_vec(), 0));
    assert_eq!(said(b""), (b"yy".to_vec(), 0));
}

#[test]
fn a_queue_tells_of_them_first_and_of_none_to_who_did_not_ask() {
    let plugin = headed();
    let queue = operations::new_queue().unwrap();
    let method = plugin.method("items", Encoding::Raw).unwrap();
    for takes in [true, false] {
        let request = pair("a", b"1");
        let mut whole = ReplyHeaders::empty();
        let header = CallContext {
            flags: if takes { RB_CONTEXT_HEADERS } else { 0 },
            reply: (&raw mut whole).cast(),
            ..CallContext::EMPTY
        };
        let mut response = Response::empty();
        let mut submission = Submission::raw(
            plugin.handle(),
            method.entry(),
            request.as_ptr(),
            request.len(),
        );
        submission.header = &raw const header;
        submission.demand = (10, 1000);
        let (status, _) = unsafe { operations::submit(queue, submission, &mut response) };
        assert_eq!((status, whole.headers.len), (RB_PENDING, 0));
        let mut told = Vec::new();
        while told.last() != Some(&"done") {
            operations::next(
                queue,
                1,
                LONG,
                || usize::MAX,
                |event| {
                    told.push(match event.kind {
                        EventKind::Headers { headers } => {
                            check_metadata(headers.bytes()).unwrap();
                            assert_eq!(MetadataPairs::new(headers.bytes()).count(), 2);
                            "headers"
                        }
                        EventKind::Items { .. } => "items",
                        EventKind::Done { .. } => "done",
                        _ => "else",
                    });
                },
            )
            .unwrap();
        }
        let expected: &[_] = if takes {
            &["headers", "items", "done"]
        } else {
            &["items", "done"]
        };
        assert_eq!(told, expected);
    }
    operations::close_queue(queue).unwrap();
}

#[test]
fn a_header_that_takes_them_and_has_no_place_is_refused() {
    let plugin = headed();
    let method = plugin.method("plain", Encoding::Raw).unwrap();
    let call = |header: &CallContext| unsafe {
        let mut response = Response::empty();
        let op = ptr::null_mut();
        let status = handles::call_with(
            plugin.handle(),
            method.entry(),
            header,
            op,
            ptr::null(),
            0,
            &mut response,
        );
        handles::release(&mut response);
        status
    };
    let mut header = CallContext {
        flags: RB_CONTEXT_HEADERS,
        ..CallContext::EMPTY
    };
    assert_eq!(call(&header), RB_INVALID_ARGUMENT);
    let mut whole = ReplyHeaders::empty();
    whole.headers.capacity = 1;
    header.reply = (&raw mut whole).cast();
    assert_eq!(call(&header), RB_INVALID_ARGUMENT);
    whole.headers.capacity = 0;
    header.reply = (&raw mut whole).cast();
    assert_eq!(call(&header), RB_OK);
}

#[test]
fn an_operation_that_is_over_or_was_never_takes_none() {
    let plugin = headed();
    let plain = plugin.method("plain", Encoding::Raw).unwrap();
    plain.with().headers().call(b"").unwrap();
    let later = plugin.method("later", Encoding::Raw).unwrap();
    let mut pending = pin!(later.with().headers().call_async(b""));
    let mut context = Context::from_waker(Waker::noop());
    while pending.as_mut().poll(&mut context).is_pending() {
        thread::sleep(Duration::from_millis(1));
    }
    // What is said here says it of an operation that nobody has any more.
    assert_eq!(&*plain.call(b"").unwrap(), b"nn");
}
