//! JSON: what the fast reader accepts, serde_json accepts with the same value, what is refused is refused in the same words, and what was read
//! is written with the same bytes.
#![no_main]

#[path = "../../crates/rustbridge-json/tests/types/mod.rs"]
mod types;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| types::all_same(bytes));
