//! What a call carries, as handlers see it, from hosts that say it well, badly, or not at all.

use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge::testing;
use rustbridge_abi::{
    CallContext, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_DEADLINE_EXCEEDED, Reply, Response, Text,
    check_metadata,
};
use serde_json::json;

use crate::host::Loaded;

const LONG: Duration = Duration::from_secs(20);

#[derive(Default)]
struct Carrier;

#[plugin(name = "carrier", export = false)]
impl Carrier {
    /// The keys of the metadata, and what else there is.
    pub fn seen(&self, call: &Call<'_>) -> (Vec<String>, bool, Option<String>) {
        let keys = call.metadata().iter().map(|(key, _)| key.to_owned());
        let trace = call.trace().map(|trace| trace.to_traceparent());
        (keys.collect(), call.time_left().is_some(), trace)
    }

    pub fn waits(&self, call: &Call<'_>) -> Result<()> {
        call.sleep(LONG)
    }

    pub fn appends(&self, call: &Call<'_>) -> Result<()> {
        call.trailers().append("a", "1")
    }

    pub fn appends_and_panics(&self, call: &Call<'_>) -> Result<()> {
        call.trailers().append("a", "1")?;
        panic!("on purpose")
    }
}

fn nothing() -> serde_json::Value {
    json!([[], false, null])
}

#[test]
fn a_header_that_is_null_or_shorter_than_any_says_nothing() {
    let carrier = Loaded::new::<Carrier>();
    assert_eq!(carrier.json("seen", "").json(), nothing());
    assert_eq!(carrier.json_with("seen", ptr::null(), "").json(), nothing());
    let mut short = CallContext {
        flags: RB_CONTEXT_TIMEOUT,
        timeout_ns: u64::MAX,
        ..CallContext::EMPTY
    };
    assert_eq!(
        carrier.json_with("seen", &raw const short, "").json()[1],
        true
    );
    for size in [0, 4, 111] {
        short.size = size;
        assert_eq!(
            carrier.json_with("seen", &raw const short, "").json(),
            nothing()
        );
    }
}

#[test]
fn metadata_that_is_cut_off_is_read_as_far_as_it_goes() {
    let carrier = Loaded::new::<Carrier>();
    let mut metadata = Vec::new();
    for number in [3_u32, 1, 0] {
        metadata.extend(number.to_ne_bytes());
    }
    metadata.push(b'a');
    for number in [1_u32, 0] {
        metadata.extend(number.to_ne_bytes());
    }
    metadata.push(b'B');
    for number in [1_u32, u32::MAX] {
        metadata.extend(number.to_ne_bytes());
    }
    metadata.push(b'c');
    for len in 0..=metadata.len() {
        // Of its own, so that a checker sees what is read beyond.
        let part = metadata[..len].to_vec();
        let header = CallContext {
            metadata: part.as_ptr(),
            metadata_len: part.len(),
            ..CallContext::EMPTY
        };
        let keys = carrier.json_with("seen", &raw const header, "").json()[0].clone();
        assert_eq!(keys, if len < 13 { json!([]) } else { json!(["a"]) });
    }
}

#[test]
fn a_trace_arrives_and_a_state_that_is_no_text_is_left_out() {
    let carrier = Loaded::new::<Carrier>();
    let header = CallContext {
        flags: RB_CONTEXT_TRACE,
        trace_id: [0xab; 16],
        span_id: [1; 8],
        trace_flags: 1,
        trace_state: Text {
            data: [0xff_u8].as_ptr().cast(),
            len: 1,
        },
        ..CallContext::EMPTY
    };
    let trace = carrier.json_with("seen", &raw const header, "").json()[2].clone();
    assert_eq!(
        trace,
        format!("00-{}-{}-01", "ab".repeat(16), "01".repeat(8))
    );
}

#[test]
fn waiting_ends_at_the_deadline_and_when_a_host_sets_the_flag_that_cannot_tell() {
    let carrier = Loaded::new::<Carrier>();
    let mut header = CallContext {
        flags: RB_CONTEXT_TIMEOUT,
        timeout_ns: 1_000_000,
        ..CallContext::EMPTY
    };
    let answer = carrier.json_with("waits", &raw const header, "");
    assert_eq!(answer.json()["type"], "rustbridge.DeadlineExceeded");

    let flag = AtomicU32::new(0);
    header.flags = 0;
    header.op = 7;
    header.cancelled = flag.as_ptr();
    let answer = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(5));
            flag.store(1, Ordering::Relaxed);
        });
        carrier.json_with("waits", &raw const header, "")
    });
    assert_eq!(answer.json()["type"], "rustbridge.Cancelled");
    // The flag says with which status.
    flag.store(RB_DEADLINE_EXCEEDED.unsigned_abs(), Ordering::Relaxed);
    let answer = carrier.json_with("waits", &raw const header, "");
    assert_eq!(answer.status, Status::DeadlineExceeded);
}

#[test]
fn trailers_go_where_there_is_a_place_and_a_panic_has_none() {
    let carrier = Loaded::new::<Carrier>();
    assert_eq!(carrier.json("appends", "").status, Status::Ok);
    let nowhere = CallContext::EMPTY;
    assert_eq!(
        carrier.json_with("appends", &raw const nowhere, "").status,
        Status::Ok
    );
    for (method, room, len) in [
        ("appends", 64, 14),
        ("appends", 0, 14),
        ("appends_and_panics", 64, 0),
    ] {
        let mut storage = vec![0_u8; room];
        let mut reply = Reply::empty();
        reply.trailers = Response::with_buffer(storage.as_mut_ptr(), room);
        let header = CallContext {
            reply: &raw mut reply,
            ..CallContext::EMPTY
        };
        let answer = carrier.json_with(method, &raw const header, "");
        assert_eq!(answer.panicked, method == "appends_and_panics");
        let trailers = &mut reply.trailers;
        assert_eq!(trailers.len, len);
        assert_eq!(trailers.release.is_some(), len > room);
        if len > 0 {
            // SAFETY: the plugin says that there are so many.
            let bytes = unsafe { std::slice::from_raw_parts(trailers.data, trailers.len) };
            assert_eq!(check_metadata(bytes), Ok(()));
        }
        if let Some(release) = trailers.release {
            // SAFETY: once, with the struct itself.
            unsafe { release(&raw mut *trailers) };
        }
    }
}

#[test]
fn a_tokens_calls_are_woken_where_they_wait() {
    let token = testing::Token::new();
    thread::scope(|scope| {
        for _ in 0..4 {
            let call = testing::call().cancelled_by(&token).build();
            scope.spawn(move || {
                let error = Carrier.waits(&call).unwrap_err();
                assert_eq!(error.status(), Status::Cancelled);
            });
        }
        thread::sleep(Duration::from_millis(5));
        token.cancel();
    });
    let late = testing::call().cancelled_by(&token).build();
    assert!(late.is_cancelled() && late.check().is_err());
}

#[test]
fn a_call_that_nobody_cancels_sleeps_as_long_as_it_says() {
    let call = testing::call().method("waits").deadline(LONG).build();
    assert!(call.sleep(Duration::from_millis(2)).is_ok());
    assert!(Call::detached().sleep(Duration::from_millis(2)).is_ok());
    assert_eq!(call.method(), "waits");
    assert!(call.time_left() <= Some(LONG));
    assert!(Call::detached().trailers().append("Not A Key", "").is_err());
}

#[cfg(feature = "async")]
#[test]
fn a_cancellation_can_be_awaited() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let token = testing::Token::new();
    let call = testing::call().cancelled_by(&token).build();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(5));
            token.cancel();
        });
        runtime.block_on(call.cancelled());
    });
    // And once it is.
    runtime.block_on(call.cancelled());
}
