//! What a call carries, from a host through the core to a handler, and what comes back.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustbridge::prelude::*;
use rustbridge_abi::{
    CallContext, RB_CANCELLED, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_INVALID_ARGUMENT, RB_OK,
    Reply, Response,
};
use rustbridge_core::{
    CallOptions, Load, Method, Plugin as Loaded, Record, Trace, handles, operations,
};

const LONG: Duration = Duration::from_secs(20);

#[derive(Default)]
struct Carrier;

#[derive(Message, Debug, PartialEq)]
struct Seen {
    has_deadline: bool,
    metadata: Vec<(String, String)>,
    trace: Option<String>,
    state: String,
}

struct Dropped<'a>(&'a Call<'a>);

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        let _ = self.0.trailers().append("dropped", "yes");
    }
}

#[plugin(name = "carrier", export = false)]
impl Carrier {
    pub fn seen(&self, call: &Call<'_>) -> Result<Seen> {
        for (key, value) in call.metadata().iter() {
            call.trailers().append(key, value)?;
        }
        Ok(Seen {
            has_deadline: call.deadline().is_some(),
            metadata: call
                .metadata()
                .iter()
                .map(|(key, value)| (key.to_owned(), String::from_utf8_lossy(value).into_owned()))
                .collect(),
            trace: call.trace().map(|trace| trace.to_traceparent()),
            state: call.trace().map_or("", |trace| trace.state()).to_owned(),
        })
    }

    pub fn fails(&self, call: &Call<'_>) -> Result<()> {
        call.trailers().append("retry-after", "3")?;
        call.trailers()
            .append("Bad Key", "")
            .map_err(|error| Error::new(Status::Aborted, error.message().to_owned()))
    }

    pub fn waits(&self, call: &Call<'_>) -> Result<()> {
        call.sleep(LONG)
    }

    pub async fn never(&self, call: &Call<'_>) {
        let _dropped = Dropped(call);
        std::future::pending::<()>().await;
    }

    pub async fn tidies_up(&self, call: &Call<'_>) -> String {
        call.cancelled().await;
        "tidied up".to_owned()
    }

    pub fn ignores(&self, request: String) -> String {
        request
    }

    /// Logs in spans and outside, by both crates.
    pub fn logs(&self) {
        info!("outside");
        tracing::info_span!("outer").in_scope(|| {
            tracing::info_span!("inner", number = 1).in_scope(|| {
                info!("inside");
                log::warn!("by log, {}", 7);
            });
        });
        log::debug!("not wanted");
    }

    pub fn many_trailers(&self, call: &Call<'_>) -> Result<()> {
        let value = vec![b'x'; 40_000];
        call.trailers().append("first", &value)?;
        call.trailers().append("second", &value)
    }
}

fn carrier() -> Loaded {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    unsafe { Load::linked(rustbridge::entry_point::<Carrier>(), "carrier") }
        .open()
        .unwrap()
}

fn method(plugin: &Loaded, name: &str) -> Method {
    plugin.method(name, Encoding::Json).unwrap()
}

fn seen(reply: &[u8]) -> Seen {
    serde_json::from_slice(reply).unwrap()
}

#[test]
fn metadata_time_and_trace_reach_the_handler_and_trailers_the_host() {
    let plugin = carrier();
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let trace = Trace {
        state: "vendor=1".to_owned(),
        ..Trace::parse(parent).unwrap()
    };
    let answer = method(&plugin, "seen")
        .with()
        .timeout(LONG)
        .metadata("user", "ada")
        .metadata("blob-bin", [0xff, 0])
        .metadata("user", "grace")
        .trace(trace)
        .call(b"")
        .unwrap();
    let seen = seen(&answer.reply);
    assert!(seen.has_deadline);
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(
        seen.metadata,
        [
            pair("user", "ada"),
            pair("blob-bin", "\u{fffd}\0"),
            pair("user", "grace")
        ]
    );
    assert_eq!(
        (seen.trace.as_deref(), &*seen.state),
        (Some(parent), "vendor=1")
    );
    let trailers: Vec<_> = answer.trailers.iter().collect();
    assert_eq!(
        trailers,
        [
            ("user", &b"ada"[..]),
            ("blob-bin", &[0xff, 0]),
            ("user", b"grace")
        ]
    );
    assert_eq!(answer.trailers.get_text("user"), Some("ada"));
}

#[test]
fn a_call_that_says_nothing_carries_nothing() {
    let plugin = carrier();
    let nothing = Seen {
        has_deadline: false,
        metadata: Vec::new(),
        trace: None,
        state: String::new(),
    };
    let seen_method = method(&plugin, "seen");
    assert_eq!(seen(&seen_method.call(b"").unwrap()), nothing);
    let answer = seen_method.with().call(b"").unwrap();
    assert_eq!(seen(&answer.reply), nothing);
    assert!(answer.trailers.is_empty());
    let options = CallOptions::new().metadata("a", "b").timeout(LONG);
    let ignores = method(&plugin, "ignores").with().options(options);
    assert_eq!(&*ignores.call(br#""x""#).unwrap().reply, br#""x""#);
}

#[test]
fn trailers_come_with_an_error_and_are_limited() {
    let plugin = carrier();
    let error = method(&plugin, "fails").with().call(b"").unwrap_err();
    assert_eq!(error.status(), Status::Aborted);
    assert!(error.message().contains("Bad Key"), "{error}");
    assert_eq!(error.trailers().get_text("retry-after"), Some("3"));
    let error = method(&plugin, "many_trailers")
        .with()
        .call(b"")
        .unwrap_err();
    assert_eq!(error.status(), Status::ResourceExhausted);
    assert_eq!(error.trailers().get("first").unwrap().len(), 40_000);
    assert_eq!(error.trailers().get("second"), None);
}

#[test]
fn what_cannot_be_metadata_is_refused() {
    let plugin = carrier();
    let seen = method(&plugin, "seen");
    for key in ["", "Key", "a b", "\u{e4}"] {
        let error = seen.with().metadata(key, "").call(b"").unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.InvalidContext", "{key}");
    }
    let error = seen
        .with()
        .metadata("a", vec![0; 65536])
        .call(b"")
        .unwrap_err();
    assert!(error.message().contains("65536"), "{error}");
    let error = seen.with().trace(Trace::default()).call(b"").unwrap_err();
    assert!(error.message().contains("all zero"), "{error}");
}

#[test]
fn a_plain_handler_that_waits_ends_at_the_deadline() {
    let plugin = carrier();
    let waits = method(&plugin, "waits");
    let began = Instant::now();
    let error = waits
        .with()
        .timeout(Duration::from_millis(20))
        .call(b"")
        .unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.DeadlineExceeded");
    assert!(began.elapsed() < LONG);
    let error = waits.with().timeout(Duration::ZERO).call(b"").unwrap_err();
    assert!(
        error.message().contains("before the call started"),
        "{error}"
    );
}

#[test]
fn an_async_handlers_future_is_dropped_at_the_deadline() {
    let plugin = carrier();
    let never = method(&plugin, "never");
    let error = never
        .with()
        .timeout(Duration::from_millis(20))
        .call(b"")
        .unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
    assert_eq!(error.trailers().get_text("dropped"), Some("yes"));
}

/// What a call comes to that's cancelled once it has begun.
fn cancelled(plugin: &Loaded, name: &str) -> (i32, String) {
    let entry = method(plugin, name).entry();
    let handle = plugin.handle();
    let op = AtomicU64::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            while op.load(Ordering::Acquire) == 0 {
                thread::yield_now();
            }
            operations::cancel(op.load(Ordering::Acquire)).unwrap();
        });
        let mut response = Response::empty();
        // SAFETY: everything is good for the call, and the response is released once.
        unsafe {
            let status = handles::call_with(
                handle,
                entry,
                std::ptr::null(),
                op.as_ptr(),
                std::ptr::null(),
                0,
                &raw mut response,
            );
            let bytes = std::slice::from_raw_parts(response.data, response.len).to_vec();
            handles::release(&raw mut response);
            (status, String::from_utf8(bytes).unwrap())
        }
    })
}

#[test]
fn a_call_is_cancelled_by_its_number_wherever_it_waits() {
    let plugin = carrier();
    for _ in 0..50 {
        for name in ["waits", "never"] {
            let (status, payload) = cancelled(&plugin, name);
            assert_eq!(status, RB_CANCELLED, "{payload}");
            assert!(payload.contains("rustbridge.Cancelled"), "{payload}");
        }
        assert_eq!(
            cancelled(&plugin, "tidies_up"),
            (RB_OK, r#""tidied up""#.to_owned())
        );
    }
}

/// A call with this header as it is.
fn with_header(plugin: &Loaded, header: *const CallContext) -> (i32, String) {
    let entry = method(plugin, "seen").entry();
    let mut response = Response::empty();
    // SAFETY: each header is as long as it says, and the response is released once.
    unsafe {
        let status = handles::call_with(
            plugin.handle(),
            entry,
            header,
            std::ptr::null_mut(),
            std::ptr::null(),
            0,
            &raw mut response,
        );
        let bytes = std::slice::from_raw_parts(response.data, response.len).to_vec();
        handles::release(&raw mut response);
        (status, String::from_utf8(bytes).unwrap())
    }
}

#[test]
fn headers_of_other_versions_are_read_and_those_of_none_refused() {
    #[repr(C)]
    struct Later {
        header: CallContext,
        more: [u64; 4],
    }
    let plugin = carrier();
    let long = CallContext {
        flags: RB_CONTEXT_TIMEOUT,
        timeout_ns: u64::MAX,
        ..CallContext::EMPTY
    };
    let later = Later {
        header: CallContext {
            size: size_of::<Later>() as u32,
            ..long
        },
        more: [u64::MAX; 4],
    };
    let (status, said) = with_header(&plugin, &raw const later.header);
    assert_eq!(status, RB_OK, "{said}");
    for (change, expected) in [
        (
            (|header| header.size = 64) as fn(&mut CallContext),
            "the call context's size is 64",
        ),
        (|header| header.flags |= 1 << 7, "flags are 0x81"),
        (|header| header.metadata_len = 8, "metadata has 8 bytes at"),
        (|header| header.object_count = 1, "`objects` is null"),
        (
            |header| {
                header.flags |= RB_CONTEXT_TRACE;
                header.trace_id = [1; 16];
            },
            "all zero",
        ),
        (
            |header| {
                header.flags |= RB_CONTEXT_TRACE;
                header.trace_id = [1; 16];
                header.span_id = [1; 8];
                header.trace_flags = 0x100;
            },
            "8 bits",
        ),
        (
            |header| header.reply = std::ptr::without_provenance_mut(4),
            "aligned",
        ),
    ] {
        let mut header = long;
        change(&mut header);
        let (status, said) = with_header(&plugin, &raw const header);
        assert_eq!(status, RB_INVALID_ARGUMENT, "{said}");
        assert!(said.contains(expected), "{said}");
    }
    let misaligned = (&raw const long).wrapping_byte_add(4);
    assert!(with_header(&plugin, misaligned).1.contains("aligned to 8"));
    let objects = [7_u64];
    let header = CallContext {
        objects: objects.as_ptr(),
        object_count: 1,
        ..long
    };
    let (_, said) = with_header(&plugin, &raw const header);
    assert!(said.contains("object 0 of the call"), "{said}");
}

#[test]
fn trailers_go_into_storage_where_they_fit() {
    let plugin = carrier();
    let entry = method(&plugin, "fails").entry();
    for room in [0, 4, 64] {
        let mut storage = [0_u8; 64];
        let mut reply = Reply::empty();
        reply.trailers = Response::with_buffer(storage.as_mut_ptr(), room);
        // Left over from whatever it was used for.
        reply.objects.len = 9;
        let header = CallContext {
            reply: &raw mut reply,
            ..CallContext::EMPTY
        };
        let mut response = Response::empty();
        // SAFETY: everything is good for the call, and each part is released once.
        unsafe {
            let _ = handles::call_with(
                plugin.handle(),
                entry,
                &raw const header,
                std::ptr::null_mut(),
                std::ptr::null(),
                0,
                &raw mut response,
            );
            handles::release(&raw mut response);
            let trailers = &reply.trailers;
            let bytes = std::slice::from_raw_parts(trailers.data, trailers.len);
            assert_eq!(bytes.len(), 4 + 8 + "retry-after3".len());
            assert!(bytes.ends_with(b"retry-after3"));
            assert_eq!(trailers.release.is_none(), room == 64);
            assert_eq!(reply.objects.len, 0);
            handles::release(&raw mut reply.trailers);
        }
    }
}

static INNER: AtomicU64 = AtomicU64::new(0);

#[derive(Default)]
struct Outer;

#[plugin(name = "outer", export = false)]
impl Outer {
    /// Calls what the request says the address of is.
    pub fn calls(&self, call: &Call<'_>) -> bool {
        // SAFETY: the test put it there, and waits for this.
        let inner = unsafe { &*(INNER.load(Ordering::Relaxed) as *const c_void).cast::<Method>() };
        let seen = seen(&inner.with().timeout(LONG * 100).call(b"").unwrap().reply);
        seen.has_deadline && seen.trace == call.trace().map(|trace| trace.to_traceparent())
    }
}

#[test]
fn a_call_inside_another_is_part_of_its_trace() {
    let plugin = carrier();
    let inner = method(&plugin, "seen");
    INNER.store((&raw const inner) as u64, Ordering::Relaxed);
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let outer = unsafe { Load::linked(rustbridge::entry_point::<Outer>(), "outer") }
        .open()
        .unwrap();
    let trace = Trace::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00");
    let calls = method(&outer, "calls").with().trace(trace.unwrap());
    assert_eq!(&*calls.call(b"").unwrap().reply, b"true");
}

/// What is kept of a record: kind, level and message, its spans, and its place in the trace.
type Kept = (String, String, [Option<String>; 3]);

/// The records of one call of `logs`.
fn logged(trace: Option<&str>) -> Vec<Kept> {
    let records = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&records);
    let keep = move |record: &Record<'_>| {
        let hex = |id: &[u8]| id.iter().map(|byte| format!("{byte:02x}")).collect();
        sink.lock().unwrap().push((
            format!(
                "{:?} {} {}",
                record.kind(),
                record.level(),
                record.message()
            ),
            record.spans().to_owned(),
            [
                record.trace_id().map(|id| hex(&id)),
                record.span_id().map(|id| hex(&id)),
                record.parent_span_id().map(|id| hex(&id)),
            ],
        ));
    };
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(rustbridge::entry_point::<Carrier>(), "carrier") }
        .log(Level::Info, Box::new(keep))
        .open()
        .unwrap();
    let logs = method(&plugin, "logs").with();
    match trace {
        None => logs.call(b"").unwrap(),
        Some(parent) => logs.trace(Trace::parse(parent).unwrap()).call(b"").unwrap(),
    };
    plugin.close(LONG).unwrap();
    let records = records.lock().unwrap();
    records.clone()
}

const ORDER: [&str; 5] = [
    "Event INFO outside",
    "Event INFO inside",
    "Event WARN by log, 7",
    "Span INFO inner",
    "Span INFO outer",
];

#[test]
fn spans_continue_the_callers_trace_and_records_say_where_they_are_in_it() {
    let id = "0af7651916cd43dd8448eb211c80319c";
    let caller = "b7ad6b7169203331";
    let records = logged(Some(&format!("00-{id}-{caller}-01")));
    let said: Vec<_> = records.iter().map(|(said, ..)| said.as_str()).collect();
    assert_eq!(said, ORDER);
    let [outside, inside, by_log, inner, outer] = &records[..] else {
        panic!("{records:?}");
    };
    for (_, _, [trace, ..]) in &records {
        assert_eq!(trace.as_deref(), Some(id));
    }
    let place = |record: &Kept| (record.2[1].clone(), record.2[2].clone());
    assert_eq!(place(outside), (Some(caller.to_owned()), None));
    let (outer_span, outer_parent) = place(outer);
    assert_eq!(outer_parent.as_deref(), Some(caller));
    let (inner_span, inner_parent) = place(inner);
    assert_eq!(inner_parent, outer_span);
    assert!(inner_span != outer_span && inner_span.is_some());
    assert_eq!(place(inside), (inner_span.clone(), None));
    assert_eq!(place(by_log), (inner_span, None));
    assert_eq!(by_log.1, inside.1);
    assert!(by_log.1.contains(r#""name":"inner""#), "{}", by_log.1);
}

#[test]
fn spans_of_a_trace_that_nobody_keeps_are_the_callers_and_others_have_none() {
    let caller = "b7ad6b7169203331";
    for (_, _, [trace, span, parent]) in logged(Some(
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
    )) {
        assert!(trace.is_some() && parent.is_none());
        assert_eq!(span.as_deref(), Some(caller));
    }
    let records = logged(None);
    assert_eq!(records.len(), ORDER.len());
    for (_, _, place) in records {
        assert_eq!(place, [None, None, None]);
    }
}
