//! Calls by the client that `rustbridge gen` writes, of scenarios that are measured without one, too.

pub(super) mod bench;

use std::hint::black_box;

use bytemuck::{bytes_of, bytes_of_mut};
use rustbridge_host::typed::Value;

use self::bench::{Bench, Values};
use super::subjects::BENCH;
use crate::{Scenario, Subject};

pub fn scenarios() -> Vec<Scenario> {
    let scenarios = [primitive(), join(), any(100), any(10_000), answer()];
    let single = scenarios.into_iter().map(Scenario::single);
    single.chain([structs().single().few()]).collect()
}

fn client(plugin: &rustbridge_core::Plugin) -> Bench {
    Bench::of(plugin).expect("the client is of this version")
}

fn primitive() -> Scenario {
    Scenario::new("M primitive, typed", BENCH)
        .ours(|plugin| {
            let client = client(plugin);
            Subject::new(move || {
                let client = client.clone();
                move || {
                    let quotient = client.divide(black_box(10), black_box(2));
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
}

fn join() -> Scenario {
    Scenario::new("M string join, typed", BENCH).ours(|plugin| {
        let client = client(plugin);
        let parts = || [black_box("hello").to_owned(), black_box("world").to_owned()];
        let joined = client.join_texts(&parts()).expect("the call works");
        assert_eq!(joined, "hello,world");
        Subject::new(move || {
            let client = client.clone();
            move || {
                black_box(client.join_texts(&parts()).expect("the call works"));
            }
        })
    })
}

fn any(count: usize) -> Scenario {
    Scenario::new(format!("M any {count}, typed"), BENCH).ours(move |plugin| {
        let three = [
            Value::Int(1),
            Value::String("two".to_owned()),
            Value::Float(3.0),
        ];
        let values = Values {
            values: three.into_iter().cycle().take(count).collect(),
        };
        let client = client(plugin);
        assert_eq!(client.any(&values).expect("the call works"), values);
        Subject::new(move || {
            let (client, values) = (client.clone(), values.clone());
            move || {
                black_box(client.any(black_box(&values)).expect("the call works"));
            }
        })
    })
}

fn answer() -> Scenario {
    Scenario::new("get_answer, typed", BENCH)
        .ours(|plugin| {
            let client = client(plugin);
            Subject::new(move || {
                let client = client.clone();
                move || {
                    let answer = client.answer_to(black_box(23));
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
}

fn structs() -> Scenario {
    Scenario::new("get_structs, typed", BENCH).ours(|plugin| {
        let client = client(plugin);
        let students = client.get_structs().expect("the call works");
        assert_eq!(students.students.len(), work::students().students.len());
        Subject::new(move || {
            let client = client.clone();
            move || {
                black_box(client.get_structs().expect("the call works"));
            }
        })
    })
}
