//! Messages and values that want more than there is: stack, memory.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rustbridge_wire::Writer;

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
