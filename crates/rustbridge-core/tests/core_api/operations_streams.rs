//! Operations' streams, to the plugin and from it, with a plugin against the ABI alone.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "requests and responses are locals that outlive the calls, everywhere here"
)]

use std::sync::atomic::Ordering;
use std::time::Duration;

use rustbridge_abi::*;
use rustbridge_core::operations::{self, EventKind};
use rustbridge_core::{Status, handles};

use crate::later;
use crate::submitted::{LONG, done, later};

#[test]
fn items_come_as_they_are_asked_for() {
    let later = later();
    let (status, op, _) = later.submit_with("count", "10", (3, 1000), 7);
    assert_eq!(status, RB_PENDING);
    let mut got = String::new();
    loop {
        let event = later.next();
        assert_eq!((event.op, event.user_data), (op, 7));
        match event.kind {
            EventKind::Items {
                count,
                bytes,
                flags,
                ..
            } => {
                assert!(count <= 3);
                assert_eq!(flags, 0);
                got += &String::from_utf8(bytes).unwrap();
                // The last ones are followed by the end.
                assert!(count < 3 || later.within(Duration::from_millis(5)).is_none());
                operations::demand(op, 3, 1000).unwrap();
            }
            EventKind::Done { status, .. } => {
                assert_eq!(status, RB_OK);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(got, "12345678910"[..9].to_owned() + "10");
}

#[test]
fn what_waits_is_one_batch_with_ends_where_lengths_differ() {
    let later = later();
    let (_, op, _) = later.submit_with("count", "11", (100, 1000), 0);
    let event = later.next();
    let EventKind::Items {
        count,
        bytes,
        flags,
        ..
    } = event.kind
    else {
        panic!()
    };
    assert_eq!((event.op, count, flags), (op, 11, RB_BATCH_ENDS));
    assert_eq!(&bytes[..13], b"1234567891011");
    let ends: Vec<u32> = bytes[13..]
        .chunks(4)
        .map(|end| u32::from_ne_bytes(end.try_into().unwrap()))
        .collect();
    assert_eq!(ends, [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13]);
    assert_eq!(done(&later.next()).0, RB_OK);
}

#[test]
fn more_than_was_asked_for_is_refused_to_the_plugin() {
    let later = later();
    later::EXHAUSTED.store(0, Ordering::SeqCst);
    let (_, op, _) = later.submit_with("greedy", "5", (2, 1000), 0);
    let EventKind::Items { count, .. } = later.next().kind else {
        panic!()
    };
    assert_eq!((count, later::EXHAUSTED.load(Ordering::SeqCst)), (2, 1));
    operations::detach(op).unwrap();
}

#[test]
fn items_are_sent_as_they_are_asked_for() {
    let later = later();
    let op = later.pending("sum", "");
    let mut sent = 0_u64;
    let mut credit = 0;
    while sent < 100 {
        while credit == 0 {
            let EventKind::Demand { items, .. } = later.next().kind else {
                panic!()
            };
            credit = items;
        }
        let items = [1_u8, 2];
        let batch = Batch {
            data: items.as_ptr(),
            len: 2,
            count: 2,
            ..Batch::EMPTY
        };
        unsafe { operations::write(op, &batch) }.unwrap();
        sent += 2;
        credit = 0;
    }
    // What a plugin gets is addresses, and a host has numbers alone.
    let (item, objects) = ([7_u8], [0x1234_u64]);
    let batch = Batch {
        data: item.as_ptr(),
        len: 1,
        count: 1,
        object_count: 1,
        objects: objects.as_ptr(),
        ..Batch::EMPTY
    };
    let error = unsafe { operations::write(op, &batch) }.unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.InvalidBatch");
    unsafe { operations::write(op, &Batch::EMPTY) }.unwrap();
    let many = [0_u8; 1000];
    let batch = Batch {
        data: many.as_ptr(),
        len: 1000,
        count: 1000,
        ..Batch::EMPTY
    };
    // What waits of earlier times is looked at first.
    while let Some(event) = later.within(Duration::ZERO) {
        assert!(matches!(event.kind, EventKind::Demand { .. }), "{event:?}");
    }
    let error = unsafe { operations::write(op, &batch) }.unwrap_err();
    assert_eq!(error.status(), Status::ResourceExhausted);
    // Some may go, and the plugin has no reason to ask for more: so it's said once more how many.
    let event = later.next();
    let EventKind::Demand { items, .. } = event.kind else {
        panic!("{event:?}");
    };
    assert!((1..1000).contains(&items), "{items}");
    operations::end_sending(op, RB_OK, b"").unwrap();
    let answer = loop {
        let event = later.next();
        if !matches!(event.kind, EventKind::Demand { .. }) {
            break done(&event);
        }
    };
    assert_eq!(answer, (RB_OK, "150".into()));
    assert!(operations::end_sending(op, RB_OK, b"").is_err());
}

#[test]
fn cancelling_discards_the_items_that_wait() {
    let later = later();
    let (_, op, _) = later.submit_with("count", "100", (2, 1000), 0);
    operations::cancel(op).unwrap();
    assert_eq!(done(&later.next()).0, RB_CANCELLED);
    assert!(later.within(Duration::ZERO).is_none());
}

#[test]
fn closing_ends_streams_at_once_and_delivers_what_was_emitted() {
    let later = later();
    later.submit_with("count", "100", (2, 1000), 0);
    handles::close(later.handle, LONG).unwrap();
    let EventKind::Items { count: 2, .. } = later.next().kind else {
        panic!()
    };
    assert_eq!(done(&later.next()).0, RB_UNAVAILABLE);
}
