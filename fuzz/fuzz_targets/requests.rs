//! Requests of every encoding to the methods of conformance-plugin, through both ABIs.
//!
//! The first byte chooses the method and its encoding, the second the alignment of the request and the size of the
//! storage for the response; the rest is the request.
#![no_main]

use std::sync::OnceLock;

use conformance_plugin::Conformance;
use rustbridge_abi::{Encoding, Response, Status};
use rustbridge_core::{Load, Plugin, handles};
use rustbridge_description::Outline;
use serde_json::Value;

/// Methods that do on request what would end the search or slow it down: they panic (libFuzzer takes a panic for a
/// finding, though it is caught), sleep, allocate as much as they are asked to, or log.
const NOT_THESE: &[&str] = &["panic.", "async.", "log.", "raw.fill"];

struct Target {
    plugin: Plugin,
    /// Entry and encoding.
    entries: Vec<(u32, Encoding)>,
}

fn target() -> &'static Target {
    // One instance for the whole search: making one for each input would fuzz loading.
    static TARGET: OnceLock<Target> = OnceLock::new();
    TARGET.get_or_init(|| {
        let entry_point = rustbridge::entry_point::<Conformance>();
        // SAFETY: a plugin of ours, whose entry point follows the ABI.
        let plugin = unsafe { Load::linked(entry_point, "conformance") }
            .config(r#"{"label":"fuzz"}"#)
            .open()
            .expect("the config is fine");
        let description = Outline::read(plugin.describe().as_bytes()).expect("the core took it");
        let mut entries = Vec::new();
        for method in &description.methods {
            let name = &*method.name;
            if NOT_THESE.iter().any(|prefix| name.starts_with(prefix)) {
                continue;
            }
            for (encoding, _) in method.callable() {
                let prepared =
                    handles::prepare(plugin.handle(), name, encoding).expect("it was described");
                entries.push((prepared.entry, encoding));
            }
        }
        Target { plugin, entries }
    })
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let [choice, shape, request @ ..] = input else {
        return;
    };
    let target = target();
    let (entry, encoding) = target.entries[usize::from(*choice) % target.entries.len()];
    let offset = usize::from(shape & 0x0f);
    let mut memory = vec![0; offset + request.len()];
    memory[offset..].copy_from_slice(request);
    let mut storage = vec![0; usize::from(shape >> 4) * 16];
    let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
    // SAFETY: the request and the storage are live, the response is initialised.
    let status = unsafe {
        handles::call(
            target.plugin.handle(),
            entry,
            memory[offset..].as_ptr(),
            request.len(),
            &mut response,
        )
    };
    let payload = if response.len == 0 {
        &[][..]
    } else {
        // SAFETY: a response has `len` readable bytes until it is released.
        unsafe { std::slice::from_raw_parts(response.data, response.len) }
    };
    let status = Status::from_code(status);
    if status != Status::Ok {
        let error: Value = serde_json::from_slice(payload).expect("an error payload is JSON");
        assert_eq!(
            error["code"],
            status.name(),
            "the payload repeats the status"
        );
        assert!(
            error["message"].is_string() && error["type"].is_string(),
            "{error}"
        );
    } else if encoding == Encoding::Json {
        serde_json::from_slice::<serde::de::IgnoredAny>(payload).expect("a JSON answer is JSON");
    }
    // SAFETY: once, after the last use of the payload.
    unsafe { handles::release(&mut response) };
});
