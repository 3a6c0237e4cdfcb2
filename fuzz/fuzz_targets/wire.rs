//! Typed messages in the wire form: reading and checking agree, and what was read can be written and read again.
//!
//! The first byte chooses the type, the second the alignment; the rest is the message.
#![no_main]

use rustbridge::__private::wire::{Decode, Encode, Value, check, read, to_vec};
// The plugin's messages without the plugin: its calls and its JSON would take most of the time that all targets take to build.
#[expect(dead_code, reason = "what only the plugin uses")]
#[path = "../../plugins/types-plugin/src/foreign.rs"]
mod foreign;
#[expect(dead_code, reason = "what only the plugin uses")]
#[path = "../../plugins/types-plugin/src/messages.rs"]
mod messages;
#[path = "../../plugins/types-plugin/src/versioned.rs"]
mod versioned;

use messages::{
    Bounded, Defaults, Event, Every, Expr, Lists, Page, Pairs, Person, Renamed, Samples, Tagged,
    Texts, Times, Tree,
};

fn one<T: Encode + for<'r> Decode<'r>>(bytes: &[u8]) {
    let checked = check(&T::TYPE, bytes);
    match read::<T>(bytes) {
        Ok(value) => {
            assert_eq!(checked, Ok(()), "what can be read is right");
            let written = to_vec(&value).expect("what was read can be written");
            assert!(read::<T>(&written).is_ok(), "and read again");
        }
        Err(problem) => {
            assert!(problem.position() <= bytes.len());
            // What a type refuses whose bytes are right, only the type knows; it may do so before what else is wrong.
            if let Err(found) = checked {
                assert!(found == problem || problem.position() <= found.position());
            }
        }
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let [choice, offset, message @ ..] = input else {
        return;
    };
    let offset = usize::from(offset & 0x0f);
    let mut memory = vec![0; offset + message.len()];
    memory[offset..].copy_from_slice(message);
    let bytes = &memory[offset..];
    match choice % 17 {
        0 => one::<Texts>(bytes),
        1 => one::<Times>(bytes),
        2 => one::<Lists>(bytes),
        3 => one::<Pairs>(bytes),
        4 => one::<Page<Person>>(bytes),
        5 => one::<Tagged>(bytes),
        6 => one::<Expr>(bytes),
        7 => one::<Tree>(bytes),
        8 => one::<Samples>(bytes),
        9 => one::<Bounded>(bytes),
        10 => one::<Defaults>(bytes),
        11 => one::<Renamed>(bytes),
        12 => one::<Value>(bytes),
        13 => one::<serde_json::Value>(bytes),
        14 => one::<Vec<f64>>(bytes),
        15 => one::<Vec<Event>>(bytes),
        _ => one::<Every>(bytes),
    }
});
