//! The way through: load, prepare, call, close; and the statuses of what can go wrong on it.

use std::time::Duration;

use rustbridge_core::{
    Encoding, Load, OnPanic, Response, ResponseLocation, State, Status, handles,
};

use crate::common::{in_subprocess, library, load_tiny, tiny};

#[test]
fn a_linked_plugin_answers() {
    let plugin = load_tiny().open().unwrap();
    assert_eq!(plugin.name(), "tiny");
    assert_eq!(plugin.state(), State::Active);
    assert!(plugin.describe().contains(r#""name":"tiny""#));
    assert_eq!(&*plugin.call("echo", r#"{"a":1}"#).unwrap(), br#"{"a":1}"#);
    let add = plugin.method("add", Encoding::Pod).unwrap();
    assert!(add.is_leaf());
    assert_eq!(
        (add.request_size(), add.response_size()),
        (Some(16), Some(8))
    );
    assert_eq!(add.call_pod::<[i64; 2], i64>(&[1, 2]).unwrap(), 3);
    let by_id = plugin.method_by_id(7, Encoding::Pod).unwrap();
    assert_eq!(by_id.entry(), add.entry());
    plugin.close(Duration::from_secs(5)).unwrap();
    assert_eq!(
        add.call_pod::<[i64; 2], i64>(&[1, 2]).unwrap_err().status(),
        Status::Unavailable
    );
}

#[test]
fn a_library_answers_from_its_path_and_from_its_bytes() {
    let path = library();
    let from_path = Load::path(&path).open().unwrap();
    let from_image = Load::image(std::fs::read(&path).unwrap()).open().unwrap();
    for plugin in [&from_path, &from_image] {
        assert_eq!(
            &*plugin.call("echo", "[1]").unwrap(),
            b"[1]",
            "{}",
            plugin.name()
        );
    }
    // One content, one mapping: an entry of one works with the other.
    let add = from_path.method("add", Encoding::Pod).unwrap();
    assert_eq!(
        add.entry(),
        from_image.method("add", Encoding::Pod).unwrap().entry()
    );
}

#[test]
fn a_plugin_is_described_without_an_instance_of_it() {
    let path = library();
    let described = Load::path(&path).own_copy(true).describe().unwrap();
    assert!(described.contains(r#""name":"tiny""#), "{described}");
    assert_eq!(
        Load::image(std::fs::read(&path).unwrap())
            .describe()
            .unwrap(),
        described
    );
    assert_eq!(load_tiny().describe().unwrap(), described);
    let instance = Load::path(&path).open().unwrap();
    assert_eq!(instance.describe(), &*described);
    let error = Load::image(&b"no library"[..]).describe().unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
}

#[test]
fn a_method_that_is_not_there_is_refused_by_name() {
    let plugin = load_tiny().open().unwrap();
    let error = plugin.method("nope", Encoding::Json).unwrap_err();
    assert_eq!(error.status(), Status::NotFound);
    assert!(error.message().contains("`nope`") && error.message().contains("echo"));
    let error = plugin.method("add", Encoding::Json).unwrap_err();
    assert_eq!(error.status(), Status::Unimplemented);
    assert!(error.message().contains("json") && error.message().contains("pod"));
    let error = plugin.method_by_id(8, Encoding::Pod).unwrap_err();
    assert_eq!(error.status(), Status::NotFound);
    assert!(error.message().contains('7'));
}

#[test]
fn a_response_that_does_not_fit_is_lent() {
    let plugin = load_tiny().open().unwrap();
    let echo = plugin.method("echo", Encoding::Raw).unwrap();
    let small = echo.call(&[1; 256]).unwrap();
    assert!(!small.is_lease());
    let large = echo.call(&[2; 257]).unwrap();
    assert!(large.is_lease());
    let mut storage = [0; 4];
    assert!(matches!(
        echo.call_into(b"four", &mut storage).unwrap(),
        ResponseLocation::Buffer(4)
    ));
    let ResponseLocation::Lease(lease) = echo.call_into(b"fives", &mut storage).unwrap() else {
        panic!("five bytes don't fit into four");
    };
    plugin.close(Duration::from_secs(5)).unwrap();
    assert_eq!(&*lease, b"fives");
    assert_eq!(&*large, [2; 257]);
    assert_eq!(&*small, [1; 256]);
    assert_eq!(&storage, b"four");
}

#[test]
fn a_pod_of_another_size_is_refused_by_either_side() {
    let plugin = load_tiny().open().unwrap();
    let add = plugin.method("add", Encoding::Pod).unwrap();
    assert_eq!(
        add.call_pod::<i64, i64>(&1).unwrap_err().status(),
        Status::InvalidArgument
    );
    let error = add.call_pod::<[i64; 2], i32>(&[1, 2]).unwrap_err();
    assert_eq!(error.status(), Status::Internal);
    assert!(error.message().contains("8 bytes") && error.message().contains('4'));
    assert_eq!(
        add.call_pod::<[i64; 2], [i64; 2]>(&[1, 2])
            .unwrap_err()
            .status(),
        Status::Internal
    );
}

#[test]
fn config_that_the_plugin_refuses_fails_the_load_with_its_message() {
    let error = load_tiny().config("bad").open().unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert_eq!(error.message(), "config: missing field `name`");
    assert_eq!(error.type_name(), "ConfigError");
}

#[test]
fn a_panic_while_creating_fails_the_load_and_leaves_nothing() {
    let error = load_tiny()
        .name("unborn")
        .config("panic_in_create")
        .open()
        .unwrap_err();
    assert_eq!(
        (error.status(), error.type_name()),
        (Status::Internal, "panic")
    );
    assert!(!rustbridge_core::inspect().contains("unborn"));
}

#[test]
fn a_panic_in_a_call_leaves_the_instance_usable_unless_it_is_to_be_poisoned() {
    let goes_on = load_tiny().open().unwrap();
    let poisoned = load_tiny().on_panic(OnPanic::Poison).open().unwrap();
    for plugin in [&goes_on, &poisoned] {
        let error = plugin
            .method("panic", Encoding::Raw)
            .unwrap()
            .call(b"")
            .unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::Internal, "boom")
        );
    }
    assert_eq!(goes_on.state(), State::Active);
    assert!(goes_on.call("echo", "1").is_ok());
    assert_eq!(poisoned.state(), State::Poisoned);
    let error = poisoned.call("echo", "1").unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition);
    assert_eq!(error.type_name(), "rustbridge.Poisoned");
    poisoned.close(Duration::from_secs(5)).unwrap();
}

#[test]
fn a_panic_while_destroying_is_reported_by_a_close_that_closes() {
    let plugin = load_tiny().config("panic_in_destroy").open().unwrap();
    let handle = plugin.handle();
    let error = plugin.close(Duration::from_secs(5)).unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::Internal, "boom in destroy")
    );
    assert_eq!(handles::state(handle).unwrap(), State::Closed);
}

#[test]
fn a_second_close_is_told_that_it_is_closed() {
    let plugin = load_tiny().open().unwrap();
    let handle = plugin.handle();
    handles::close(handle, Duration::from_secs(5)).unwrap();
    let error = handles::close(handle, Duration::from_secs(5)).unwrap_err();
    assert_eq!(error.status(), Status::Unavailable);
    assert_eq!(handles::state(handle).unwrap(), State::Closed);
    assert_eq!(
        handles::prepare(handle, "echo", Encoding::Raw)
            .unwrap_err()
            .status(),
        Status::Unavailable
    );
    assert_eq!(
        handles::describe(handle).unwrap_err().status(),
        Status::Unavailable
    );
}

#[test]
fn an_entry_that_is_made_up_or_of_another_plugin_is_not_found() {
    let linked = load_tiny().open().unwrap();
    let library = Load::path(library()).open().unwrap();
    let entry = linked.method("add", Encoding::Pod).unwrap().entry();
    let foreign = library.method("add", Encoding::Pod).unwrap().entry();
    let request = [0_u8; 16];
    for wrong in [
        foreign,
        0,
        1,
        u32::MAX,
        entry ^ 0x0001_0000,
        entry | 0x3fff,
        (entry & 0xffff_0000) | 12,
    ] {
        for added in [
            0,
            handles::ENTRY_LEAF,
            handles::ENTRY_SHARED,
            handles::ENTRY_LEAF | handles::ENTRY_SHARED,
        ] {
            let mut response = Response::empty();
            let wrong = wrong | added;
            // SAFETY: request and response are valid; the response is released once.
            let status = unsafe {
                let status =
                    handles::call(linked.handle(), wrong, request.as_ptr(), 16, &mut response);
                assert!(response.len > 0, "a refusal has a payload");
                handles::release(&mut response);
                status
            };
            assert_eq!(Status::from_code(status), Status::NotFound, "{wrong:#x}");
        }
    }
}

#[test]
fn an_entry_of_a_kind_that_is_not_known_can_be_neither_prepared_nor_called() {
    let plugin = load_tiny().open().unwrap();
    let error = plugin.method("later", Encoding::Raw).unwrap_err();
    assert_eq!(error.status(), Status::Unimplemented);
    assert!(error.message().contains("of_a_later_version"), "{error}");
    let entry = plugin.method("echo", Encoding::Raw).unwrap().entry();
    let later = (entry & 0xffff_0000) | 12;
    let mut response = Response::empty();
    // SAFETY: the request is empty; the response is released once.
    unsafe {
        let status = handles::call(plugin.handle(), later, std::ptr::null(), 0, &mut response);
        assert_eq!(Status::from_code(status), Status::NotFound);
        handles::release(&mut response);
    }
}

#[test]
fn only_leaf_methods_take_a_leaf_call() {
    let plugin = load_tiny().open().unwrap();
    let sleep = plugin.method("sleep", Encoding::Raw).unwrap().entry();
    let add = plugin.method("add", Encoding::Pod).unwrap().entry();
    let request = [0_u8; 16];
    let mut storage = [0_u8; 512];
    for (entry, expected) in [
        (add, Status::Ok),
        (add | handles::ENTRY_LEAF, Status::Ok),
        (sleep | handles::ENTRY_LEAF, Status::FailedPrecondition),
        (
            add | handles::ENTRY_LEAF | handles::ENTRY_SHARED,
            Status::Ok,
        ),
        (
            sleep | handles::ENTRY_LEAF | handles::ENTRY_SHARED,
            Status::FailedPrecondition,
        ),
    ] {
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        // SAFETY: request and response are valid, and the storage holds any answer here.
        let status =
            unsafe { handles::call(plugin.handle(), entry, request.as_ptr(), 16, &mut response) };
        assert_eq!(Status::from_code(status), expected, "{entry:#x}");
        assert!(response.release.is_none());
    }
}

#[test]
fn a_request_that_cannot_be_is_refused() {
    let plugin = load_tiny().open().unwrap();
    let entry = plugin.method("echo", Encoding::Raw).unwrap().entry();
    let byte = 0_u8;
    for (request, len) in [
        (std::ptr::null(), 1),
        (&raw const byte, usize::MAX),
        (&raw const byte, isize::MAX as usize + 1),
    ] {
        let mut response = Response::empty();
        // SAFETY: the request is refused before it's read; the response is released once.
        unsafe {
            let status = handles::call(plugin.handle(), entry, request, len, &mut response);
            assert_eq!(Status::from_code(status), Status::InvalidArgument);
            handles::release(&mut response);
        }
    }
    // Null with length 0 is an empty request, and a null response means the payload isn't wanted.
    // SAFETY: both are allowed.
    let status = unsafe {
        handles::call(
            plugin.handle(),
            entry,
            std::ptr::null(),
            0,
            std::ptr::null_mut(),
        )
    };
    assert_eq!(Status::from_code(status), Status::Ok);
}

#[test]
fn a_status_outside_the_table_reads_as_unknown() {
    let plugin = load_tiny().open().unwrap();
    let weird = plugin.method("weird_status", Encoding::Raw).unwrap();
    for (raw, expected) in [
        ("17", Status::Unknown),
        ("-1", Status::Unknown),
        ("-2147483648", Status::Unknown),
        ("2147483647", Status::Unknown),
        ("256", Status::Internal),
        ("261", Status::NotFound),
        ("16", Status::Unauthenticated),
    ] {
        let error = weird.call(raw.as_bytes()).unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (expected, "whatever"),
            "{raw}"
        );
    }
}

#[test]
fn an_own_copy_is_another_mapping() {
    let path = library();
    let first = Load::path(&path).open().unwrap();
    let own = Load::path(&path).own_copy(true).open().unwrap();
    let entry =
        |plugin: &rustbridge_core::Plugin| plugin.method("add", Encoding::Pod).unwrap().entry();
    assert_ne!(entry(&first), entry(&own));
    assert_eq!(
        // SAFETY: a plugin of ours, whose entry point follows the ABI.
        unsafe { Load::linked(tiny::entry_point, "tiny") }
            .own_copy(true)
            .open()
            .unwrap_err()
            .status(),
        Status::InvalidArgument
    );
}

/// A plugin that answers with a constant: memory that nobody has to free, so it carries no release.
mod constant {
    use std::ffi::c_void;

    use rustbridge_abi::{CallContext, PluginTable, RB_OK, Response};

    use crate::common::tiny;

    pub static CONSTANT: [u8; 8] = *b"constant";

    unsafe extern "C" fn call(
        _instance: *mut c_void,
        _entry: u32,
        _header: *const CallContext,
        _request: *const u8,
        _request_len: usize,
        response: *mut Response,
    ) -> i32 {
        // SAFETY: the callers here want the response.
        let response = unsafe { &mut *response };
        response.data = CONSTANT.as_ptr().cast_mut();
        response.len = CONSTANT.len();
        response.release = None;
        RB_OK
    }

    pub unsafe extern "C" fn entry_point(version: u32) -> *const PluginTable {
        // SAFETY: the tiny plugin's table is valid for good.
        let table = unsafe { *tiny::entry_point(version) };
        Box::leak(Box::new(PluginTable {
            call: Some(call),
            ..table
        }))
    }
}

#[test]
fn a_refusal_names_the_instance_as_long_as_its_name_is_known() {
    // A name is left out while another thread has the list of them.
    if !in_subprocess("basics::a_refusal_names_the_instance_as_long_as_its_name_is_known") {
        return;
    }
    let plugin = load_tiny().name("quoted \"name\"").open().unwrap();
    let echo = plugin.method("echo", Encoding::Raw).unwrap();
    drop(plugin);
    let error = echo.call(b"").unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.Closed");
    assert!(
        error
            .message()
            .starts_with("instance `quoted \"name\"` (0x")
            && error
                .message()
                .ends_with(") is closed: load the plugin again"),
        "{error}"
    );
    // Storage of any size takes the text or doesn't; what's said is the same.
    let closed = echo.handle();
    for capacity in 0..300 {
        let mut storage = vec![0xa5; capacity + 1];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), capacity);
        // SAFETY: the request is empty; the response is released once.
        unsafe {
            let status =
                handles::call(closed, echo.entry(), std::ptr::null(), 0, &raw mut response);
            assert_eq!(Status::from_code(status), Status::Unavailable);
            assert_eq!(response.release.is_some(), response.len > capacity);
            let said = std::slice::from_raw_parts(response.data, response.len);
            assert_eq!(said, error.to_json().as_bytes());
            handles::release(&raw mut response);
        }
        assert_eq!(storage[capacity], 0xa5);

        storage.fill(0xa5);
        // SAFETY: as above; the outcome is released once.
        unsafe {
            let at = storage.as_mut_ptr();
            let result =
                handles::call_into(closed, echo.entry(), std::ptr::null(), 0, at, capacity);
            let outcome = handles::Outcome::of(result);
            assert_eq!(Status::from_code((*outcome).status), Status::Unavailable);
            let response = &(*outcome).response;
            let data = if response.release.is_some() {
                response.data.cast_const()
            } else {
                storage.as_ptr()
            };
            let said = std::slice::from_raw_parts(data, response.len);
            assert_eq!(said, error.to_json().as_bytes());
            handles::release_call_result(outcome);
        }
        assert_eq!(storage[capacity], 0xa5);
    }
    // Who wants no payload gets none.
    // SAFETY: a null response.
    let status = unsafe {
        handles::call(
            closed,
            echo.entry(),
            std::ptr::null(),
            0,
            std::ptr::null_mut(),
        )
    };
    assert_eq!(Status::from_code(status), Status::Unavailable);
    // What has to be escaped is.
    for name in ["\u{1}\n\t\\", "\u{7f}\u{2028}ä𝄞", "\"", "`", "</script>"] {
        let plugin = load_tiny().name(name).open().unwrap();
        let echo = plugin.method("echo", Encoding::Raw).unwrap();
        drop(plugin);
        for capacity in [0, 1, 10, 1000] {
            let mut storage = vec![0; capacity];
            let mut response = Response::with_buffer(storage.as_mut_ptr(), capacity);
            // SAFETY: the request is empty; the response is read before it's released, once.
            let payload: serde_json::Value = unsafe {
                handles::call(
                    echo.handle(),
                    echo.entry(),
                    std::ptr::null(),
                    0,
                    &raw mut response,
                );
                let said = std::slice::from_raw_parts(response.data, response.len);
                let payload = serde_json::from_slice(said).unwrap();
                handles::release(&raw mut response);
                payload
            };
            let message = payload["message"].as_str().unwrap();
            assert!(
                message.starts_with(&format!("instance `{name}` (0x")),
                "{message}"
            );
        }
    }
}

#[test]
fn an_answer_that_cannot_be_true_is_an_error_that_names_the_method() {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(constant::entry_point, "constant") }
        .open()
        .unwrap();
    let echo = plugin.method("echo", Encoding::Raw).unwrap();
    let add = plugin.method("add", Encoding::Pod).unwrap();
    let error = echo.call(b"x").unwrap_err();
    assert_eq!(error.status(), Status::Internal);
    assert_eq!(error.type_name(), "rustbridge.InvalidResponse");
    assert!(
        error.message().contains("`echo (raw)` of plugin `tiny`"),
        "{error}"
    );
    for error in [
        echo.call_into(b"x", &mut [0; 16]).unwrap_err(),
        add.call_pod::<_, [u8; 8]>(&[20_i64, 22]).unwrap_err(),
        add.call_pod::<_, [u8; 9]>(&[20_i64, 22]).unwrap_err(),
    ] {
        assert_eq!(error.type_name(), "rustbridge.InvalidResponse");
    }
}
