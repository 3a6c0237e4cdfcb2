//! A plugin driven through its table.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use rustbridge::prelude::*;
use rustbridge_abi::{ABI_VERSION, PluginTable, Response};
use serde_json::json;

use crate::host::{self, Loaded, Options, answer, table};

#[derive(Message)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(default)]
    start: u64,
    /// Makes `create` fail or panic.
    #[serde(default)]
    fail: Option<String>,
    #[serde(default)]
    fail_to_drop: bool,
}

#[derive(Message)]
struct Text<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Message, Pod, Debug, PartialEq)]
#[repr(C)]
struct Pair {
    a: u32,
    b: u32,
}

#[derive(Debug, thiserror::Error, StatusError)]
enum CounterError {
    #[error("{found} is not what was expected")]
    #[status(ABORTED)]
    Unexpected {
        found: u32,
        #[status(skip)]
        _secret: u32,
    },
    #[error("reading failed")]
    #[status(DATA_LOSS)]
    Reading(#[from] std::io::Error),
}

struct Counter {
    count: AtomicU64,
    fail_to_drop: bool,
    name: String,
}

impl Drop for Counter {
    fn drop(&mut self) {
        assert!(!self.fail_to_drop, "the destructor fails on purpose");
    }
}

/// Counts.
///
/// And a second paragraph.
#[plugin(name = "counter", version = "1.2.3", export = false)]
impl Counter {
    pub fn create(config: Config, host: Host) -> Result<Self> {
        match config.fail.as_deref() {
            Some("panic") => panic!("create fails on purpose"),
            Some(why) => Err(Error::new(Status::FailedPrecondition, why.to_owned())),
            None => Ok(Counter {
                count: AtomicU64::new(config.start),
                fail_to_drop: config.fail_to_drop,
                name: host.instance_name().to_owned(),
            }),
        }
    }

    /// Counts one up.
    #[method(id = 7)]
    pub fn next(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed)
    }

    pub fn nothing(&self) {}

    pub fn name(&self) -> &str {
        &self.name
    }

    #[method(name = "text.same")]
    pub fn same<'r>(&self, request: Text<'r>) -> Text<'r> {
        request
    }

    #[method(name = "pair.swap", leaf)]
    pub fn swap(&self, request: &Pair) -> Pair {
        Pair {
            a: request.b,
            b: request.a,
        }
    }

    #[method(name = "pair.swap_owned")]
    pub fn swap_owned(&self, request: Pair) -> Pair {
        self.swap(&request)
    }

    pub fn fail(&self, request: u32) -> Result<(), CounterError> {
        if request == 0 {
            return Err(std::io::Error::other("the disk is gone").into());
        }
        Err(CounterError::Unexpected {
            found: request,
            _secret: 1,
        })
    }

    pub fn boom(&self, request: &str) -> String {
        panic!("boom: {request}")
    }

    pub fn reverse(&self, request: &[u8]) -> Vec<u8> {
        request.iter().rev().copied().collect()
    }

    pub fn upper(&self, request: &str) -> String {
        request.to_uppercase()
    }

    /// Text without a request is JSON, unless it says that it's raw.
    #[method(encodings(raw))]
    pub fn motto(&self) -> &'static str {
        "say what you mean"
    }

    #[method(encodings(raw, json))]
    pub fn anthem(&self) -> String {
        "la".to_owned()
    }

    /// Whether the host has a capability of that name.
    pub fn host_offers(&self, request: &str, call: &Call) -> String {
        let name = std::ffi::CString::new(request).unwrap();
        (!call.host().extension(&name).is_null()).to_string()
    }

    pub fn shared(&self) -> Bytes {
        Bytes::from_static(b"shared bytes")
    }

    pub fn whoami(&self, request: &str, call: &Call) -> String {
        format!(
            "{request} {} {} {} {:?}",
            call.method(),
            call.encoding(),
            call.host().instance_name(),
            call.host().plugin_path()
        )
    }

    #[method(skip)]
    pub fn not_a_method(&self, any: &dyn std::any::Any) -> bool {
        any.is::<Counter>()
    }
}

#[test]
fn the_table_is_complete_and_of_this_version() {
    let table = table::<Counter>();
    assert_eq!(table.size as usize, size_of::<PluginTable>());
    assert_eq!(table.abi_version, ABI_VERSION);
    assert!(table.describe.is_some() && table.create.is_some() && table.call.is_some());
    assert!(table.destroy.is_some() && table.extension.is_some());
}

#[test]
fn the_description_says_what_the_source_says() {
    let counter = Loaded::new::<Counter>();
    let description = counter.description();
    assert_eq!(description["name"], "counter");
    assert_eq!(description["version"], "1.2.3");
    assert_eq!(description["abi"], "1.0");
    // The profile of the tests.
    assert_eq!(description["debug"] == true, cfg!(debug_assertions));
    assert_eq!(
        description["description"],
        "Counts.\n\nAnd a second paragraph."
    );
    assert_eq!(
        description["config"]["properties"]["fail"]["description"],
        "Makes `create` fail or panic."
    );
    let next = &description["methods"][0];
    assert_eq!(
        (&next["name"], &next["id"], &next["doc"]),
        (&json!("next"), &json!(7), &json!("Counts one up."))
    );
    assert_eq!(
        counter.described("pair.swap", Encoding::Pod).unwrap()["request"]["layout"],
        json!({"type": "Pair", "size": 8, "align": 4, "fields": [
            {"name": "a", "type": "u32", "offset": 0, "size": 4},
            {"name": "b", "type": "u32", "offset": 4, "size": 4},
        ]})
    );
    let json = counter.described("pair.swap", Encoding::Json).unwrap();
    assert_eq!(json["leaf"], true);
    assert_eq!(json["async"], false);
    assert_eq!(
        json["request"]["schema"]["properties"]["a"]["type"],
        "integer"
    );
    assert_eq!(json["request"]["schema"]["title"], "Pair");
    assert_eq!(
        counter.described("reverse", Encoding::Raw).unwrap()["request"],
        json!({"type": "bytes"})
    );
    assert!(counter.described("reverse", Encoding::Json).is_none());
    assert!(counter.described("not_a_method", Encoding::Json).is_none());
}

#[test]
fn every_kind_of_handler_answers() {
    let counter = Loaded::with::<Counter>(&Options {
        config: r#"{"start": 41}"#,
        ..Options::default()
    });
    assert_eq!(counter.json("next", "").json(), 41);
    assert_eq!(counter.json("next", "{}").json(), 42);
    assert_eq!(counter.json("nothing", "null").text(), "null");
    assert_eq!(counter.json("name", "").json(), "under test");
    assert_eq!(
        counter.json("text.same", r#"{"text":"plain"}"#).text(),
        r#"{"text":"plain"}"#
    );
    assert_eq!(
        counter
            .json("text.same", r#"{"text":"a\n\u00fc\"b"}"#)
            .text(),
        r#"{"text":"a\nü\"b"}"#
    );
    assert_eq!(
        counter.json("pair.swap", r#"{"a":1,"b":2}"#).json(),
        json!({"a": 2, "b": 1})
    );
    assert_eq!(
        counter
            .call("reverse", Encoding::Raw, b"\x00\xff\x80")
            .bytes,
        b"\x80\xff\x00"
    );
    assert_eq!(
        counter
            .call("upper", Encoding::Raw, "grün".as_bytes())
            .text(),
        "GRÜN"
    );
    assert_eq!(
        counter.call("motto", Encoding::Raw, b"").text(),
        "say what you mean"
    );
    assert!(counter.described("motto", Encoding::Json).is_none());
    assert_eq!(counter.call("anthem", Encoding::Raw, b"").text(), "la");
    assert_eq!(counter.json("anthem", "").text(), "\"la\"");
    assert_eq!(
        counter.call("shared", Encoding::Raw, b"").text(),
        "shared bytes"
    );
    assert_eq!(
        counter.call("whoami", Encoding::Raw, b"I").text(),
        r#"I whoami raw under test Some("/plugins/libcounter.so")"#
    );
}

#[test]
fn a_pod_is_right_at_every_alignment() {
    let counter = Loaded::new::<Counter>();
    for method in ["pair.swap", "pair.swap_owned"] {
        for offset in 0..8 {
            let mut storage = [0_u64; 4];
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut storage);
            bytes[offset..offset + 8].copy_from_slice(bytemuck::bytes_of(&[1_u32, 2]));
            let answer = counter.call(method, Encoding::Pod, &bytes[offset..offset + 8]);
            assert_eq!(
                (answer.status, answer.bytes.as_slice()),
                (Status::Ok, bytemuck::bytes_of(&[2_u32, 1]))
            );
        }
    }
}

#[test]
fn a_response_larger_than_the_storage_is_handed_over() {
    let counter = Loaded::new::<Counter>();
    for (method, request, expected) in [
        ("reverse", &b"abcdefgh"[..], &b"hgfedcba"[..]),
        ("shared", b"", b"shared bytes"),
    ] {
        for capacity in [0, 1, 7, 8, 12, 64] {
            let answer =
                counter.call_entry(counter.entry(method, Encoding::Raw), request, capacity);
            assert_eq!(
                (answer.status, answer.bytes.as_slice()),
                (Status::Ok, expected)
            );
            assert_eq!(answer.handed_over, capacity < expected.len());
        }
    }
    let answer = counter.call_entry(
        counter.entry("pair.swap", Encoding::Pod),
        bytemuck::bytes_of(&[1_u32, 2]),
        7,
    );
    assert!(answer.handed_over);
    assert_eq!(answer.bytes, bytemuck::bytes_of(&[2_u32, 1]));
}

#[test]
fn a_request_that_does_not_parse_is_refused() {
    let counter = Loaded::new::<Counter>();
    for (method, encoding, request) in [
        ("pair.swap", Encoding::Json, &b"{"[..]),
        ("pair.swap", Encoding::Json, b""),
        ("pair.swap", Encoding::Json, br#"{"a":1,"b":-2}"#),
        ("pair.swap", Encoding::Json, b"{\"a\":1,\"b\":2} x"),
        ("text.same", Encoding::Json, b"{\"text\":\"\xff\"}"),
        ("next", Encoding::Json, b"nul"),
        ("pair.swap", Encoding::Pod, b"1234567"),
        ("pair.swap", Encoding::Pod, b"123456789"),
        ("pair.swap", Encoding::Pod, b""),
        ("nothing", Encoding::Pod, b"x"),
        ("upper", Encoding::Raw, b"\xc3"),
        ("shared", Encoding::Raw, b"x"),
    ] {
        let answer = counter.call(method, encoding, request);
        assert_eq!(
            answer.status,
            Status::InvalidArgument,
            "{method} {encoding} {request:?}"
        );
        let payload = answer.json();
        assert_eq!(payload["code"], "INVALID_ARGUMENT");
        assert_eq!(payload["type"], "rustbridge.InvalidRequest");
    }
    let deep = "[".repeat(100_000);
    assert_eq!(
        counter.json("text.same", &deep).status,
        Status::InvalidArgument
    );
    assert_eq!(counter.json("next", &deep).status, Status::InvalidArgument);
}

#[test]
fn an_entry_that_is_not_there_is_not_found() {
    let counter = Loaded::new::<Counter>();
    let hole = counter.entry("reverse", Encoding::Raw) - 1;
    for entry in [hole, 6 * 100, 0x7fff, u32::MAX] {
        let answer = counter.call_entry(entry, b"", 256);
        assert_eq!(answer.status, Status::NotFound);
        assert_eq!(answer.json()["type"], "rustbridge.UnknownEntry");
    }
}

#[test]
fn a_typed_error_keeps_its_name_status_and_fields() {
    let counter = Loaded::new::<Counter>();
    let answer = counter.json("fail", "5");
    assert_eq!(answer.status, Status::Aborted);
    assert_eq!(
        answer.text(),
        r#"{"code":"ABORTED","message":"5 is not what was expected","type":"CounterError.Unexpected","details":{"found":5}}"#
    );
    let answer = counter.json("fail", "0");
    assert_eq!(answer.json()["details"], json!({"0": "the disk is gone"}));
}

#[test]
fn a_panic_is_a_response_with_its_place() {
    let counter = Loaded::new::<Counter>();
    let answer = counter.call("boom", Encoding::Raw, b"now");
    assert_eq!((answer.status, answer.panicked), (Status::Internal, true));
    let payload = answer.json();
    assert_eq!(
        (&payload["type"], &payload["message"]),
        (&json!("panic"), &json!("boom: now"))
    );
    assert!(
        payload["details"]["file"]
            .as_str()
            .unwrap()
            .ends_with("table.rs")
    );
    assert!(
        payload["details"]["line"].as_u64().unwrap() > 0
            && payload["details"]["column"].as_u64().unwrap() > 0
    );
    assert!(payload.get("backtrace").is_none());
    assert_eq!(counter.json("next", "").status, Status::Ok);
}

#[test]
fn a_backtrace_comes_when_the_host_asks_for_it() {
    let counter = Loaded::with::<Counter>(&Options {
        flags: 1,
        ..Options::default()
    });
    let payload = counter.call("boom", Encoding::Raw, b"now").json();
    assert!(payload["backtrace"].as_str().unwrap().contains("boom"));
}

#[test]
fn a_create_that_fails_says_why() {
    let refused = |config| {
        Loaded::try_new::<Counter>(&Options {
            config,
            ..Options::default()
        })
        .err()
        .unwrap()
    };
    let error = refused(r#"{"fail":"not today"}"#);
    assert_eq!(
        (error.status, &error.json()["message"]),
        (Status::FailedPrecondition, &json!("not today"))
    );
    let error = refused(r#"{"fail":"panic"}"#);
    assert_eq!((error.status, error.panicked), (Status::Internal, true));
    assert_eq!(error.json()["message"], "create fails on purpose");
    let error = refused(r#"{"start":"many"}"#);
    assert_eq!(error.status, Status::InvalidArgument);
    assert_eq!(error.json()["details"]["path"], "$.start");
}

#[test]
fn a_destructor_that_panics_is_reported() {
    let counter = Loaded::with::<Counter>(&Options {
        config: r#"{"fail_to_drop":true}"#,
        ..Options::default()
    });
    let answer = counter.destroy();
    assert_eq!((answer.status, answer.panicked), (Status::Internal, true));
    assert_eq!(answer.json()["message"], "the destructor fails on purpose");
    assert_eq!(Loaded::new::<Counter>().destroy().status, Status::Ok);
}

#[test]
fn a_null_response_means_that_nobody_wants_it() {
    let counter = Loaded::new::<Counter>();
    let table = table::<Counter>();
    // SAFETY: null is allowed for a response.
    let status = unsafe { table.describe.unwrap()(table.context, std::ptr::null_mut()) };
    assert_eq!(status, 0);
    // SAFETY: null is allowed for a host that's refused, an instance that's refused, and a response.
    let statuses = unsafe {
        [
            table.create.unwrap()(
                table.context,
                std::ptr::null(),
                std::ptr::null(),
                0,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            ),
            table.destroy.unwrap()(std::ptr::null_mut(), std::ptr::null_mut()),
        ]
    };
    assert_eq!(statuses, [3, 3]);
    let entry = counter.entry("shared", Encoding::Raw);
    let answered = answer(0, |_: *mut Response| counter.call_without_response(entry));
    assert_eq!((answered.status, answered.bytes.len()), (Status::Ok, 0));
}

#[test]
fn an_unknown_extension_is_null() {
    let counter = Loaded::new::<Counter>();
    assert!(counter.extension(c"rb.nonsense/1").is_null());
    assert!(!counter.extension(c"rb.log/1").is_null());
}

#[test]
fn a_capability_of_the_hosts_is_found_by_its_name() {
    let counter = Loaded::new::<Counter>();
    let entry = counter.entry("host_offers", Encoding::Raw);
    for (name, there) in [("test.itself/1", "true"), ("rb.nonsense/1", "false")] {
        let answer = counter.call_entry(entry, name.as_bytes(), 16);
        assert_eq!(
            (answer.status, answer.text()),
            (Status::Ok, there),
            "{name}"
        );
    }
    assert!(Host::detached().extension(c"test.itself/1").is_null());
}

/// What `create` of the counter says to a host table.
fn create_with(table: &rustbridge_abi::Host) -> host::Answer {
    let mut instance = std::ptr::null_mut();
    answer(0, |error| {
        // SAFETY: the table is as long as it says, and the rest is valid during the call.
        unsafe {
            host::table::<Counter>().create.unwrap()(
                std::ptr::null_mut(),
                table,
                std::ptr::null(),
                0,
                &raw mut instance,
                error,
            )
        }
    })
}

#[test]
fn a_host_is_refused_that_is_shorter_than_the_first_or_of_another_major_and_nobody_else() {
    use rustbridge_abi::{ABI_VERSION, Growing, Host as Table};
    let first = Table::SIZE_1_0 as u32;
    for (size, abi_version, status) in [
        (first, ABI_VERSION, Status::Ok),
        (first, ABI_VERSION + 7, Status::Ok),
        (first - 1, ABI_VERSION, Status::FailedPrecondition),
        (8, ABI_VERSION, Status::FailedPrecondition),
        (first, ABI_VERSION + (1 << 16), Status::FailedPrecondition),
    ] {
        let table: &'static Table = Box::leak(Box::new(Table {
            size,
            abi_version,
            ..Table::EMPTY
        }));
        let answer = create_with(table);
        assert_eq!(
            answer.status,
            status,
            "{size} {abi_version:#x}: {}",
            answer.text()
        );
        if status != Status::Ok {
            assert!(
                answer.text().contains(&format!("{size} bytes")),
                "{}",
                answer.text()
            );
        }
    }
}

#[test]
fn a_host_of_a_later_version_has_more_to_offer_and_is_taken() {
    use rustbridge_abi::Host as Table;
    #[repr(C)]
    struct Later {
        table: Table,
        more: [u64; 4],
    }
    let later: &'static Later = Box::leak(Box::new(Later {
        table: Table {
            size: size_of::<Later>() as u32,
            ..Table::EMPTY
        },
        more: [u64::MAX; 4],
    }));
    assert_eq!(later.more[0], u64::MAX);
    let answer = create_with(&later.table);
    assert_eq!(answer.status, Status::Ok, "{}", answer.text());
}

#[test]
fn the_same_plugin_is_an_ordinary_value() {
    let counter = Counter::create(
        Config {
            start: 3,
            fail: None,
            fail_to_drop: false,
        },
        Host::detached(),
    )
    .unwrap();
    assert_eq!(counter.next(), 3);
    assert!(counter.not_a_method(&counter));
    assert_eq!(
        counter.whoami("I", &Call::detached()),
        "I detached json detached None"
    );
}
