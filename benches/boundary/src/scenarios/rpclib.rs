//! rpclib's scenarios: a number, blobs of several sizes, and lists of structs.

use std::hint::black_box;

use bytemuck::{bytes_of, bytes_of_mut};
use rustbridge::Bytes;
use rustbridge_core::Encoding::{Json, Pod, Raw};
use work::{Students, Value};

use super::subjects::{BENCH, opaque};
use crate::scenario::method;
use crate::{Scenario, Subject};

pub fn scenarios() -> Vec<Scenario> {
    let mut scenarios = vec![answer().single()];
    for (name, size) in [
        ("get_blob 1 KB", 1 << 10),
        ("get_blob 64 KB", 1 << 16),
        ("get_blob 1 MB", 1 << 20),
        ("get_blob 16 MB", 1 << 24),
    ] {
        scenarios.extend([blob(name, size).single(), lease(name, size)]);
    }
    scenarios.push(structs().single().few());
    scenarios
}

fn answer() -> Scenario {
    Scenario::new("get_answer", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "get_answer", Pod);
            Subject::new(move || {
                move || {
                    let answer = method.call_pod::<i32, i32>(&black_box(23));
                    assert_eq!(answer.expect("the call works"), 64);
                }
            })
        })
        .floor("answer", |floor| {
            Subject::new(move || {
                move || {
                    let mut answer = 0i32;
                    floor.call(bytes_of(&black_box(23i32)), bytes_of_mut(&mut answer));
                    assert_eq!(answer, 64);
                }
            })
        })
        .direct(|| {
            let answer = opaque(work::answer as fn(&Value) -> Value);
            move || {
                let question = Value {
                    value: black_box(23),
                };
                assert_eq!(answer(&question).value, 64);
            }
        })
}

/// Into new memory: what is lent is copied there. By hand the one copy is made by the other side.
fn blob(name: &'static str, size: u32) -> Scenario {
    let length = size as usize;
    Scenario::new(name, BENCH)
        .ours(move |plugin| {
            let method = method(plugin, "get_blob", Raw);
            Subject::new(move || {
                move || {
                    let request = black_box(size).to_le_bytes();
                    let blob = method.call(&request).expect("the call works").to_vec();
                    assert_eq!(black_box(&blob).len(), length);
                }
            })
        })
        .floor("blob", move |floor| {
            Subject::new(move || {
                move || {
                    let request = black_box(size).to_le_bytes();
                    let mut blob = Vec::<u8>::with_capacity(length);
                    // SAFETY: the floor writes within the capacity, and says how much it has written.
                    unsafe {
                        let len = floor.call_raw(&request, blob.as_mut_ptr(), length);
                        blob.set_len(len);
                    }
                    assert_eq!(black_box(&blob).len(), length);
                }
            })
        })
        .direct(move || {
            let blob = opaque(work::blob as fn(u32) -> Option<Bytes>);
            move || {
                let blob = blob(black_box(size)).expect("the size is fine").to_vec();
                assert_eq!(black_box(&blob).len(), length);
            }
        })
}

fn lease(name: &str, size: u32) -> Scenario {
    Scenario::new(format!("{name}, lease"), BENCH).ours(move |plugin| {
        let method = method(plugin, "get_blob", Raw);
        Subject::new(move || {
            move || {
                let request = black_box(size).to_le_bytes();
                let blob = method.call(&request).expect("the call works");
                assert_eq!(black_box(blob[250]), 250);
            }
        })
    })
}

fn structs() -> Scenario {
    Scenario::new("get_structs", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "get_structs", Json);
            let call = move || {
                let reply = method.call(b"").expect("the call works");
                serde_json::from_slice::<Students>(&reply).expect("they are students")
            };
            assert!(call() == work::students(), "other students");
            Subject::new(move || {
                move || {
                    black_box(call());
                }
            })
        })
        .direct(|| {
            let students = opaque(work::students as fn() -> Students);
            move || {
                black_box(students());
            }
        })
}
