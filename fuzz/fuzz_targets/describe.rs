//! What a plugin says of itself may be anything; what is accepted has to be JSON with a name.
#![no_main]

use serde_json::Value;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if rustbridge_core::fuzzing::parse_description(bytes) {
        let description: Value = serde_json::from_slice(bytes).expect("only JSON is accepted");
        assert!(
            description["name"].is_string(),
            "only what has a name is accepted"
        );
    }
});
