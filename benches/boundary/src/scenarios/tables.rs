//! The founding tables: calls by the method's name, from text to text. The benchmark's own loop is the loop of a
//! thousand calls that they time as throughput.

use std::hint::black_box;
use std::sync::Arc;

use hello_plugin::bench::{SmallPodRequest, SmallPodResponse};
use rustbridge_core::Encoding::Pod;

use super::structs::small_request;
use super::subjects::HELLO;
use crate::scenario::method;
use crate::{Scenario, Subject};

const LATENCY: &str = r#"{"message": "benchmark test"}"#;
const SMALL: &str = r#"{"message": "hello world from benchmark"}"#;

pub fn scenarios() -> Vec<Scenario> {
    let echo = |length: usize| format!(r#"{{"message": "{}"}}"#, "x".repeat(length));
    let (greet, add) = (
        r#"{"name": "BenchmarkUser"}"#,
        r#"{"a": 123456789, "b": 987654321}"#,
    );
    vec![
        by_name("A json latency", "echo", LATENCY.into()),
        by_name("A throughput json", "echo", LATENCY.into()),
        throughput_binary(),
        by_name("A small echo", "echo", SMALL.into()),
        by_name("A small greet", "greet", greet.into()),
        by_name("A small math.add", "math.add", add.into()),
        by_name("A medium echo", "echo", echo(900)),
        by_name("A large echo", "echo", echo(100_000)),
    ]
}

fn by_name(name: &'static str, called: &'static str, request: String) -> Scenario {
    Scenario::new(name, HELLO).ours(move |plugin| {
        let (plugin, request) = (Arc::clone(plugin), request.clone());
        Subject::new(move || {
            let (plugin, request) = (Arc::clone(&plugin), request.clone());
            move || {
                let reply = plugin
                    .call(called, black_box(&request))
                    .expect("the call works");
                black_box(std::str::from_utf8(&reply).expect("JSON is UTF-8"));
            }
        })
    })
}

fn throughput_binary() -> Scenario {
    Scenario::new("A throughput binary", HELLO).ours(|plugin| {
        let method = method(plugin, "bench.small", Pod);
        Subject::new(move || {
            let request = small_request("bench_key");
            move || {
                let response =
                    method.call_pod::<SmallPodRequest, SmallPodResponse>(black_box(&request));
                black_box(response.expect("the call works"));
            }
        })
    })
}
