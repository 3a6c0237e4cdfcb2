//! Responses that don't fit the caller's storage: 100 KB against memcpy and malloc, and leases of growing size.

use std::hint::black_box;

use boundary::plugin;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rustbridge_abi::{Encoding, Response};
use rustbridge_core::raw;

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

criterion_group!(benches, copied, leased);
criterion_main!(benches);
