//! The check of a library's bytes may accept or refuse, and has to do it without reading outside of them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = rustbridge_core::fuzzing::check_image(bytes);
});
