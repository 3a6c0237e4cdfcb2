//! What a plugin says that can't be true when it describes, creates or destroys, and what the core checks for plugins that
//! don't check for themselves.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustbridge_abi::{
    CallContext, EntryPoint, Host, PluginTable, RB_NOT_FOUND, RB_OK, Response, StatusCode,
};
use rustbridge_core::{Encoding, Load, State, Status, handles};

const LONG: Duration = Duration::from_secs(10);

static OWN: [u8; 8] = *b"constant";

/// How often the release of a lie was called. Of all tests: none may.
static RELEASED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn release(_: *mut Response) {
    RELEASED.fetch_add(1, Ordering::Relaxed);
}

/// What is said of an answer, and what the core says of that.
type Lie = (fn(&mut Response), &'static str);

/// To functions that offer no storage.
const LIES: [Lie; 6] = [
    (
        |to| (to.data, to.len) = (ptr::null_mut(), 8),
        "8 bytes at null without a release",
    ),
    (
        |to| {
            (to.data, to.len) = (ptr::null_mut(), 8);
            to.release = Some(release);
        },
        "8 bytes at null with a release",
    ),
    (
        |to| (to.data, to.len) = (OWN.as_ptr().cast_mut(), 8),
        "8 bytes outside the caller's buffer",
    ),
    (
        |to| (to.data, to.len) = (ptr::without_provenance_mut(1), 8),
        "8 bytes outside the caller's buffer",
    ),
    (
        |to| {
            (to.data, to.len) = (OWN.as_ptr().cast_mut(), isize::MAX as usize + 1);
            to.release = Some(release);
        },
        "expected PTRDIFF_MAX at most",
    ),
    (
        |to| (to.data, to.len) = (ptr::null_mut(), usize::MAX),
        "expected PTRDIFF_MAX at most",
    ),
];

/// Which function lies, as a number of a type's: nothing else is shared by a plugin's functions before `create`.
const DESCRIBE: u8 = 1;
const CREATE: u8 = 2;
const DESTROY: u8 = 4;
/// Added to it: the function also fails.
const FAILS: u8 = 8;

/// # Safety
/// `response` is writable.
unsafe fn lie<const WHICH: u8, const LIE: usize>(
    function: u8,
    response: *mut Response,
) -> StatusCode {
    if WHICH & function == 0 {
        return RB_OK;
    }
    // SAFETY: the caller's promise.
    let response = unsafe { &mut *response };
    response.release = None;
    LIES[LIE].0(response);
    if WHICH & FAILS == 0 {
        RB_OK
    } else {
        RB_NOT_FOUND
    }
}

/// # Safety
/// `response` is writable, with its storage.
unsafe fn answer(bytes: &'static [u8], response: *mut Response) {
    // SAFETY: the caller's promise; the storage isn't used, since it needn't be.
    let response = unsafe { &mut *response };
    response.data = bytes.as_ptr().cast_mut();
    response.len = bytes.len();
    response.release = Some(keep);
}

unsafe extern "C" fn keep(_: *mut Response) {}

unsafe extern "C" fn describe<const WHICH: u8, const LIE: usize>(
    _context: *mut c_void,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the host's response.
    unsafe {
        answer(
            br#"{"abi":"1.0","name":"liar","version":"1.0.0","methods":[]}"#,
            response,
        );
        lie::<WHICH, LIE>(DESCRIBE, response)
    }
}

unsafe extern "C" fn create<const WHICH: u8, const LIE: usize>(
    _context: *mut c_void,
    _: *const Host,
    _: *const u8,
    _: usize,
    instance: *mut *mut c_void,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the host's places.
    unsafe {
        instance.write(ptr::null_mut());
        lie::<WHICH, LIE>(CREATE, error)
    }
}

unsafe extern "C" fn never(
    _: *mut c_void,
    _: u32,
    _: *const CallContext,
    _: *const u8,
    _: usize,
    _: *mut Response,
) -> StatusCode {
    unreachable!("it has no methods")
}

unsafe extern "C" fn destroy<const WHICH: u8, const LIE: usize>(
    _: *mut c_void,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the host's response.
    unsafe { lie::<WHICH, LIE>(DESTROY, error) }
}

unsafe extern "C" fn extension(_context: *mut c_void, _: *const c_char) -> *const c_void {
    ptr::null()
}

unsafe extern "C" fn liar<const WHICH: u8, const LIE: usize>(_: u32) -> *const PluginTable {
    Box::leak(Box::new(PluginTable {
        describe: Some(describe::<WHICH, LIE>),
        create: Some(create::<WHICH, LIE>),
        call: Some(never),
        destroy: Some(destroy::<WHICH, LIE>),
        extension: Some(extension),
        ..PluginTable::EMPTY
    }))
}

/// A plugin for each lie.
const fn liars<const WHICH: u8>() -> [EntryPoint; 6] {
    [
        liar::<WHICH, 0>,
        liar::<WHICH, 1>,
        liar::<WHICH, 2>,
        liar::<WHICH, 3>,
        liar::<WHICH, 4>,
        liar::<WHICH, 5>,
    ]
}

fn load(entry_point: EntryPoint, name: &str) -> Load<'static> {
    // SAFETY: plugins of ours, whose lies are what the core finds out.
    unsafe { Load::linked(entry_point, name) }
}

#[track_caller]
fn assert_found_out(error: &rustbridge_core::Error, whose: &str, said: &str) {
    assert_eq!(error.status(), Status::Internal, "{error}");
    assert_eq!(error.type_name(), "rustbridge.InvalidResponse", "{error}");
    assert!(error.message().contains(whose), "{error}");
    assert!(error.message().contains(said), "{error}");
    assert_eq!(RELEASED.load(Ordering::Relaxed), 0, "{error}");
}

#[test]
fn a_description_that_cannot_be_true_is_no_description() {
    let failing = liars::<{ DESCRIBE | FAILS }>();
    for (at, (_, said)) in LIES.iter().enumerate() {
        for entry_point in [liars::<DESCRIBE>()[at], failing[at]] {
            // What was found out once is known the second time.
            for _ in 0..2 {
                let error = load(entry_point, "of the test").open().unwrap_err();
                assert_found_out(&error, "`describe` of", said);
                assert!(error.message().contains("of the test"), "{error}");
                let error = load(entry_point, "of the test").describe().unwrap_err();
                assert_found_out(&error, "`describe` of", said);
            }
        }
    }
}

#[test]
fn a_failure_to_create_that_cannot_be_true_is_a_failure_and_leaves_nothing() {
    for (at, (_, said)) in LIES.iter().enumerate() {
        let entry_point = liars::<{ CREATE | FAILS }>()[at];
        let error = load(entry_point, "liar")
            .name("stillborn")
            .open()
            .unwrap_err();
        assert_found_out(&error, "`create` of plugin `liar`", said);
        assert!(!rustbridge_core::inspect().contains("stillborn"));
    }
}

#[test]
fn a_failure_to_destroy_that_cannot_be_true_is_told_by_a_close_that_closes() {
    for (at, (_, said)) in LIES.iter().enumerate() {
        let plugin = load(liars::<{ DESTROY | FAILS }>()[at], "liar")
            .open()
            .unwrap();
        let handle = plugin.handle();
        let error = plugin.close(LONG).unwrap_err();
        assert_found_out(&error, "`destroy` of plugin `liar`", said);
        assert_eq!(handles::state(handle).unwrap(), State::Closed);
    }
}

/// Nobody has a use for what such a function answers when it succeeds.
#[test]
fn what_was_created_and_destroyed_is_so_whatever_is_said_of_the_error() {
    for entry_point in liars::<{ CREATE | DESTROY }>() {
        let plugin = load(entry_point, "liar").open().unwrap();
        assert_eq!(plugin.state(), State::Active);
        plugin.close(LONG).unwrap();
    }
    assert_eq!(RELEASED.load(Ordering::Relaxed), 0);
}

/// A plugin by hand, which reads what it gets unseen, and one that says of itself that it checks.
mod by_hand {
    use super::*;

    /// What reached `create` and `call`, with the instance's number and the entry; of all instances, told apart by the numbers.
    pub static SEEN: Mutex<Vec<(usize, u32, Vec<u8>)>> = Mutex::new(Vec::new());

    /// The next instance's number.
    static NUMBER: AtomicUsize = AtomicUsize::new(1);

    const METHODS: &str = r#"[
        {"name":"sized","entries":[{"index":2,"encoding":"pod","leaf":true,"request":{"layout":{"type":"T","size":16,"align":8,"fields":[]}},"response":{}},
            {"index":0,"encoding":"json","request":{},"response":{}}]},
        {"name":"empty","entries":[{"index":3,"encoding":"pod","request":{"layout":{"type":"T","size":0,"align":1,"fields":[]}},"response":{}}]},
        {"name":"bytes","entries":[{"index":5,"encoding":"raw","request":{},"response":{}}]}]"#;

    unsafe extern "C" fn describe<const CHECKS: bool>(
        _context: *mut c_void,
        response: *mut Response,
    ) -> StatusCode {
        let (name, author) = if CHECKS {
            ("checks", "1.0.0")
        } else {
            ("trusts", "")
        };
        let text = format!(
            r#"{{"abi":"1.0","name":"{name}","version":"1.0.0","rustbridge":"{author}","methods":{METHODS}}}"#
        );
        // SAFETY: the host's response.
        unsafe { answer(Box::leak(text.into_boxed_str()).as_bytes(), response) };
        RB_OK
    }

    unsafe extern "C" fn create(
        _context: *mut c_void,
        _: *const Host,
        config: *const u8,
        config_len: usize,
        instance: *mut *mut c_void,
        _: *mut Response,
    ) -> StatusCode {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the host's places.
        unsafe {
            see(number, u32::MAX, config, config_len);
            instance.write(ptr::without_provenance_mut(number));
        }
        RB_OK
    }

    unsafe extern "C" fn call(
        instance: *mut c_void,
        entry: u32,
        _: *const CallContext,
        request: *const u8,
        request_len: usize,
        _: *mut Response,
    ) -> StatusCode {
        // SAFETY: the host's request.
        unsafe { see(instance.addr(), entry, request, request_len) };
        RB_OK
    }

    /// # Safety
    /// `len` bytes are readable there, or it's 0.
    unsafe fn see(number: usize, entry: u32, at: *const u8, len: usize) {
        let bytes = if len == 0 {
            Vec::new()
        } else {
            // SAFETY: the caller's promise.
            unsafe { std::slice::from_raw_parts(at, len) }.to_vec()
        };
        SEEN.lock().unwrap().push((number, entry, bytes));
    }

    unsafe extern "C" fn destroy(_: *mut c_void, _: *mut Response) -> StatusCode {
        RB_OK
    }

    pub unsafe extern "C" fn entry_point<const CHECKS: bool>(_: u32) -> *const PluginTable {
        Box::leak(Box::new(PluginTable {
            describe: Some(describe::<CHECKS>),
            create: Some(create),
            call: Some(call),
            destroy: Some(destroy),
            extension: Some(extension),
            ..PluginTable::EMPTY
        }))
    }
}

fn trusting() -> Load<'static> {
    load(by_hand::entry_point::<false>, "trusts")
}

fn checking() -> Load<'static> {
    load(by_hand::entry_point::<true>, "checks")
}

/// What reached the plugin since it was asked last. The tests that ask take turns.
fn seen() -> Vec<(usize, u32, Vec<u8>)> {
    std::mem::take(&mut *by_hand::SEEN.lock().unwrap())
}

static TURN: Mutex<()> = Mutex::new(());

#[test]
fn a_pod_of_another_size_does_not_reach_a_plugin_that_trusts_its_host() {
    let _turn = TURN.lock();
    let plugins = [trusting().open().unwrap(), trusting().open().unwrap()];
    let numbers: Vec<usize> = seen().iter().map(|seen| seen.0).collect();
    for (plugin, number) in plugins.iter().zip(numbers) {
        let sized = plugin.method("sized", Encoding::Pod).unwrap();
        let empty = plugin.method("empty", Encoding::Pod).unwrap();
        for added in [
            0,
            handles::ENTRY_LEAF,
            handles::ENTRY_SHARED,
            handles::ENTRY_LEAF | handles::ENTRY_SHARED,
        ] {
            for (method, entry, size) in [(sized, 2, 16), (empty, 3, 0)] {
                if method.entry() == empty.entry() && added & handles::ENTRY_LEAF != 0 {
                    continue;
                }
                for len in [0, 1, 8, 15, 16, 17, 4096] {
                    let request = vec![7; len];
                    let mut storage = [0; 512];
                    let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
                    // SAFETY: both are valid, and any answer fits.
                    let status = unsafe {
                        let entry = method.entry() | added;
                        handles::call(
                            plugin.handle(),
                            entry,
                            request.as_ptr(),
                            len,
                            &raw mut response,
                        )
                    };
                    if len == size {
                        assert_eq!(status, RB_OK);
                        assert_eq!(seen(), [(number, entry, request)]);
                        continue;
                    }
                    let error =
                        rustbridge_core::Error::from_payload(status, &storage[..response.len]);
                    assert_eq!(error.status(), Status::InvalidArgument);
                    assert_eq!(error.type_name(), "rustbridge.InvalidRequest");
                    let says = [format!("must be {size} bytes"), format!("got {len}")];
                    assert!(
                        says.iter().all(|says| error.message().contains(says)),
                        "{error}"
                    );
                    assert_eq!(seen(), []);
                }
            }
        }
        // What has no size of its own is the plugin's to look at.
        for (method, encoding, entry) in [("sized", Encoding::Json, 0), ("bytes", Encoding::Raw, 5)]
        {
            let method = plugin.method(method, encoding).unwrap();
            assert!(method.call(b"\xff no JSON").unwrap().is_empty());
            assert_eq!(seen(), [(number, entry, b"\xff no JSON".to_vec())]);
        }
        // An index that isn't described is below the largest that is, so it's the plugin's to refuse.
        let gap = sized.entry() - 1;
        // SAFETY: no request, no response.
        let status =
            unsafe { handles::call(plugin.handle(), gap, ptr::null(), 0, ptr::null_mut()) };
        assert_eq!((status, seen()), (RB_OK, vec![(number, 1, Vec::new())]));
    }
}

#[test]
fn a_plugin_that_says_that_it_checks_gets_everything() {
    let _turn = TURN.lock();
    let plugin = checking().config("no JSON").open().unwrap();
    let sized = plugin.method("sized", Encoding::Pod).unwrap();
    sized.call(b"15 bytes, or so").unwrap();
    let seen = seen();
    assert_eq!(seen[0].2, b"no JSON");
    assert_eq!((seen[1].1, &*seen[1].2), (2, &b"15 bytes, or so"[..]));
}

#[test]
fn a_config_that_is_no_json_does_not_reach_a_plugin_that_trusts_its_host() {
    let _turn = TURN.lock();
    let deep = "[".repeat(1_000_000);
    for config in [
        &b"{"[..],
        b" ",
        b"nul",
        b"{} {}",
        b"{\"a\":\"\xff\"}",
        b"\xef\xbb\xbf{}",
        b"\0",
        deep.as_bytes(),
    ] {
        let error = trusting()
            .name("unconfigured")
            .config(config)
            .open()
            .unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
        assert_eq!(error.type_name(), "rustbridge.InvalidConfig");
        assert!(error.message().contains("plugin `trusts`"), "{error}");
        assert_eq!(seen(), []);
        assert!(!rustbridge_core::inspect().contains("unconfigured"));
    }
    let deep = [&*deep, &"]".repeat(1_000_000)].concat();
    for config in ["", "{}", " {\"a\": [1, \"ä\"]}\n", "[77]", "1e999", &deep] {
        drop(trusting().config(config).open().unwrap());
        let seen = seen();
        assert_eq!(seen.len(), 1);
        assert!(seen[0].2 == config.as_bytes(), "{:.40}", config);
    }
}
