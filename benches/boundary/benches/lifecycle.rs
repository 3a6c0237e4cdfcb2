//! Load, one call, close: with content that has to be mapped, and with content that is mapped already.

use std::time::{Duration, Instant};

use boundary::library;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rustbridge_core::Load;

const ECHO: &str = r#"{"message":"hello"}"#;

fn cycle(load: Load) -> Duration {
    let start = Instant::now();
    let plugin = load.open().expect("hello-plugin loads");
    let reply = plugin.call("echo", ECHO).expect("echo answers");
    assert!(!reply.is_empty());
    drop(reply);
    plugin
        .close(Duration::from_secs(1))
        .expect("nothing is running");
    start.elapsed()
}

fn lifecycle(criterion: &mut Criterion) {
    let path = library("hello_plugin");
    let mut group = criterion.benchmark_group("load, call, close");
    group.bench_function(BenchmarkId::new("mapped before", 1), |bencher| {
        bencher.iter_custom(|iterations| (0..iterations).map(|_| cycle(Load::path(&path))).sum());
    });
    // Bytes after the end of an ELF file change its content and nothing else, so each copy is a library never seen
    // before. Every one stays mapped for good, hence the small number of samples.
    group
        .sample_size(10)
        .measurement_time(Duration::from_millis(200))
        .warm_up_time(Duration::from_millis(1));
    let original = std::fs::read(&path).expect("hello-plugin is readable");
    let folder = std::env::temp_dir().join(format!("rustbridge-lifecycle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let mut copies = 0u64;
    group.bench_function(BenchmarkId::new("not mapped yet", 1), |bencher| {
        bencher.iter_custom(|iterations| {
            let mut total = Duration::ZERO;
            for _ in 0..iterations {
                copies += 1;
                let mut image = original.clone();
                image.extend_from_slice(&copies.to_le_bytes());
                let copy = folder.join("plugin");
                std::fs::write(&copy, image).expect("the copy is writable");
                total += cycle(Load::path(&copy));
            }
            total
        });
    });
    group.finish();
    std::fs::remove_dir_all(&folder).expect("our own folder");
}

criterion_group!(benches, lifecycle);
criterion_main!(benches);
