//! MetaFFI's scenarios: primitives, texts, arrays, errors and values of any type.

use std::hint::black_box;
use std::iter::repeat_n;
use std::sync::Arc;

use bytemuck::{bytes_of, bytes_of_mut, cast_slice};
use rustbridge_core::Encoding::{Json, Pod, Raw};
use rustbridge_core::{Method, Object};
use work::{Division, Joined, Parts, Quotient, Values};

use super::subjects::{BENCH, CONFORMANCE, floor_into_storage, into_storage, opaque, ours, typed};
use crate::scenario::method;
use crate::{Scenario, Subject};

pub fn scenarios() -> Vec<Scenario> {
    let mut scenarios = vec![primitive(), join()];
    scenarios.extend([10, 100, 1_000, 10_000].map(sum));
    scenarios.extend([10, 100, 1_000, 10_000].map(echo));
    scenarios.extend([numbers(10_000), error(), any(100), any(10_000)]);
    scenarios.extend([object(), existing_object(), create_and_drop(), callback()]);
    scenarios.into_iter().map(Scenario::single).collect()
}

fn primitive() -> Scenario {
    Scenario::new("M primitive", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "div", Pod);
            Subject::new(move || {
                move || {
                    let (a, b) = (black_box(10), black_box(2));
                    let quotient = method.call_pod::<[i64; 2], f64>(&[a, b]);
                    black_box(quotient.expect("the call works"));
                }
            })
        })
        .floor("div", |floor| {
            Subject::new(move || {
                move || {
                    let (a, b) = (black_box(10i64), black_box(2i64));
                    let mut quotient = 0f64;
                    floor.call(bytes_of(&[a, b]), bytes_of_mut(&mut quotient));
                    black_box(quotient);
                }
            })
        })
        .direct(|| {
            let div = opaque(work::div as fn(&Division) -> Option<Quotient>);
            move || {
                let (a, b) = (black_box(10), black_box(2));
                black_box(div(&Division { a, b }));
            }
        })
}

fn parts() -> Parts {
    Parts {
        parts: vec![black_box("hello").to_owned(), black_box("world").to_owned()],
    }
}

fn join() -> Scenario {
    Scenario::new("M string join", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "join", Json);
            assert_eq!(typed::<_, Joined>(method, &parts()).text, "hello,world");
            Subject::new(move || {
                move || {
                    black_box(typed::<_, Joined>(method, &parts()).text);
                }
            })
        })
        .floor("join", |floor| {
            Subject::new(move || {
                let mut storage = [0; 256];
                move || {
                    let request = serde_json::to_vec(&parts()).expect("messages can be written");
                    let len = floor.call(&request, &mut storage);
                    let joined: Joined =
                        serde_json::from_slice(&storage[..len]).expect("the floor writes JSON");
                    black_box(joined.text);
                }
            })
        })
        .direct(|| {
            let join = opaque(work::join as fn(&Parts) -> Joined);
            move || {
                black_box(join(&parts()).text);
            }
        })
}

fn from_one(count: i64) -> Vec<i64> {
    (1..=count).collect()
}

fn sum(count: i64) -> Scenario {
    let expected = count * (count + 1) / 2;
    Scenario::new(format!("M sum {count}"), BENCH)
        .ours(move |plugin| {
            let method = method(plugin, "sum", Raw);
            Subject::new(move || {
                let numbers = from_one(count);
                move || {
                    let mut sum = 0i64;
                    ours(
                        method,
                        cast_slice(black_box(&numbers)),
                        bytes_of_mut(&mut sum),
                    );
                    assert_eq!(sum, expected);
                }
            })
        })
        .floor("sum", move |floor| {
            Subject::new(move || {
                let numbers = from_one(count);
                move || {
                    let mut sum = 0i64;
                    floor.call(cast_slice(black_box(&numbers)), bytes_of_mut(&mut sum));
                    assert_eq!(sum, expected);
                }
            })
        })
        .direct(move || {
            let (numbers, sum) = (from_one(count), opaque(work::sum as fn(&[u8]) -> _));
            move || assert_eq!(sum(cast_slice(black_box(&numbers))), Some(expected))
        })
}

fn echo(size: usize) -> Scenario {
    let request = move || repeat_n(7, size).collect::<Vec<u8>>();
    Scenario::new(format!("M echo {size} B"), BENCH)
        .ours(move |plugin| into_storage(method(plugin, "echo_bytes", Raw), request(), size))
        .floor("raw_echo", move |floor| {
            floor_into_storage(floor, request(), size)
        })
}

fn numbers(count: u32) -> Scenario {
    let last = move |numbers: &[i64]| assert_eq!(numbers.last(), Some(&i64::from(count)));
    Scenario::new(format!("M return {count}"), BENCH)
        .ours(move |plugin| {
            let method = method(plugin, "numbers", Raw);
            Subject::new(move || {
                move || {
                    let request = black_box(count).to_le_bytes();
                    let reply = method.call(&request).expect("the call works");
                    let numbers = reply.as_chunks().0.iter().copied().map(i64::from_le_bytes);
                    last(&numbers.collect::<Vec<i64>>());
                }
            })
        })
        .floor("numbers", move |floor| {
            Subject::new(move || {
                move || {
                    let request = black_box(count).to_le_bytes();
                    let mut numbers = Vec::<i64>::with_capacity(count as usize);
                    let (storage, capacity) = (numbers.as_mut_ptr(), numbers.capacity());
                    // SAFETY: the floor writes within the capacity, and says how much it has written.
                    unsafe {
                        let len = floor.call_raw(&request, storage.cast(), capacity * 8);
                        numbers.set_len(len / 8);
                    }
                    last(&numbers);
                }
            })
        })
        .direct(move || {
            let numbers = opaque(work::numbers as fn(u32) -> Vec<u8>);
            move || {
                let packed = numbers(black_box(count));
                let number = packed.last_chunk().map(|bytes| i64::from_le_bytes(*bytes));
                assert_eq!(number, Some(i64::from(count)));
            }
        })
}

fn error() -> Scenario {
    Scenario::new("error, message read", CONFORMANCE).ours(|plugin| {
        let method = method(plugin, "raw.fail", Raw);
        Subject::new(move || {
            move || {
                let error = method.call(black_box(b"Error")).expect_err("it fails");
                assert_eq!(error.message(), "Error");
            }
        })
    })
}

fn any(count: usize) -> Scenario {
    Scenario::new(format!("M any {count}"), BENCH)
        .ours(move |plugin| {
            let method = method(plugin, "any", Json);
            assert_eq!(
                typed::<_, Values>(method, &work::dynamic(count)),
                work::dynamic(count)
            );
            Subject::new(move || {
                let values = work::dynamic(count);
                move || {
                    black_box(typed::<_, Values>(method, black_box(&values)));
                }
            })
        })
        .direct(move || {
            let (values, any) = (
                work::dynamic(count),
                opaque(std::convert::identity as fn(Values) -> _),
            );
            move || {
                black_box(any(black_box(&values).clone()));
            }
        })
}

const GREETING: &[u8] = b"Hello from SomeClass bench";

/// A new object that knows its name.
fn some_class(create: Method) -> Object {
    let answer = create.with().call(black_box(b"bench"));
    let objects = answer.expect("the call works").objects;
    objects.into_iter().next().expect("it gives an object")
}

fn greeted(greet: Method, object: &Object) {
    let answer = greet.with().object(object).call(b"");
    assert_eq!(&*answer.expect("the call works").reply, GREETING);
}

fn object() -> Scenario {
    Scenario::new("M object method", BENCH).ours(|plugin| {
        let create = method(plugin, "some_class", Raw);
        let greet = method(plugin, "SomeClass.greet", Raw);
        Subject::new(move || move || greeted(greet, &some_class(create)))
    })
}

fn existing_object() -> Scenario {
    Scenario::new("M method on an existing object", BENCH).ours(|plugin| {
        let object = Arc::new(some_class(method(plugin, "some_class", Raw)));
        let greet = method(plugin, "SomeClass.greet", Raw);
        Subject::new(move || {
            let object = Arc::clone(&object);
            move || greeted(greet, &object)
        })
    })
}

fn create_and_drop() -> Scenario {
    Scenario::new("M create and drop", BENCH).ours(|plugin| {
        let create = method(plugin, "some_class", Raw);
        Subject::new(move || {
            move || {
                black_box(some_class(create));
            }
        })
    })
}

fn callback() -> Scenario {
    Scenario::new("M callback", BENCH).ours(|plugin| {
        let callback = method(plugin, "callback", Pod);
        Subject::new(move || {
            move || {
                let sum = callback.call_pod::<[u8; 0], i64>(&[]);
                assert_eq!(sum.expect("the call works"), 3);
            }
        })
    })
}
