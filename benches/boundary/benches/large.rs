//! Large messages: an echo into the caller's storage against memcpy, one that doesn't fit there against memcpy and
//! malloc, and leases of growing size.

use std::hint::black_box;
use std::time::Duration;

use boundary::{c, floor, plugin, rust};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rustbridge_abi::{Encoding, Response};
use rustbridge_core::raw;

/// What a host pays that brings storage of the right size, which has been written before.
fn echoed(criterion: &mut Criterion) {
    let linked = plugin("conformance_plugin");
    let foreign = c::Instance::load("conformance_plugin");
    let hosts = [
        floor("floor_raw_echo"),
        rust(&linked, "raw.echo", Encoding::Raw),
        foreign.host("raw.echo", Encoding::Raw),
    ];
    for (name, size) in [("raw 100 KB", 100 << 10), ("raw 16 MB", 16 << 20)] {
        let request = vec![7u8; size];
        let mut storage = vec![1u8; size];
        let mut group = criterion.benchmark_group(name);
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
}

fn copied(criterion: &mut Criterion) {
    let plugin = plugin("conformance_plugin");
    let echo = rustbridge_core::instance::prepare(plugin.handle(), "raw.echo", Encoding::Raw)
        .expect("raw.echo");
    let request = vec![7u8; 100 * 1024];
    let mut group = criterion.benchmark_group("raw 100 KB handed over");
    group.bench_function(BenchmarkId::new("floor", 1), |bencher| {
        bencher.iter(|| black_box(black_box(&request).to_vec()));
    });
    group.bench_function(BenchmarkId::new("rust", 1), |bencher| {
        bencher.iter(|| {
            let mut response = Response::empty();
            // SAFETY: the request is a live slice; the response is released once.
            unsafe {
                let status = raw::call(
                    plugin.handle(),
                    echo.entry,
                    request.as_ptr(),
                    request.len(),
                    &mut response,
                );
                assert!(status == 0 && response.len == request.len());
                black_box(response.data);
                raw::release(&mut response);
            }
        });
    });
    group.finish();
}

/// A response the plugin holds ready and hands over as it stands, read through a lease.
fn leased(criterion: &mut Criterion) {
    let plugin = plugin("conformance_plugin");
    let blob = rustbridge_core::instance::prepare(plugin.handle(), "raw.blob", Encoding::Raw)
        .expect("raw.blob");
    let mut group = criterion.benchmark_group("lease");
    for size in [1u32 << 10, 1 << 16, 1 << 20, 1 << 24] {
        let request = size.to_le_bytes();
        group.bench_function(BenchmarkId::new("rust", size), |bencher| {
            bencher.iter(|| {
                let mut response = Response::empty();
                // SAFETY: as above.
                unsafe {
                    let status = raw::call(
                        plugin.handle(),
                        blob.entry,
                        request.as_ptr(),
                        request.len(),
                        &mut response,
                    );
                    assert!(status == 0 && response.len == size as usize);
                    black_box(response.data);
                    raw::release(&mut response);
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, echoed, copied, leased);
criterion_main!(benches);
