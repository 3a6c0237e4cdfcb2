//! JSON: an echo through the boundary against serde_json doing the same work in place.

use std::hint::black_box;
use std::time::Duration;

use boundary::{c, floor, on_threads, plugin, repeat, rust};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rustbridge_abi::Encoding;

/// `{"message": ".."}` with a message of that many bytes.
fn request(message: usize) -> Vec<u8> {
    let text = if message == 13 {
        "Hello, World!".to_owned()
    } else {
        "x".repeat(message)
    };
    format!(r#"{{"message":"{text}"}}"#).into_bytes()
}

fn echo(criterion: &mut Criterion) {
    let linked = plugin("hello_plugin");
    let foreign = c::Instance::load("hello_plugin");
    let hosts = [
        floor("floor_echo_json"),
        rust(&linked, "echo", Encoding::Json),
        foreign.host("echo", Encoding::Json),
    ];
    for (name, message, threads) in [
        ("json echo 13 B", 13, 1),
        ("json echo 13 B", 13, 2),
        ("json echo 1 KB", 900, 1),
        ("json echo 100 KB", 100_000, 1),
    ] {
        let request = request(message);
        let mut group = criterion.benchmark_group(name);
        for host in hosts {
            group.bench_with_input(
                BenchmarkId::new(host.name(), threads),
                &threads,
                |bencher, &threads| {
                    bencher.iter_custom(|iterations| {
                        on_threads(threads, iterations, |iterations| {
                            repeat(host, black_box(&request), message + 128, iterations);
                        })
                    });
                },
            );
        }
        group.finish();
    }
}

/// With storage that has been written before: touching 16 MB for the first time costs as much as the call.
fn large_echo(criterion: &mut Criterion) {
    let linked = plugin("hello_plugin");
    let foreign = c::Instance::load("hello_plugin");
    let hosts = [
        floor("floor_echo_json"),
        rust(&linked, "echo", Encoding::Json),
        foreign.host("echo", Encoding::Json),
    ];
    let message = 16 << 20;
    let request = request(message);
    let mut storage = vec![1; message + 128];
    let mut group = criterion.benchmark_group("json echo 16 MB");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    for host in hosts {
        group.bench_function(BenchmarkId::new(host.name(), 1), |bencher| {
            bencher.iter(|| black_box(host.call(black_box(&request), black_box(&mut storage))));
        });
    }
    group.finish();
}

criterion_group!(benches, echo, large_echo);
criterion_main!(benches);
