//! JSON calls: echoes of several sizes, by name and prepared.

use std::borrow::Cow;
use std::hint::black_box;

use hello_plugin::{Echo, Echoed, Hello};
use rustbridge_core::Encoding::Json;

use super::subjects::{HELLO, opaque, ours};
use crate::scenario::method;
use crate::{Scenario, Subject};

pub fn scenarios() -> Vec<Scenario> {
    vec![
        echo("json echo 13 B", "Hello, World!".into())
            .threads(&[1, 2, 4, 8])
            .single()
            .direct(|| {
                let hello = Hello::default();
                let function = opaque(Hello::echo as for<'r> fn(&Hello, Echo<'r>) -> Echoed<'r>);
                move || {
                    let message = Cow::Borrowed(black_box("Hello, World!"));
                    black_box(function(&hello, Echo { message }));
                }
            }),
        echo("json echo 1 KB", "x".repeat(900)),
        echo("json echo 100 KB", "x".repeat(100_000)),
        echo("json echo 16 MB", "x".repeat(16 << 20)).few(),
        texts(
            "json bench.small",
            "bench.small",
            "small_json",
            r#"{"key":"bench_key","flags":1}"#.into(),
        ),
    ]
}

fn echo(name: &'static str, message: String) -> Scenario {
    let request = format!(r#"{{"message":"{message}"}}"#);
    texts(name, "echo", "echo_json", request)
}

/// Text to text in the caller's storage, which is then known to be UTF-8.
fn texts(
    name: &'static str,
    called: &'static str,
    floor: &'static str,
    request: String,
) -> Scenario {
    let (by_hand, capacity) = (request.clone(), request.len() + 128);
    Scenario::new(name, HELLO)
        .ours(move |plugin| {
            let (method, request) = (method(plugin, called, Json), request.clone());
            let mut storage = vec![1; capacity];
            let answer = ours(method, request.as_bytes(), &mut storage).to_vec();
            let make = move || {
                let (request, mut storage) = (request.clone(), vec![1; capacity]);
                move || {
                    let response = ours(method, black_box(request.as_bytes()), &mut storage);
                    black_box(std::str::from_utf8(response).expect("JSON is UTF-8"));
                }
            };
            Subject::new(make).answering(answer)
        })
        .floor(floor, move |floor| {
            let request = by_hand.clone();
            let mut storage = vec![1; capacity];
            let len = floor.call(request.as_bytes(), &mut storage);
            storage.truncate(len);
            let make = move || {
                let (request, mut storage) = (request.clone(), vec![1; capacity]);
                move || {
                    let len = floor.call(black_box(request.as_bytes()), &mut storage);
                    black_box(std::str::from_utf8(&storage[..len]).expect("JSON is UTF-8"));
                }
            };
            Subject::new(make).answering(storage)
        })
}
