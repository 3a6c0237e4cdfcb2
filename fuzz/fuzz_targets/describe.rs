//! What a plugin says of itself may be anything. What is accepted has to be JSON with a name, to be accepted by the core and
//! to be written as it was read.
#![no_main]

use rustbridge_description::{Description, Outline};
use serde_json::Value;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let accepted = rustbridge_core::fuzzing::parse_description(bytes);
    assert_eq!(Outline::read(bytes).is_ok(), accepted, "there is one rule");
    // Values are stricter in schemas, where numbers have to fit and escapes to be characters.
    if let Ok(description) = Description::<'_, Value>::read(bytes) {
        assert!(accepted, "who looks at more refuses no less");
        let name =
            serde_json::from_slice::<Value>(bytes).expect("only JSON is accepted")["name"].take();
        assert_eq!(name, *description.name, "only what has a name is accepted");
        let written = serde_json::to_vec(&description).expect("what was read can be written");
        assert_eq!(Description::read(&written).as_ref(), Ok(&description));
    }
});
