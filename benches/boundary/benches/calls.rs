//! Small binary calls: the floor, the Rust host and the C host, with one thread and with two.

use std::hint::black_box;

use boundary::{Host, c, floor, on_threads, plugin, repeat, rust};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rustbridge_abi::Encoding;

struct Scenario {
    name: &'static str,
    library: &'static str,
    method: &'static str,
    floor: &'static str,
    request: Vec<u8>,
    response_len: usize,
}

fn bench_small_request() -> Vec<u8> {
    let mut request = vec![0; 76];
    request[0] = 1;
    request[4..13].copy_from_slice(b"bench_key");
    request[68..72].copy_from_slice(&9u32.to_ne_bytes());
    request[72..76].copy_from_slice(&1u32.to_ne_bytes());
    request
}

fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario {
            name: "pod 8/8",
            library: "conformance_plugin",
            method: "pod.add32",
            floor: "floor_pod8",
            request: [20i32.to_ne_bytes(), 22i32.to_ne_bytes()].concat(),
            response_len: 8,
        },
        Scenario {
            name: "bench.small 76/80",
            library: "hello_plugin",
            method: "bench.small",
            floor: "floor_small",
            request: bench_small_request(),
            response_len: 80,
        },
        Scenario {
            name: "pod 268/272",
            library: "conformance_plugin",
            method: "pod.big",
            floor: "floor_big",
            request: (0..268).map(|byte| byte as u8).collect(),
            response_len: 272,
        },
    ]
}

fn calls(criterion: &mut Criterion) {
    for scenario in scenarios() {
        let linked = plugin(scenario.library);
        let foreign = c::Instance::load(scenario.library);
        let hosts = [
            floor(scenario.floor),
            rust(&linked, scenario.method, Encoding::Pod),
            foreign.host(scenario.method, Encoding::Pod),
            foreign.into_host(scenario.method, Encoding::Pod),
        ];
        answers_agree(&hosts, &scenario);
        let mut group = criterion.benchmark_group(scenario.name);
        for threads in [1, 2] {
            for host in hosts {
                group.bench_with_input(
                    BenchmarkId::new(host.name(), threads),
                    &threads,
                    |bencher, &threads| {
                        bencher.iter_custom(|iterations| {
                            on_threads(threads, iterations, |iterations| {
                                repeat(
                                    host,
                                    black_box(&scenario.request),
                                    scenario.response_len,
                                    iterations,
                                );
                            })
                        });
                    },
                );
            }
        }
        group.finish();
    }
}

/// A floor that does other work would be no floor.
fn answers_agree(hosts: &[Host], scenario: &Scenario) {
    let answers: Vec<_> = hosts
        .iter()
        .map(|host| {
            let mut storage = vec![0; scenario.response_len];
            let len = host.call(&scenario.request, &mut storage);
            storage.truncate(len);
            storage
        })
        .collect();
    for answer in &answers {
        assert_eq!(
            answer, &answers[0],
            "{}: floor and ours answer differently",
            scenario.name
        );
    }
}

criterion_group!(benches, calls);
criterion_main!(benches);
