//! Messages and values that want more than there is: stack, memory.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use rustbridge_wire::{Typed, Unwritable, Value, Writer, check, read, to_vec};

/// Lists in each other.
fn nested(levels: usize) -> Vec<u8> {
    let mut bytes = [8_u8, 1, 0, 0, 0].repeat(levels);
    bytes.push(0);
    bytes
}

fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new().stack_size(128 << 10);
    thread.spawn(run).unwrap().join().unwrap()
}

#[test]
fn a_message_is_nested_no_deeper_than_the_stack_has_room_for() {
    // Each way of ending is fine, but for the process's.
    for levels in [100, 127, 128, 129, 10_000] {
        on_a_small_stack(move || drop(read::<Value>(&nested(levels))));
    }
}

#[test]
fn a_value_is_nested_no_deeper_than_the_stack_has_room_for() {
    let value = read::<Value>(&nested(128)).unwrap();
    let written = on_a_small_stack(move || to_vec(&value));
    assert!(
        matches!(written, Ok(_) | Err(Unwritable::TooDeep)),
        "{written:?}"
    );
}

/// A map with two keys of no letters; the second has a value that its type refuses.
fn refused_behind_a_key_twice(refused: &[u8]) -> Vec<u8> {
    let mut bytes = vec![2, 0, 0, 0];
    bytes.extend([0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0, 0, 0, 0]);
    bytes.extend(refused);
    bytes
}

#[test]
fn what_comes_first_is_reported_though_reading_finds_it_last() {
    let set_of_the_same = [2, 0, 0, 0, 7, 7];
    let bytes = refused_behind_a_key_twice(&set_of_the_same);
    let problem = read::<BTreeMap<String, BTreeSet<u8>>>(&bytes).unwrap_err();
    assert_eq!(problem.position(), 12);
    assert_eq!(
        problem.to_string(),
        check(&<BTreeMap<String, BTreeSet<u8>>>::TYPE, &bytes)
            .unwrap_err()
            .to_string()
    );
    // Where nothing comes before it, the type's own words are told.
    let mut bytes = bytes;
    bytes[0] = 1;
    bytes.drain(4..12);
    let problem = read::<BTreeMap<String, BTreeSet<u8>>>(&bytes).unwrap_err();
    assert!(
        problem.to_string().contains("duplicate value in a set"),
        "{problem}"
    );
}

#[test]
fn a_writer_that_could_not_grow_keeps_what_it_has() {
    let mut writer = Writer::new();
    writer.push(b"some text");
    let grown = catch_unwind(AssertUnwindSafe(|| writer.reserve(usize::MAX)));
    assert!(grown.is_err());
    assert_eq!(writer.as_slice(), b"some text");
    writer.push(b" more");
    assert_eq!(writer.into_vec(), b"some text more");
}
