//! Raw bytes there and back, into the caller's storage and handed over. The handler answers with what it was sent, borrowed: so it's
//! copied once, as by hand.

use std::hint::black_box;

use rustbridge_core::Encoding::Raw;

use super::subjects::{BENCH, floor_into_storage, into_storage};
use crate::scenario::method;
use crate::{FLOOR, Scenario, Subject};

pub fn scenarios() -> Vec<Scenario> {
    vec![
        echo("raw 100 KB", 100 << 10),
        handed_over(),
        echo("raw 16 MB", 16 << 20).few(),
    ]
}

/// What a host pays that brings storage of the right size.
fn echo(name: &'static str, size: usize) -> Scenario {
    let request = move || vec![7; size];
    Scenario::new(name, BENCH)
        .ours(move |plugin| into_storage(method(plugin, "echo_bytes", Raw), request(), size))
        .floor("raw_echo", move |floor| {
            floor_into_storage(floor, request(), size)
        })
}

/// What one pays that brings none: the plugin's copy, lent and released. By hand it's a copy as well.
fn handed_over() -> Scenario {
    Scenario::new("raw 100 KB handed over", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "echo_bytes", Raw);
            Subject::new(move || {
                let request = vec![7u8; 100 << 10];
                move || {
                    let reply = method.call(black_box(&request)).expect("the call works");
                    black_box(reply[0]);
                }
            })
        })
        .with(FLOOR, |_| {
            Subject::new(|| {
                let request = vec![7u8; 100 << 10];
                move || {
                    let copy = black_box(&request).to_vec();
                    black_box(&copy[0]);
                }
            })
        })
}
